"""Which earlier turns a new one is told of: the last ones word for word, those before them as a summary. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aria_desktop.assistant.prompt import EARLIER_CHARACTERS, TURNS_SHOWN, estimated_tokens
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.earlier import EarlierSummary
from aria_desktop.core.records import Source, TurnRecord

RECENT_TOKENS = 600
"""Of the last turns, word for word; the prompt's own budget may leave fewer."""
RECENT_TURNS = TURNS_SHOWN - 1
"""Beside the summary."""
SUMMARISED = "(summary of what was said before)"
"""Stands where the user's words of an earlier turn stand."""


@dataclass(frozen=True, slots=True)
class History:
    recent: tuple[TurnRecord, ...]
    """At least the last turn that was answered, if there is one; those without an answer lie between."""
    older: tuple[TurnRecord, ...]
    """Answered turns before those, which no summary covers yet."""
    summary: EarlierSummary | None

    @property
    def told(self) -> tuple[TurnRecord, ...]:
        """What the agent is handed, oldest first."""
        return (*((_as_turn(self.summary),) if self.summary else ()), *self.recent)


def history_of(turns: Sequence[TurnRecord], summary: EarlierSummary | None, budget: int = RECENT_TOKENS) -> History:
    """
    Args:
        turns: of the conversation, oldest first.
        summary: of its beginning, if there is one; one that covers no turn of it counts for nothing.
        budget: tokens for the recent turns.
    """
    covered = _covered(turns, summary)
    recent = max(covered, _recent_from(turns, budget))
    older = tuple(turn for turn in turns[covered:recent] if turn.answer)
    return History(tuple(turns[recent:]), older, summary if covered else None)


def _recent_from(turns: Sequence[TurnRecord], budget: int) -> int:
    """Where the last turns begin of which as many as fit were answered, and the last one anyway."""
    begin, count, spent = len(turns), 0, 0
    for number, turn in reversed(list(enumerate(turns))):
        if not turn.answer:
            begin = number if count < RECENT_TURNS else begin
            continue
        spent += estimated_tokens(turn.words[:EARLIER_CHARACTERS]) + estimated_tokens(turn.answer[:EARLIER_CHARACTERS])
        if count == RECENT_TURNS or (count and spent > budget):
            break
        begin, count = number, count + 1
    return begin


def _covered(turns: Sequence[TurnRecord], summary: EarlierSummary | None) -> int:
    """So many of the first turns are covered."""
    if summary is None:
        return 0
    return next((number + 1 for number, turn in enumerate(turns) if turn.turn_id == summary.through), 0)


def _as_turn(summary: EarlierSummary) -> TurnRecord:
    return TurnRecord(
        summary.through,
        Source.TEXT,
        SUMMARISED,
        summary.text,
        TurnOutcome.ANSWERED,
        0.0,
        calls=(),
        timings={},
        untrusted=summary.untrusted,
    )

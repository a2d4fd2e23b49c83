"""What the user is told at the end of a turn, built from what really happened. Pure.

What was changed is told by the results of the calls, in their order, never by the model: its own words come
after them. Where something was refused, the model is not asked at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aria_desktop.core.chat import Outcome, ToolCall, ToolResult, TurnOutcome
from aria_desktop.core.errors import ReplyInvalid


@dataclass(frozen=True, slots=True)
class Ended:
    """One call of this turn with its end."""

    call: ToolCall
    changes: bool
    """Whether the tool is one that changes something."""
    result: ToolResult
    then: str = ""
    """What the model said is left to do after it."""


@dataclass(frozen=True, slots=True)
class Closing:
    outcome: TurnOutcome
    text: str
    error: str = ""
    """A code when the turn failed."""


def fact(ended: Ended) -> str:
    """What is told as soon as the call has ended, and stays told: a change that was made, or may have been."""
    if ended.result.outcome is Outcome.UNKNOWN:
        return f"It is not known whether {ended.call.tool} was carried out: the program stopped in the middle."
    return ended.result.answer if ended.changes and ended.result.outcome is Outcome.DONE else ""


def after_call(calls: Sequence[Ended]) -> Closing | None:
    """How the turn ends after the last of `calls`; None when the model goes on."""
    last = calls[-1]
    match last.result.outcome:
        case Outcome.REFUSED:
            changed = any(call.changes and call.result.outcome is Outcome.DONE for call in calls)
            outcome = TurnOutcome.ANSWERED if changed else TurnOutcome.REFUSED
            told = facts(calls) or ["Nothing was changed."]
            return Closing(outcome, _joined(*told, last.result.answer))
        case Outcome.DONE | Outcome.FAILED if last.result.ends_turn:
            return Closing(TurnOutcome.ASKED, _joined(*facts(calls), last.result.answer))
        case Outcome.DONE | Outcome.FAILED if last.result.answer and not last.then:
            return Closing(TurnOutcome.ANSWERED, summed_up(calls))
    return None


def repeated(calls: Sequence[Ended]) -> Closing | None:
    """How the turn ends when the model wants the last change again; None when it only wants to look again."""
    return Closing(TurnOutcome.ANSWERED, summed_up(calls)) if calls[-1].changes else None


def not_understood(calls: Sequence[Ended]) -> Closing:
    """The model gave no legal reply, whatever it was told."""
    told = facts(calls) or ["Nothing was changed."]
    text = _joined(*told, "The language model gave no usable reply.")
    return Closing(TurnOutcome.FAILED, text, ReplyInvalid.code)


def with_answer(calls: Sequence[Ended], answer: str) -> str:
    """The model's closing words, between what was changed and what could not be."""
    return _joined(*facts(calls), answer, *_failures(calls))


def summed_up(calls: Sequence[Ended]) -> str:
    """All that the results themselves say; empty when that is nothing.

    What was read before a change served that change, and is not told again.
    """
    last_change = max((i for i, call in enumerate(calls) if fact(call)), default=-1)
    read = [call.result.answer for i, call in enumerate(calls) if i > last_change and not call.changes]
    return _joined(*facts(calls), *read, *_failures(calls))


def facts(calls: Sequence[Ended]) -> list[str]:
    """In the order in which they were told."""
    return [text for text in map(fact, calls) if text]


def _failures(calls: Sequence[Ended]) -> list[str]:
    """Changes that did not work, unless the same tool, or another one on the same file, did work later on."""
    told = []
    for index, ended in enumerate(calls):
        if ended.changes and ended.result.outcome is Outcome.FAILED and not _made_up_for(ended, calls[index + 1 :]):
            told.append(ended.result.answer or f"{ended.call.tool} did not work: {ended.result.text}")
    return told


def _made_up_for(failed: Ended, later: Sequence[Ended]) -> bool:
    path = failed.call.arguments.get("path")
    return any(
        ended.result.outcome is Outcome.DONE
        and (ended.call.tool == failed.call.tool or (ended.changes and ended.call.arguments.get("path", "") == path))
        for ended in later
    )


def _joined(*texts: str) -> str:
    return " ".join(text for text in texts if text)

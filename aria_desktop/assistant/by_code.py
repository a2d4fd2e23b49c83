"""Turns that code answers itself (see `said_alone`): told, kept and spoken like any other, without asking the model
what to do.

What they do beyond answering (cancel what runs, begin a conversation) belongs to the session.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Protocol

from aria_desktop.assistant.agent import AgentResult, AgentTask
from aria_desktop.assistant.history import SUMMARISED
from aria_desktop.assistant.said_alone import Alone, Said, said_alone
from aria_desktop.assistant.so_far import Events
from aria_desktop.assistant.undoing import last_turn, undone_by_code
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.errors import EngineFailed
from aria_desktop.core.events import AnswerGiven, AnswerPiece, ReplyReceived, StepStarted
from aria_desktop.core.interfaces import Approver, GenerationEnd
from aria_desktop.core.records import TurnRecord
from aria_desktop.safety.undo_choice import last_undo, of_call
from aria_desktop.tools.languages.wording import wording_in

_ANSWERS = {
    Alone.STOP: "stopped",
    Alone.NEW_CONVERSATION: "new_conversation",
    Alone.GOODBYE: "goodbye",
}
_RETOLD = frozenset({Alone.REPEAT, Alone.SIMPLER, Alone.DEEPER})
"""Turns whose answer is the earlier one, in the same or in other words."""


class Retell(Protocol):
    """`assistant.retelling.Retelling`."""

    def __call__(
        self, how: Alone, words: str, answer: str, cancel: CancelToken, /
    ) -> Iterator[str | GenerationEnd]: ...


def answered_by_code(
    said: Said, task: AgentTask, retell: Retell, approver: Approver, cancel: CancelToken
) -> Events[AgentResult]:
    """The turn of what was said alone. Raises Cancelled, what the engine raises when it has to tell again, and
    AriaError when changes can't be taken back."""
    if said.what in (Alone.UNDO, Alone.REDO):
        choose = last_turn(task) if said.what is Alone.UNDO else last_undo
        if said.call_id:
            choose = partial(of_call, call_id=said.call_id)
        nothing = "nothing_of_call" if said.call_id else "nothing_to_undo"
        return (yield from undone_by_code(choose, task, wording_in(said.language), nothing, approver, cancel))
    (words, answer), say = last_told(task.history), wording_in(said.language).say
    if said.what in _RETOLD and not answer:
        text = say("no_answer_yet")
    elif said.what is Alone.REPEAT:
        text = answer
    elif said.what in _RETOLD:
        text = yield from _told_again(task.turn_id, retell(said.what, words, answer, cancel))
    else:
        text = say(_ANSWERS[said.what])
    yield AnswerGiven(task.turn_id, text)
    return AgentResult(TurnOutcome.ANSWERED, text, ())


def last_told(history: Sequence[TurnRecord]) -> tuple[str, str]:
    """What was asked last, and what was answered to it last, told again or not; both empty when there is nothing."""
    answer = ""
    for turn in reversed(history):
        said = said_alone(turn.words)
        if not turn.answer or turn.words == SUMMARISED or (said and said.what not in _RETOLD):
            continue
        answer = answer or turn.answer
        if said is None:
            return turn.words, answer
    return "", ""


def _told_again(turn_id: str, pieces: Iterator[str | GenerationEnd]) -> Events[str]:
    yield StepStarted(turn_id, 1)
    text = ""
    for piece in pieces:
        if isinstance(piece, GenerationEnd):
            counts = (piece.prompt_tokens, piece.reused_tokens, piece.tokens, piece.seconds)
            yield ReplyReceived(turn_id, 1, text, *counts)
            return text if piece.complete else text + "…"
        text += piece
        yield AnswerPiece(turn_id, piece)
    raise EngineFailed("The language model stopped without an end.", "Ask again.")

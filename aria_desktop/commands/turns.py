"""One turn as the command line sees it: send a request, show its events, answer its questions, return its end."""

from __future__ import annotations

import queue
import uuid
from collections.abc import Callable
from typing import Protocol

from aria_desktop.core.approval import ApprovalRequest
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.errors import AriaError, ExitCode, error_named
from aria_desktop.core.events import (
    ApprovalRequested,
    Event,
    Problem,
    TranscriptOffered,
    TurnEnded,
    TurnStarted,
    WordsSoFar,
)
from aria_desktop.core.interfaces import Assistant
from aria_desktop.core.requests import AnswerApproval, AnswerTranscript, CancelTurn, Request

Correct = Callable[[TranscriptOffered], str | None]
"""The words as they are to be carried out; empty: drop them. None leaves them to another front end."""


class Answerer(Protocol):
    def __call__(self, request: ApprovalRequest, /) -> tuple[bool, str] | None:
        """(allowed, who decided), or None to leave the question to another front end, or when one has settled it."""


def new_id() -> str:
    """An id for a request, unique among all senders."""
    return uuid.uuid4().hex[:12]


def run_turn(
    assistant: Assistant,
    request: Request,
    request_id: str,
    show: Callable[[Event], None],
    answer: Answerer,
    watch: Callable[[Event], None] = lambda _: None,
    correct: Correct = lambda offered: offered.text,
) -> TurnEnded:
    """Blocks until the turn has ended. Ctrl+C stops the turn, and the turn still ends properly; a second one does
    not wait for that.

    `show` gets every event of this turn and those that belong to none, on this thread. `watch` gets all events as soon
    as they happen, also while `answer` waits, on the assistant's threads, and must not block.
    """
    events: queue.SimpleQueue[Event] = queue.SimpleQueue()

    def listen(event: Event) -> None:
        events.put(event)
        watch(event)

    unsubscribe = assistant.subscribe(listen)
    turn = _Turn(assistant, request_id, show, answer, correct)
    try:
        assistant.submit(request)
        while True:
            try:
                ended = turn.take(events.get())
            except KeyboardInterrupt:
                if turn.stopping:
                    raise
                turn.stopping = True
                assistant.submit(CancelTurn(request_id=request_id))
                continue
            if ended is not None:
                return ended
    finally:
        unsubscribe()


class _Turn:
    def __init__(
        self,
        assistant: Assistant,
        request_id: str,
        show: Callable[[Event], None],
        answer: Answerer,
        correct: Correct,
    ) -> None:
        self.turn_id = ""
        self.stopping = False
        self._assistant = assistant
        self._request_id = request_id
        self._show = show
        self._answer = answer
        self._correct = correct

    def take(self, event: Event) -> TurnEnded | None:
        """Handle one event; the turn's end once it is there."""
        if isinstance(event, TurnStarted) and event.request_id == self._request_id:
            self.turn_id = event.turn_id
        if not self._concerns(event):
            return None
        if isinstance(event, Problem) and (event.request_id or event.error == "window_gone"):
            event = _failed(event, self._request_id)
        self._show(event)
        if isinstance(event, ApprovalRequested) and not event.granted:
            self._ask(event.request)
        if isinstance(event, TranscriptOffered) and (words := self._correct(event)) is not None:
            self._assistant.submit(AnswerTranscript(event.turn_id, words, "the command line"))
        return event if isinstance(event, TurnEnded) else None

    def _concerns(self, event: Event) -> bool:
        if isinstance(event, ApprovalRequested):
            return event.request.turn_id == self.turn_id
        if isinstance(event, Problem):
            return event.request_id in ("", self._request_id)
        if isinstance(event, TurnEnded | WordsSoFar):
            return event.request_id == self._request_id
        return getattr(event, "turn_id", self.turn_id) == self.turn_id

    def _ask(self, request: ApprovalRequest) -> None:
        decision = self._answer(request)
        if decision is not None:
            allowed, by = decision
            self._assistant.submit(AnswerApproval(request.id, allowed, by))


def not_started(request_id: str, error: AriaError) -> TurnEnded:
    """The end of a turn that could not even begin, for readers of `--json` who wait for one."""
    return TurnEnded("", "", request_id, TurnOutcome.FAILED, "", (), {}, error.code, error.text, error.hint)


def _failed(problem: Problem, request_id: str) -> TurnEnded:
    return TurnEnded("", "", request_id, TurnOutcome.FAILED, "", (), {}, problem.error, problem.text, problem.hint)


def exit_code(ended: TurnEnded) -> ExitCode:
    """The documented exit code of a turn's end."""
    match ended.outcome:
        case TurnOutcome.ANSWERED | TurnOutcome.ASKED:
            return ExitCode.OK
        case TurnOutcome.REFUSED:
            return ExitCode.REFUSED
        case TurnOutcome.CANCELLED:
            return ExitCode.CANCELLED
        case TurnOutcome.NOTHING_HEARD:
            return ExitCode.NOTHING_HEARD
        case TurnOutcome.FAILED:
            return error_named(ended.error, ended.text).exit_code

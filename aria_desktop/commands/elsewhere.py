"""What becomes of a question while it stands on the terminal: another front end may answer it first.

Events come on the assistant's threads; the terminal's thread sleeps in `select` and is woken through a pipe.
"""

from __future__ import annotations

import contextlib
import os
import threading

from aria_desktop.assistant.calls import WITHDRAWN
from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest
from aria_desktop.core.events import ApprovalDecided, CallEnded, Event, Problem, TranscriptSettled, TurnEnded

_EVERYTHING = ""
"""Stands for every question: the program that asked them is gone."""


def words_of(turn_id: str) -> str:
    """The key of the words that wait in a turn."""
    return f"words {turn_id}"


class Elsewhere:
    """`note` may be called from any thread, also after `close`."""

    def __init__(self) -> None:
        self._read, self._write = os.pipe()
        os.set_blocking(self._read, False)
        os.set_blocking(self._write, False)
        self._lock = threading.Lock()
        self._open = True
        self._settled: dict[str, str] = {}
        """What a question, a call or a turn came to, by its id."""

    def fileno(self) -> int:
        """Readable when anything was settled since the last look."""
        return self._read

    def note(self, event: Event) -> None:
        match event:
            case ApprovalDecided():
                self._settle(event.request_id, _outcome(event.decision))
            case TranscriptSettled():
                self._settle(words_of(event.turn_id), event.text)
            case CallEnded():
                self._settle(event.call.id, "")
            case TurnEnded() if event.turn_id:
                self._settle(event.turn_id, "")
            case Problem(error="window_gone"):
                self._settle(_EVERYTHING, "")
            case _:
                pass

    def outcome(self, request: ApprovalRequest) -> str | None:
        """ "allowed", "refused", "" when it is void because what asked it was stopped; None while it is open."""
        return self._first_of(request.id, request.call_id, request.turn_id)

    def settled_words(self, turn_id: str) -> str | None:
        """What another front end made of the words; "" when they are void. None while they wait."""
        return self._first_of(words_of(turn_id), turn_id)

    def _first_of(self, *keys: str) -> str | None:
        with self._lock:
            if self._open:
                self._drain()
            known = (self._settled.get(key) for key in (*keys, _EVERYTHING))
            return next((outcome for outcome in known if outcome is not None), None)

    def close(self) -> None:
        with self._lock:
            if self._open:
                self._open = False
                os.close(self._read)
                os.close(self._write)

    def _settle(self, key: str, outcome: str) -> None:
        with self._lock:
            self._settled[key] = outcome
            if self._open:
                self._wake()

    def _wake(self) -> None:
        """A full pipe is as readable as can be."""
        with contextlib.suppress(BlockingIOError):
            os.write(self._write, b"!")

    def _drain(self) -> None:
        try:
            while os.read(self._read, 4096):
                continue
        except BlockingIOError:
            pass


def _outcome(decision: ApprovalDecision) -> str:
    """Empty where nobody answered: what came before it went wrong or was refused."""
    if decision.by == WITHDRAWN:
        return ""
    return "allowed" if decision.allowed else "refused"

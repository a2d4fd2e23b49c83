"""Earlier turns of a conversation: read for each new one, and summed up while nobody asks for anything.

A summary is a convenience and never in the way: it is made on a thread of its own, stopped as soon as there is
something else to do, and stored only when it is whole. Without one the oldest turns are simply left out.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from typing import Protocol

from aria_desktop.assistant.history import History, history_of
from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.chat import Message, Role
from aria_desktop.core.earlier import EarlierSummary
from aria_desktop.core.errors import AriaError
from aria_desktop.core.interfaces import Generation, GenerationEnd, LanguageModel
from aria_desktop.core.records import TurnRecord
from aria_desktop.tools.prompts import PromptFiles, as_data

log = logging.getLogger(__name__)

LAST_TURNS = 100
"""What lies further back is forgotten, its summary too."""
AT_ONCE = 10
"""Turns that go into a summary together; more wait for the next time."""
SIDE_CHARACTERS = 400
"""Of each side of a turn, as it is summed up."""
SUMMARY_TOKENS = 140


class EarlierTurns(Protocol):
    """What is kept; `storage.conversations.Conversations`."""

    def turns(self, session_id: str, last: int | None = None) -> tuple[TurnRecord, ...]: ...

    def summary(self, session_id: str) -> EarlierSummary | None: ...

    def keep_summary(self, session_id: str, summary: EarlierSummary) -> None: ...


class Earlier:
    """`told` may be called from any thread; `sum_up` and `stop` belong to the session's."""

    def __init__(self, store: EarlierTurns, language: LanguageModel, prompts: PromptFiles) -> None:
        self._store = store
        self._language = language
        self._prompts = prompts
        self._cancel = CancelToken()
        self._thread: threading.Thread | None = None

    def told(self, session_id: str, turn_id: str) -> tuple[TurnRecord, ...]:
        """What the turn `turn_id` is told of those before it."""
        return self._history(session_id, turn_id).told

    def sum_up(self, session_id: str) -> None:
        """Begin to sum up what a new turn would not be told word for word. Returns at once."""
        self.stop()
        cancel = self._cancel = CancelToken()
        before, self._thread = (
            self._thread,
            threading.Thread(target=lambda: self._work(session_id, before, cancel), name="summary", daemon=True),
        )
        self._thread.start()

    def stop(self) -> None:
        """Something else is to be done. Returns at once."""
        self._cancel.cancel()

    def close(self) -> None:
        """Stop, and wait until nothing runs."""
        self.stop()
        if self._thread is not None:
            self._thread.join()

    def _history(self, session_id: str, turn_id: str = "") -> History:
        turns = tuple(turn for turn in self._store.turns(session_id, LAST_TURNS) if turn.turn_id != turn_id)
        return history_of(turns, self._store.summary(session_id))

    def _work(self, session_id: str, before: threading.Thread | None, cancel: CancelToken) -> None:
        """`before`: the thread of the summary before this one, which was stopped."""
        if before is not None:
            before.join()
        try:
            self._sum_up(session_id, cancel)
        except Cancelled:
            pass
        except AriaError as error:
            log.info("no summary: %s", error)
        except Exception:
            log.exception("a summary failed")

    def _sum_up(self, session_id: str, cancel: CancelToken) -> None:
        cancel.raise_if_cancelled()
        found = self._history(session_id)
        older = found.older[:AT_ONCE]
        if not older:
            return
        text = self._written(found.summary.text if found.summary else "", older, cancel)
        cancel.raise_if_cancelled()
        if text:
            before = found.summary.untrusted if found.summary else ()
            sources = dict.fromkeys([*before, *(source for turn in older for source in turn.untrusted)])
            self._store.keep_summary(session_id, EarlierSummary(text, older[-1].turn_id, tuple(sources)))

    def _written(self, before: str, turns: Sequence[TurnRecord], cancel: CancelToken) -> str:
        """Empty when the model came to no end."""
        lines = [before] if before else []
        lines += [f"User: {turn.words[:SIDE_CHARACTERS]}\nYou: {turn.answer[:SIDE_CHARACTERS]}" for turn in turns]
        messages = (
            Message(Role.SYSTEM, self._prompts.filled("earlier_system")),
            Message(Role.USER, self._prompts.filled("earlier", turns=as_data("\n".join(lines)))),
        )
        text = ""
        for piece in self._language.complete(Generation(messages, max_tokens=SUMMARY_TOKENS), cancel):
            if isinstance(piece, GenerationEnd):
                return text.strip() if piece.complete else _whole_sentences(text)
            text += piece
        return ""


def _whole_sentences(text: str) -> str:
    """What was cut off in the middle of a sentence, without that sentence."""
    end = max(text.rfind(mark) for mark in (". ", ".\n", "! ", "? "))
    return text[: end + 1].strip()

"""Somebody is asked and answers later: a turn's thread waits here, and the session's thread brings the answer.

A question is open from the moment its event is published, so an answer can't come too early, and closed for good by its
first answer: one that is late, doubled or meant for another question settles nothing. Where nobody can answer, the
answer is the one that was agreed on for that.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from aria_desktop.core.cancel import CancelToken

Answer = TypeVar("Answer")


class _Open(Generic[Answer]):
    def __init__(self, unanswered: Answer) -> None:
        self.answered = threading.Event()
        self.answer = unanswered

    def settle(self, answer: Answer) -> None:
        self.answer = answer
        self.answered.set()


class Waiting(Generic[Answer]):
    def __init__(self, somebody_there: Callable[[], bool], nobody: Answer) -> None:
        """
        Args:
            somebody_there: whether any front end would see a question.
            nobody: the answer when there is none.
        """
        self._somebody_there = somebody_there
        self._nobody = nobody
        self._open: dict[str, _Open[Answer]] = {}
        self._lock = threading.Lock()

    @property
    def any_open(self) -> bool:
        return any(not question.answered.is_set() for question in list(self._open.values()))

    def opened(self, number: str) -> None:
        """The question is about to be shown."""
        with self._lock:
            self._open.setdefault(number, _Open(self._nobody))

    def answer(self, number: str, answer: Answer) -> bool:
        """False when no question of that id waits."""
        with self._lock:
            question = self._open.get(number)
            if question is None or question.answered.is_set():
                return False
            question.settle(answer)
        return True

    def nobody_left(self) -> None:
        """The last front end is gone: what waits is answered by nobody."""
        with self._lock:
            for question in self._open.values():
                if not question.answered.is_set():
                    question.settle(self._nobody)

    def wait_for(self, number: str, cancel: CancelToken) -> Answer:
        """Blocks until there is an answer. Raises Cancelled."""
        with self._lock:
            question = self._open.setdefault(number, _Open(self._nobody))
        forget = cancel.on_cancel(question.answered.set)
        try:
            if not self._somebody_there():
                return self._nobody
            question.answered.wait()
            cancel.raise_if_cancelled()
            return question.answer
        finally:
            forget()
            with self._lock:
                self._open.pop(number, None)

"""The questions that wait for the user: an Approver whose answers come as requests from a front end.

The turn's thread waits here; the session's thread brings the answers. A question is open from the moment its event is
published, so an answer can't come too early, and closed for good by its first answer: an answer that is late, doubled
or meant for another question settles nothing. Every ending that is no answer is a refusal.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest
from aria_desktop.core.cancel import CancelToken

NOBODY = ApprovalDecision(allowed=False, by="nobody there to ask")


class _Open:
    def __init__(self) -> None:
        self.answered = threading.Event()
        self.decision = NOBODY

    def settle(self, decision: ApprovalDecision) -> None:
        self.decision = decision
        self.answered.set()


class Questions:
    def __init__(self, somebody_there: Callable[[], bool]) -> None:
        """`somebody_there`: whether any front end would see a question."""
        self._somebody_there = somebody_there
        self._open: dict[str, _Open] = {}
        self._lock = threading.Lock()

    @property
    def any_open(self) -> bool:
        return any(not question.answered.is_set() for question in list(self._open.values()))

    def opened(self, approval_id: str) -> None:
        """The question is about to be shown."""
        with self._lock:
            self._open.setdefault(approval_id, _Open())

    def answer(self, approval_id: str, decision: ApprovalDecision) -> bool:
        """False when no question of that id waits."""
        with self._lock:
            question = self._open.get(approval_id)
            if question is None or question.answered.is_set():
                return False
            question.settle(decision)
        return True

    def nobody_left(self) -> None:
        """The last front end is gone: refuse what waits."""
        with self._lock:
            for question in self._open.values():
                if not question.answered.is_set():
                    question.settle(NOBODY)

    def ask(self, request: ApprovalRequest, cancel: CancelToken) -> ApprovalDecision:
        with self._lock:
            question = self._open.setdefault(request.id, _Open())
        forget = cancel.on_cancel(question.answered.set)
        try:
            if not self._somebody_there():
                return NOBODY
            question.answered.wait()
            cancel.raise_if_cancelled()
            return question.decision
        finally:
            forget()
            with self._lock:
                self._open.pop(request.id, None)

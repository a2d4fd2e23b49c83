"""The questions that wait for the user: an Approver whose answers come as requests from a front end. Every ending that
is no answer is a refusal."""

from __future__ import annotations

from collections.abc import Callable

from aria_desktop.assistant.waiting import Waiting
from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest
from aria_desktop.core.cancel import CancelToken

NOBODY = ApprovalDecision(allowed=False, by="nobody there to ask")


class Questions(Waiting[ApprovalDecision]):
    def __init__(self, somebody_there: Callable[[], bool]) -> None:
        super().__init__(somebody_there, NOBODY)

    def ask(self, request: ApprovalRequest, cancel: CancelToken) -> ApprovalDecision:
        return self.wait_for(request.id, cancel)

"""A cancel in the middle of a change: waited for, or stopped and told as unknown."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

import pytest

from aria_desktop.assistant.calls import CallLimits, CallRunner
from aria_desktop.assistant.consent import Consent
from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest, Risk, RiskLevel
from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.chat import Outcome, ToolCall, ToolResult
from aria_desktop.core.events import CallEnded, CallProgress, CallStarted, Event
from aria_desktop.safety.paths import Workspace
from aria_desktop.safety.policy import Rules
from aria_desktop.tools.tool import Limit, OnCancel, Proposal, Tool, ToolContext, tool

WAIT_S = 10.0


class Yes:
    def ask(self, request: ApprovalRequest, cancel: CancelToken) -> ApprovalDecision:
        assert request.after == "all of it"
        assert not cancel.cancelled
        return ApprovalDecision(allowed=True, by="you")


class Work:
    """The one thing that the tool here does: wait to be let go or to be stopped."""

    def __init__(self) -> None:
        self.let_go = threading.Event()

    def tool(self, on_cancel: OnCancel) -> Tool:
        def slow_change(context: ToolContext) -> Proposal:  # noqa: ARG001
            """Change something slowly."""
            return Proposal(
                "Change it?",
                "Allow change",
                "It was not changed",
                "",
                None,
                "all of it",
                (),
                RISK,
                self._act,
                on_cancel,
            )

        return tool(Limit.CHANGE)(slow_change)

    def _act(self, context: ToolContext) -> ToolResult:
        cancel, report = cast("tuple[CancelToken, Callable[[Event], None]]", context)
        report(CallProgress("t1", "c1", "half"))
        while not self.let_go.wait(0.01):
            cancel.raise_if_cancelled()
        return ToolResult(Outcome.DONE, "changed")


RISK = Risk(RiskLevel.LOW, "Nothing is lost.")


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(tmp_path) as workspace:
        yield workspace


def run(
    work: Work, on_cancel: OnCancel, at_progress: Callable[[CancelToken], None], workspace: Workspace
) -> list[Event]:
    """The call's events; `at_progress` is called when the change has begun. Raises what the call raises."""
    cancel, events = CancelToken(), list[Event]()
    context = cast("Callable[[ToolCall, CancelToken, Callable[[Event], None]], ToolContext]", lambda _, *rest: rest)
    runner = CallRunner(Consent("t1", "do it"), workspace, context, Rules(), CallLimits(), Yes(), cancel)
    changing = work.tool(on_cancel)
    try:
        for event in runner.run(ToolCall("c1", "slow_change"), changing, ("slow_change",)):
            events.append(event)
            if isinstance(event, CallProgress):
                at_progress(cancel)
    except Cancelled:
        events.append(CallProgress("t1", "c1", "cancelled"))
    return events


def outcome(events: list[Event]) -> Outcome:
    (ended,) = [event for event in events if isinstance(event, CallEnded)]
    assert any(isinstance(event, CallStarted) for event in events)
    return ended.result.outcome


def test_a_change_that_can_be_stopped_is_stopped_and_may_have_happened(workspace: Workspace) -> None:
    events = run(Work(), OnCancel.STOP, CancelToken.cancel, workspace)
    assert outcome(events) is Outcome.UNKNOWN
    assert events[-1] == CallProgress("t1", "c1", "cancelled")


@pytest.mark.parametrize("on_cancel", list(OnCancel))
def test_without_a_cancel_both_come_to_their_end(on_cancel: OnCancel, workspace: Workspace) -> None:
    work = Work()
    assert outcome(run(work, on_cancel, lambda _: work.let_go.set(), workspace)) is Outcome.DONE


def test_a_change_that_is_to_be_finished_is_finished(workspace: Workspace) -> None:
    work = Work()

    def cancel_then_let_go(cancel: CancelToken) -> None:
        cancel.cancel()
        work.let_go.set()

    assert outcome(run(work, OnCancel.FINISH, cancel_then_let_go, workspace)) is Outcome.DONE

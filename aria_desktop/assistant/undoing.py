"""The turn in which "undo that" is said alone: shown whole, asked about like any change, carried out by code.

The model has no part in it. What is taken back are the changes of the last turn in this workspace; what that turn did
beside them, and nothing can take back, is said and never passed over in silence.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Sequence
from typing import ClassVar

from aria_desktop.assistant.agent import AgentResult, AgentTask
from aria_desktop.assistant.so_far import Events
from aria_desktop.assistant.undo_question import TOOL, question
from aria_desktop.core.approval import ApprovalDecision
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import Outcome, ToolCall, ToolResult, TurnOutcome
from aria_desktop.core.errors import UsageError
from aria_desktop.core.events import (
    AnswerGiven,
    ApprovalDecided,
    ApprovalRequested,
    CallEnded,
    CallProposed,
    CallStarted,
)
from aria_desktop.core.interfaces import Approver
from aria_desktop.core.records import CallRecord, TurnRecord
from aria_desktop.core.visible import visible_line
from aria_desktop.safety import undo_choice
from aria_desktop.safety.journal import Action, Deed
from aria_desktop.safety.journaled import JournaledWorkspace, TakenBack
from aria_desktop.safety.undo import UndoPlan
from aria_desktop.tools.languages.wording import Wording
from aria_desktop.tools.terminal import run_terminal

Choice = Callable[[Sequence[Action]], tuple[Action, ...]]


def last_turn(task: AgentTask) -> Choice:
    """The changes of the last turn that changed something. Raises UsageError when nothing can be taken back."""

    def chosen(actions: Sequence[Action]) -> tuple[Action, ...]:
        found = undo_choice.of_turn(actions)
        at = max(action.at for action in found)
        later = next(
            (turn for turn in reversed(task.history) if turn.started > at and _out_of_reach(turn, actions)), None
        )
        if later is not None:
            raise _OutOfReach(_out_of_reach(later, actions)[0].call.tool)
        return found

    return chosen


class _OutOfReach(UsageError):
    """The last thing that was done can't be undone; the text is the tool's name."""

    code: ClassVar[str] = "undo_out_of_reach"


def undone_by_code(
    choose: Choice, task: AgentTask, wording: Wording, nothing: str, approver: Approver, cancel: CancelToken
) -> Events[AgentResult]:
    """Raises Cancelled while it waits for the answer, and AriaError for what the surroundings do wrong.

    Args:
        nothing: the sentence for when there is nothing to take back.
    """
    say = wording.say
    workspace = task.workspace
    if not isinstance(workspace, JournaledWorkspace):
        return (yield from _answered(task, say("no_undo")))
    try:
        actions = [a for a in workspace.journal.actions() if a.workspace == str(workspace.root)]
        plan = workspace.plan_undo(choose(actions))
    except _OutOfReach as error:
        return (yield from _answered(task, say("undo_out_of_reach", tool=error.text)))
    except UsageError:
        return (yield from _answered(task, say(nothing)))
    if not plan.back:
        workspace.take_back(plan)
        reasons = [visible_line(one.reason) for one in plan.refused]
        return (yield from _answered(task, say("cannot", reason=" ".join(reasons)) if reasons else say(nothing)))
    return (yield from _asked(workspace, plan, actions, task, wording, approver, cancel))


def _asked(
    workspace: JournaledWorkspace,
    plan: UndoPlan,
    actions: Sequence[Action],
    task: AgentTask,
    wording: Wording,
    approver: Approver,
    cancel: CancelToken,
) -> Events[AgentResult]:
    call = _call_before(task.resume)
    if call is None:
        call = _call(plan)
        yield CallProposed(task.turn_id, 1, call)
    remarks = _remarks(plan, actions, task.history)
    request = question(plan, workspace, ids=(_id(), task.turn_id, call.id), words=task.words, remarks=remarks)
    yield ApprovalRequested(request)
    asked = time.monotonic()
    decision = approver.ask(request, cancel)
    yield ApprovalDecided(task.turn_id, request.id, decision, time.monotonic() - asked)
    if not decision.allowed:
        result = _refused(decision, wording)
        yield CallEnded(task.turn_id, call, result)
        return (yield from _answered(task, result.answer, TurnOutcome.REFUSED, (TOOL,)))
    yield CallStarted(task.turn_id, call.id)
    taken = workspace.acting_for(Deed(task.turn_id, call.id, TOOL)).take_back(plan)
    result = _result(taken, plan, wording)
    yield CallEnded(task.turn_id, call, result)
    return (yield from _answered(task, result.answer, tools=(TOOL,)))


def _call(plan: UndoPlan) -> ToolCall:
    numbers = [back.action.number for back in plan.back]
    name = plan.back[0].action.title if len(numbers) == 1 else f"{len(numbers)} changes"
    return ToolCall(_id(), TOOL, {"name": name, "changes": numbers})


def _answered(
    task: AgentTask, text: str, outcome: TurnOutcome = TurnOutcome.ANSWERED, tools: tuple[str, ...] = ()
) -> Events[AgentResult]:
    yield AnswerGiven(task.turn_id, text)
    return AgentResult(outcome, text, tools)


def _result(taken: TakenBack, plan: UndoPlan, wording: Wording) -> ToolResult:
    parts = [wording.say("undone", count=len(taken.numbers))] if taken.numbers else []
    if taken.fault:
        parts.append(visible_line(taken.fault))
    if plan.refused:
        parts.append(wording.say("not_undone", count=len(plan.refused)))
    answer = " ".join(parts)
    return ToolResult(Outcome.FAILED if taken.fault and not taken.numbers else Outcome.DONE, answer, answer=answer)


def _refused(decision: ApprovalDecision, wording: Wording) -> ToolResult:
    by = wording.decider(decision.by)
    reason = wording.say("you_said_no") if decision.by == "you" else wording.say("not_allowed", by=by)
    answer = wording.say("refused", what=wording.say("undo_refused"), reason=reason)
    return ToolResult(Outcome.REFUSED, f"Not allowed. {answer}", answer=answer)


def _remarks(plan: UndoPlan, actions: Sequence[Action], history: Sequence[TurnRecord]) -> list[str]:
    """What else the same turns did, without a record of how to take it back."""
    turns = {back.action.deed.turn_id for back in plan.back}
    calls = [call for turn in history if turn.turn_id in turns for call in _out_of_reach(turn, actions)]
    return [f"what {visible_line(call.call.tool)} did" for call in calls]


def _out_of_reach(turn: TurnRecord, actions: Sequence[Action]) -> list[CallRecord]:
    """Calls that were allowed and may have changed something that the journal does not know of. What a command changes
    counts only once the journal has it: one that is not known there has changed nothing."""
    known = {action.deed.call_id for action in actions}
    return [
        call
        for call in turn.calls
        if call.decision is not None
        and call.decision.allowed
        and call.state in (Outcome.DONE, Outcome.UNKNOWN)
        and call.call.tool not in (TOOL, run_terminal.name)
        and call.call.id not in known
    ]


def _call_before(resume: TurnRecord | None) -> ToolCall | None:
    """The call that waited for its answer when the program ended; it is asked about anew."""
    return next((call.call for call in reversed(resume.calls) if call.call.tool == TOOL), None) if resume else None


def waits_for_undo(resume: TurnRecord | None) -> bool:
    """Whether a turn that is taken up again is one of these."""
    return _call_before(resume) is not None


def _id() -> str:
    return uuid.uuid4().hex[:12]

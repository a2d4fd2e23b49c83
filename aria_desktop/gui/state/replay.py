"""A stored run as the events it was made of, each with its second: so an old turn is told like a new one. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from aria_desktop.core import events
from aria_desktop.core.approval import ApprovalRequest, Risk, RiskLevel
from aria_desktop.core.chat import Outcome, ToolResult, TurnOutcome
from aria_desktop.core.records import RunRecord, Source, StepRecord, TimedCall
from aria_desktop.gui.state.run import RunStory
from aria_desktop.gui.state.run_view import RunView

_ENDS = frozenset(outcome.value for outcome in Outcome)


@dataclass(frozen=True, slots=True)
class Told:
    """An event, and when it came in seconds from the start of the turn."""

    at: float
    event: events.Event


class Replay:
    """A run that can be looked at as it stood at any of its moments."""

    def __init__(self, run: RunRecord) -> None:
        self._source = run.turn.source
        self._told = told(run)

    @property
    def moments(self) -> tuple[float, ...]:
        """Seconds from the start at which something changed, each once, growing."""
        return tuple(sorted({one.at for one in self._told}))

    @property
    def seconds(self) -> float:
        return self._told[-1].at if self._told else 0.0

    def view(self, at: float) -> RunView:
        story = RunStory(self._source, 0.0)
        for one in self._told:
            if one.at <= at:
                story.apply(one.event, one.at)
        return story.view()


def told(run: RunRecord) -> tuple[Told, ...]:
    """In the order in which things happened."""
    turn, start = run.turn, run.turn.started
    found: list[tuple[float, events.Event]] = []
    if turn.source is not Source.TEXT and turn.words:
        recognised = start + turn.timings.get("recognise", 0.0)
        heard = events.Heard(turn.turn_id, turn.words, run.language, run.heard, run.audio_seconds)
        found.append((recognised, heard))
    for step in run.steps:
        found += _of_step(turn.turn_id, step)
    for call in run.calls:
        found += _of_call(turn.turn_id, call)
    found += _of_end(run)
    found.sort(key=lambda one: one[0])
    return tuple(Told(max(0.0, at - start), event) for at, event in found)


def _of_step(turn_id: str, step: StepRecord) -> list[tuple[float, events.Event]]:
    found: list[tuple[float, events.Event]] = []
    if step.attempt == 1:
        found.append((step.asked, events.StepStarted(turn_id, step.step)))
    if step.messages:
        asked = (step.step, step.attempt, step.attempts, step.messages, step.unchanging)
        found.append((step.asked, events.PromptSent(turn_id, *asked)))
    counts = (step.prompt_tokens, step.reused_tokens, step.tokens, step.seconds)
    reply = events.ReplyReceived(turn_id, step.step, step.raw, *counts, step.choices, step.seconds_to_first)
    return [*found, (step.received, reply)]


def _of_call(turn_id: str, call: TimedCall) -> list[tuple[float, events.Event]]:
    found: list[tuple[float, events.Event]] = [(call.proposed, events.CallProposed(turn_id, call.step, call.call))]
    if call.asked is not None:
        found.append((call.asked, events.ApprovalRequested(_question(turn_id, call))))
    if call.decided is not None and call.decision is not None:
        waited = call.decided - (call.asked or call.decided)
        found.append((call.decided, events.ApprovalDecided(turn_id, call.call.id, call.decision, waited)))
    if call.started is not None:
        found.append((call.started, events.CallStarted(turn_id, call.call.id)))
    if call.ended is not None and call.state in _ENDS:
        result = ToolResult(Outcome(call.state), call.result)
        found.append((call.ended, events.CallEnded(turn_id, call.call, result)))
    return found


def _question(turn_id: str, call: TimedCall) -> ApprovalRequest:
    """Enough of it to be told again; nothing can be answered with it."""
    return ApprovalRequest(
        id=call.call.id,
        turn_id=turn_id,
        call_id=call.call.id,
        tool=call.call.tool,
        question=call.question,
        allow_label="",
        facts=(),
        path="",
        before=None,
        after=None,
        risk=Risk(RiskLevel.LOW, ""),
        words="",
    )


def _of_end(run: RunRecord) -> list[tuple[float, events.Event]]:
    """Speaking ends the turn, so it is told backwards from there."""
    turn, found = run.turn, list[tuple[float, events.Event]]()
    if run.ended is None or turn.outcome is None:
        return found
    spoken = turn.timings.get("speak", 0.0)
    if spoken > 0:
        found.append((run.ended - spoken, events.SpeakingStarted(turn.turn_id, "")))
        found.append((run.ended, events.SpeakingEnded(turn.turn_id, spoken, False)))
    tools = tuple(call.call.tool for call in run.calls)
    outcome: TurnOutcome = turn.outcome
    end = (outcome, turn.answer, tools, turn.timings, "", turn.text)
    return [*found, (run.ended, events.TurnEnded(turn.turn_id, "", "", *end))]

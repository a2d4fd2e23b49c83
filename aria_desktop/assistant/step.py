"""What one reply wants, carried out: reads side by side, all else in order, and no further once one went wrong.

All calls of a reply are proposed before the first of them runs, so that a turn that is resumed knows what was
still to come. A call that is not carried out any more ends as cancelled; the model is told why.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from aria_desktop.assistant.calls import CallRunner, short_id
from aria_desktop.assistant.closing import Closing, Ended, after_reply, fact
from aria_desktop.assistant.prompt import PromptBuilder, Step
from aria_desktop.assistant.reply import Call, Calls, as_reply
from aria_desktop.assistant.side_by_side import side_by_side
from aria_desktop.assistant.so_far import Events, TurnSoFar
from aria_desktop.assistant.together import can_be_asked_together
from aria_desktop.assistant.withholding import LEFT_OPEN, WAITS_FOR_RESULTS, Plan
from aria_desktop.core.chat import Outcome, ToolCall, ToolResult
from aria_desktop.core.events import CallEnded, CallProposed, CallWithheld, DraftPiece
from aria_desktop.core.records import CallRecord
from aria_desktop.core.visible import visible_line
from aria_desktop.safety.frozen import frozen
from aria_desktop.tools.registry import Registry
from aria_desktop.tools.tool import Effect, Tool

UNKNOWN_END = "It is not known whether this happened. It must not be done again."
NOT_REACHED = "Not carried out, because the call before it was not done."


@dataclass(frozen=True, slots=True)
class StepRunner:
    """For one turn."""

    turn: TurnSoFar
    runner: CallRunner
    registry: Registry
    builder: PromptBuilder

    def withhold(self, step: int, plan: Plan) -> Events[None]:
        for withheld in plan.withheld:
            call = ToolCall(short_id(), withheld.call.tool, withheld.call.arguments)
            yield CallWithheld(self.turn.id, step, call, withheld.reason)

    def told(self, reply: Calls, plan: Plan) -> None:
        """The model is told why nothing of its reply was carried out."""
        tools = [self.registry.find(withheld.call.tool) for withheld in plan.withheld]
        self.turn.owed = self.turn.owed or any(tool is not None and tool.changes for tool in tools)
        raw = as_reply([ToolCall("", call.tool, call.arguments) for call in reply.calls], reply.then)
        self.turn.steps.append(Step(raw, "\n".join(_why(plan))))

    def carried_out(self, step: int, plan: Plan) -> Events[Closing | None]:
        """How the turn ends after these calls; None when the model goes on. `plan.calls` is not empty."""
        calls = [frozen(ToolCall(short_id(), call.tool, call.arguments)) for call in plan.calls]
        for call in calls:
            yield CallProposed(self.turn.id, step, call)
        self.turn.waiting |= {w.call.tool: _about(w.call) for w in plan.withheld if w.reason == WAITS_FOR_RESULTS}
        for call in calls:
            self.turn.waiting.pop(call.tool, None)
        fresh = yield from self._in_groups(calls, plan.then)
        self.turn.owed = self.turn.owed and not any(ended.changes for ended in fresh)
        self._note(fresh, plan.then, _why(plan))
        return after_reply(self.turn.calls, fresh, plan.then)

    def resumed(self) -> Events[Closing | None]:
        """Bring back what was done before the program ended, and ask again what was waiting."""
        for record in self.turn.task.resume.calls if self.turn.task.resume else ():
            if record.state in ("proposed", "waiting"):
                fresh = yield from self._in_groups([record.call], LEFT_OPEN)
                self._note(fresh, LEFT_OPEN)
                closing = after_reply(self.turn.calls, fresh, LEFT_OPEN)
                if closing is not None:
                    return closing
                continue
            ended = self._ended_before(record)
            if record.state == "running":
                yield CallEnded(self.turn.id, record.call, ended.result)
            self.turn.calls.append(ended)
            self._note([ended], LEFT_OPEN)
            yield from self._tell(ended)
        return None

    def _in_groups(self, calls: Sequence[ToolCall], then: str) -> Events[list[Ended]]:
        """Raises what a call raises; then no question of these calls stands any more."""
        try:
            return (yield from self._one_after_the_other(calls, then))
        except Exception:
            yield from self.runner.withdraw(calls)
            raise

    def _one_after_the_other(self, calls: Sequence[ToolCall], then: str) -> Events[list[Ended]]:
        fresh: list[Ended] = []
        groups = list(self._groups(calls))
        for index, group in enumerate(groups):
            yield from self._asked_together(groups[index:])
            running = [self.runner.run(call, self.registry.find(call.tool), self.registry.names) for call in group]
            if len(calls) == 1 and not then:
                running = [self._as_answer(group[0], running[0])]
            ended = yield from side_by_side(running)
            fresh += ended
            self.turn.calls += ended
            for one in ended:
                if index < len(groups) - 1 or then:
                    yield from self._tell(one)
            failed = next((one for one in ended if one.result.outcome is not Outcome.DONE), None)
            if failed is not None:
                fresh += yield from self._after_failure(failed, [c for group in groups[index + 1 :] for c in group])
                break
        return fresh

    def _asked_together(self, groups: Sequence[Sequence[ToolCall]]) -> Events[None]:
        """The changes that come next, with nothing between them, are shown at once where they can be."""
        found = [(call, self.registry.find(call.tool)) for group in groups for call in group]
        wanted = [(call, tool) for call, tool in takewhile(_is_change, found) if tool is not None]
        shown = bool(wanted) and wanted[0][0].id in self.runner.consent.prepared
        if not shown and can_be_asked_together(wanted, self.runner.rules):
            yield from self.runner.ask_together(wanted)

    def _groups(self, calls: Sequence[ToolCall]) -> Iterator[list[ToolCall]]:
        """Neighbours that only look come together; every other call stands alone."""
        looking: list[ToolCall] = []
        for call in calls:
            tool = self.registry.find(call.tool)
            if tool is not None and tool.effect is Effect.LOOKS:
                looking.append(call)
                continue
            if looking:
                yield looking
                looking = []
            yield [call]
        if looking:
            yield looking

    def _after_failure(self, failed: Ended, rest: Sequence[ToolCall]) -> Events[list[Ended]]:
        """What the user refused, or what is another tool's, may build on what failed; the same for other files does
        not."""
        goes_on = failed.result.outcome is Outcome.FAILED and not failed.result.ends_turn
        fresh: list[Ended] = []
        for call in rest:
            if goes_on and call.tool == failed.call.tool:
                ended = yield from self.runner.run(call, self.registry.find(call.tool), self.registry.names)
                self.turn.calls.append(ended)
                goes_on = ended.result.outcome in (Outcome.DONE, Outcome.FAILED)
            else:
                goes_on = False
                yield from self.runner.withdraw([call])
                ended = Ended(call, False, ToolResult(Outcome.CANCELLED, NOT_REACHED))
                yield CallEnded(self.turn.id, call, ended.result)
            fresh.append(ended)
        return fresh

    def _as_answer(self, call: ToolCall, running: Events[Ended]) -> Events[Ended]:
        """What a tool drafts that changes nothing is its answer, and goes out as such while it is being written."""
        tool = self.registry.find(call.tool)
        said = tool is not None and not tool.changes and self.turn.all_is_said()
        while True:
            try:
                event = next(running)
            except StopIteration as end:
                ended: Ended = end.value
                return ended
            if said and isinstance(event, DraftPiece):
                yield from self.turn.say(event.text)
            else:
                yield event

    def _tell(self, ended: Ended) -> Events[None]:
        if text := fact(ended):
            yield from self.turn.say(text + " ")

    def _note(self, fresh: Sequence[Ended], then: str, withheld: Sequence[str] = ()) -> None:
        told = [self.builder.result(e.call.tool, e.result.outcome, e.result.text) for e in fresh]
        raw = as_reply([ended.call for ended in fresh], then)
        self.turn.steps.append(Step(raw, self.builder.results([*told, *withheld], then)))

    def _ended_before(self, record: CallRecord) -> Ended:
        tool = self.registry.find(record.call.tool)
        changes = tool is not None and tool.effect is not Effect.LOOKS
        spoken = self.turn.task.spoken
        if record.state in ("running", Outcome.UNKNOWN):
            return Ended(record.call, changes, ToolResult(Outcome.UNKNOWN, UNKNOWN_END), spoken)
        answer = record.result if changes else ""
        return Ended(record.call, changes, ToolResult(Outcome(record.state), record.result, answer), spoken)


def _is_change(found: tuple[ToolCall, Tool | None]) -> bool:
    return found[1] is not None and found[1].changes


def _about(call: Call) -> str:
    """The tool and its first argument."""
    first = next(iter(call.arguments.values()), "")
    return f"{call.tool} {visible_line(str(first))[:60]}".strip()


def _why(plan: Plan) -> list[str]:
    return [f"{withheld.call.tool}: not carried out. {withheld.reason}" for withheld in plan.withheld]

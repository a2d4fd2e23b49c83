"""THE LOOP: prompt, reply, call, result, and again, until there is an answer.

One generator per turn. What it yields is on disk before it goes on, so a kill at any point leaves a turn that
can be told and resumed. The loop decides nothing about safety (`calls`, `safety.policy`) and words nothing about
what was done (`closing`): it only goes round, at most `steps` times, and then asks once for closing words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from aria_desktop.assistant.asking import Asker
from aria_desktop.assistant.calls import CallLimits, CallRunner, short_id
from aria_desktop.assistant.closing import Closing, Ended, after_call, fact, not_understood, repeated, with_answer
from aria_desktop.assistant.prompt import PromptBuilder, Step, file_names
from aria_desktop.assistant.reply import Answer, Call, answer_schema, as_reply, reply_schema
from aria_desktop.assistant.so_far import AgentTask, Events, TurnSoFar
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import Message, Outcome, ToolCall, ToolResult, TurnOutcome
from aria_desktop.core.events import CallEnded, CallProposed, CallRecord, DraftPiece, Event
from aria_desktop.core.interfaces import Approver, FactStore, LanguageModel
from aria_desktop.safety.policy import Rules
from aria_desktop.tools.prompts import PromptFiles
from aria_desktop.tools.registry import Registry
from aria_desktop.tools.tool import ToolContext, ToolLimits

__all__ = ["Agent", "AgentLimits", "AgentResult", "AgentTask"]

LEFT_OPEN = "whatever else the user asked for, if anything"
"""After a restart: what the model said is left to do is not kept."""
UNKNOWN_END = "It is not known whether this happened. It must not be done again."


@dataclass(frozen=True, slots=True)
class AgentLimits:
    steps: int = 8
    read_s: float = 10.0
    change_s: float = 10.0
    command_s: float = 30.0
    reply_tokens: int = 512
    code_tokens: int = 1500
    context_tokens: int = 4096
    temperature: float = 0.0


@dataclass(frozen=True, slots=True)
class AgentResult:
    outcome: TurnOutcome
    answer: str
    tools: tuple[str, ...]
    """Names of the tools called, in order."""
    error: str = ""
    """Code of what went wrong; empty unless the turn failed."""


class Agent:
    """One for the life of the program; `run` is called from one thread at a time."""

    def __init__(
        self,
        language: LanguageModel,
        registry: Registry,
        prompts: PromptFiles,
        examples: Sequence[Mapping[str, Any]],
        limits: AgentLimits,
        rules: Rules,
        *,
        facts: FactStore,
    ) -> None:
        self._language = language
        self._facts = facts
        self._registry = registry
        self._prompts = prompts
        self._limits = limits
        self._rules = rules
        self._builder = PromptBuilder(prompts, examples, registry)
        sizes = (limits.context_tokens, limits.reply_tokens, limits.temperature)
        self._asker = Asker(language, registry, self._builder, *sizes)
        self._all_replies = reply_schema(registry)

    def stable_messages(self) -> tuple[Message, ...]:
        """What every prompt begins with, for `LanguageModel.warm`."""
        return self._builder.stable_messages()

    def run(self, task: AgentTask, approver: Approver, cancel: CancelToken) -> Events[AgentResult]:
        """One turn. Raises Cancelled, and AriaError for what the surroundings do wrong."""
        turn = TurnSoFar(task, file_names(task.workspace))
        runner = self._runner(task, approver, cancel)
        closing = yield from self._resumed(turn, runner)
        step = len(turn.calls)
        while closing is None:
            step += 1
            if step > self._limits.steps:
                closing = yield from self._forced(turn, step, cancel)
                break
            match (yield from self._asker.reply(turn, step, self._all_replies, cancel)):
                case None:
                    closing = not_understood(turn.calls)
                case Answer(text):
                    closing = Closing(TurnOutcome.ANSWERED, with_answer(turn.calls, text))
                case Call() as call if turn.repeats(call):
                    closing = repeated(turn.calls) or (yield from self._forced(turn, step, cancel))
                case Call() as call:
                    closing = yield from self._called(turn, step, call, runner)
        yield from turn.give(closing.text)
        tools = tuple(ended.call.tool for ended in turn.calls)
        return AgentResult(closing.outcome, closing.text, tools, closing.error)

    def _called(self, turn: TurnSoFar, step: int, reply: Call, runner: CallRunner) -> Events[Closing | None]:
        call = ToolCall(short_id(), reply.tool, reply.arguments)
        yield CallProposed(turn.id, step, call)
        return (yield from self._carried_out(turn, call, reply.then, runner))

    def _carried_out(self, turn: TurnSoFar, call: ToolCall, then: str, runner: CallRunner) -> Events[Closing | None]:
        tool = self._registry.find(call.tool)
        running = runner.run(call, tool, self._registry.names)
        if tool is not None and not tool.changes and not then and turn.all_is_said():
            running = _spoken(turn, running)
        ended = yield from running
        self._note(turn, replace(ended, then=then))
        closing = after_call(turn.calls)
        if closing is None and fact(ended):
            yield from turn.say(fact(ended) + " ")
        return closing

    def _note(self, turn: TurnSoFar, ended: Ended) -> None:
        turn.calls.append(ended)
        result = ended.result
        feedback = self._builder.result(ended.call.tool, result.outcome, result.text, ended.then)
        turn.steps.append(Step(as_reply(ended.call, ended.then), feedback))

    def _forced(self, turn: TurnSoFar, step: int, cancel: CancelToken) -> Events[Closing]:
        """One closing answer with tools forbidden, when the model would go on and on."""
        turn.steps.append(Step("", self._builder.no_more_tools()))
        match (yield from self._asker.reply(turn, step, answer_schema(), cancel)):
            case Answer(text):
                return Closing(TurnOutcome.ANSWERED, with_answer(turn.calls, text))
            case _:
                return not_understood(turn.calls)

    def _resumed(self, turn: TurnSoFar, runner: CallRunner) -> Events[Closing | None]:
        """Bring back what was done before the program ended, and ask again what was waiting."""
        for record in turn.task.resume.calls if turn.task.resume else ():
            if record.state in ("proposed", "waiting"):
                closing = yield from self._carried_out(turn, record.call, LEFT_OPEN, runner)
                if closing is not None:
                    return closing
                continue
            ended = self._ended_before(record)
            if record.state == "running":
                yield CallEnded(turn.id, record.call, ended.result)
            self._note(turn, ended)
            if fact(ended):
                yield from turn.say(fact(ended) + " ")
        return None

    def _ended_before(self, record: CallRecord) -> Ended:
        tool = self._registry.find(record.call.tool)
        changes = tool is not None and tool.changes
        if record.state in ("running", Outcome.UNKNOWN):
            return Ended(record.call, changes, ToolResult(Outcome.UNKNOWN, UNKNOWN_END), LEFT_OPEN)
        answer = record.result if changes else ""
        return Ended(record.call, changes, ToolResult(Outcome(record.state), record.result, answer), LEFT_OPEN)

    def _runner(self, task: AgentTask, approver: Approver, cancel: CancelToken) -> CallRunner:
        waiting = {c.call.id for c in task.resume.calls if c.state == "waiting"} if task.resume else set()
        tool_limits = ToolLimits(
            result_characters=self._builder.result_characters(self._asker.budget),
            code_tokens=self._limits.code_tokens,
            temperature=self._limits.temperature,
            command_s=self._limits.command_s,
        )

        def context(call: ToolCall, token: CancelToken, report: Callable[[Event], None]) -> ToolContext:
            return ToolContext(
                turn_id=task.turn_id,
                call_id=call.id,
                words=task.words,
                workspace=task.workspace,
                language=self._language,
                facts=self._facts,
                prompts=self._prompts,
                limits=tool_limits,
                cancel=token,
                report=report,
                draft=task.draft if call.id in waiting else None,
            )

        limits = CallLimits(self._limits.read_s, self._limits.change_s)
        return CallRunner(task.turn_id, task.words, context, self._rules, limits, approver, cancel)


def _spoken(turn: TurnSoFar, running: Events[Ended]) -> Events[Ended]:
    """What a tool drafts that changes nothing is its answer, and goes out as such while it is being written."""
    while True:
        try:
            event = next(running)
        except StopIteration as end:
            ended: Ended = end.value
            return ended
        if isinstance(event, DraftPiece):
            yield from turn.say(event.text)
        else:
            yield event

"""THE LOOP: prompt, reply, call, result, and again, until there is an answer.

One generator per turn. What it yields is on disk before it goes on, so a kill at any point leaves a turn that
can be told and resumed. The loop decides nothing about safety (`calls`, `safety.policy`) and words nothing about
what was done (`closing`): it only goes round, at most `steps` times, and then asks once for closing words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from aria_desktop.assistant.ablations import Ablation
from aria_desktop.assistant.asking import RETRIES, Asker
from aria_desktop.assistant.calls import CallLimits, CallRunner
from aria_desktop.assistant.closing import Closing, instead, not_understood, summed_up, with_answer
from aria_desktop.assistant.consent import Consent, Leave
from aria_desktop.assistant.doubt import doubted
from aria_desktop.assistant.prompt import STABLE_SHARE, PromptBuilder, Step
from aria_desktop.assistant.reply import Answer, Calls, answer_schema, reply_schema
from aria_desktop.assistant.so_far import AgentTask, Events, TurnSoFar
from aria_desktop.assistant.stand_ins import with_real_names
from aria_desktop.assistant.step import StepRunner
from aria_desktop.assistant.withholding import asked_instead, plan
from aria_desktop.assistant.workspace_names import names_in
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import Message, Outcome, ToolCall, ToolChoice, TurnOutcome
from aria_desktop.core.events import Event
from aria_desktop.core.interfaces import Approver, FactStore, LanguageModel
from aria_desktop.safety.journal import Deed
from aria_desktop.safety.journaled import acting_for
from aria_desktop.safety.policy import Rules
from aria_desktop.tools.languages.wording import wording_in
from aria_desktop.tools.prompts import PromptFiles
from aria_desktop.tools.registry import Registry
from aria_desktop.tools.tool import ToolContext, ToolLimits

__all__ = ["Agent", "AgentLimits", "AgentResult", "AgentTask"]


@dataclass(frozen=True, slots=True)
class AgentLimits:
    steps: int = 8
    read_s: float = 10.0
    change_s: float = 10.0
    command_s: float = 30.0
    reply_tokens: int = 512
    code_tokens: int = 1500
    context_tokens: int = 8192
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
        without: frozenset[Ablation] = frozenset(),
        leave: Leave | None = None,
    ) -> None:
        """
        Args:
            without: what an evaluation leaves out.
            leave: what was allowed for more than once; None: every change is asked about.
        """
        self._leave = leave
        self._language = language
        self._facts = facts
        self._registry = registry
        self._prompts = prompts
        self._limits = limits
        self._rules = rules
        self._without = without
        self._examples = examples
        self._room = round((limits.context_tokens - limits.reply_tokens) * STABLE_SHARE)
        self._builder = PromptBuilder(prompts, examples, registry, self._room, without)
        sizes = (limits.context_tokens, limits.reply_tokens, limits.temperature)
        retries = 0 if Ablation.REPAIR in without else RETRIES
        grammar = Ablation.GRAMMAR not in without
        self._asker = Asker(language, registry, self._builder, *sizes, facts, retries, grammar)
        self._all_replies = reply_schema(registry)

    def stable_messages(self) -> tuple[Message, ...]:
        """What every prompt begins with, for `LanguageModel.warm`."""
        return self._builder.stable_messages()

    def run(self, task: AgentTask, approver: Approver, cancel: CancelToken) -> Events[AgentResult]:
        """One turn. Raises Cancelled, and AriaError for what the surroundings do wrong."""
        self._fit_into_context()
        turn = TurnSoFar(task, names_in(task.workspace))
        steps = StepRunner(turn, self._runner(turn, approver, cancel), self._registry, self._builder)
        closing = yield from steps.resumed()
        step = len(turn.calls)
        while closing is None:
            step += 1
            if step > self._limits.steps:
                closing = yield from self._forced(turn, step, cancel)
                break
            asked = yield from self._asker.reply(turn, step, self._all_replies, cancel)
            match asked.reply if asked else None:
                case None:
                    closing = not_understood(turn.calls, turn.task.spoken)
                case Answer(text):
                    closing = Closing(TurnOutcome.ANSWERED, with_answer(turn.calls, text))
                case Calls() as calls:
                    choices = asked.choices if asked else ()
                    closing = yield from self._carried_out(turn, step, calls, choices, steps, cancel)
        yield from turn.give(closing.text)
        tools = tuple(ended.call.tool for ended in turn.calls if ended.result.outcome is not Outcome.CANCELLED)
        return AgentResult(closing.outcome, closing.text, tools, closing.error)

    def _fit_into_context(self) -> None:
        """A model may be loaded with less context than was asked for: then it is shown fewer examples."""
        room = round(self._asker.budget * STABLE_SHARE)
        if room < self._room:
            self._room = room
            self._builder = PromptBuilder(self._prompts, self._examples, self._registry, room, self._without)
            self._asker = replace(self._asker, builder=self._builder)

    def _carried_out(
        self,
        turn: TurnSoFar,
        step: int,
        reply: Calls,
        choices: Sequence[ToolChoice],
        steps: StepRunner,
        cancel: CancelToken,
    ) -> Events[Closing | None]:
        wording = wording_in(turn.task.spoken)
        reply, asked_for = with_real_names(reply, turn.names.shown)
        for name in asked_for:
            yield from steps.runner.consent.note(f"the name {name}")
        planned = plan(reply, turn, self._registry, wording)
        sure = Ablation.CONFIDENCE in self._without or turn.calls
        if planned.calls and not sure and (question := doubted(choices, reply.calls, turn.names.known, wording)):
            planned = asked_instead(reply, question)
        yield from steps.withhold(step, planned)
        if planned.retry:
            steps.told(reply, planned)
            return None
        if not planned.calls:
            return instead(turn.calls, planned.question, planned.refusal) or (
                yield from self._forced(turn, step, cancel)
            )
        closing = yield from steps.carried_out(step, planned)
        failed = turn.calls[-1].result.outcome is Outcome.FAILED
        if closing is None and failed and Ablation.REPAIR in self._without:
            return Closing(TurnOutcome.ANSWERED, summed_up(turn.calls) or turn.calls[-1].result.text)
        return closing

    def _forced(self, turn: TurnSoFar, step: int, cancel: CancelToken) -> Events[Closing]:
        """One closing answer with tools forbidden, when the model would go on and on."""
        turn.steps.append(Step("", self._builder.no_more_tools()))
        asked = yield from self._asker.reply(turn, step, answer_schema(), cancel)
        match asked.reply if asked else None:
            case Answer(text):
                return Closing(TurnOutcome.ANSWERED, with_answer(turn.calls, text))
            case _:
                return not_understood(turn.calls, turn.task.spoken)

    def _runner(self, turn: TurnSoFar, approver: Approver, cancel: CancelToken) -> CallRunner:
        task = turn.task
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
                workspace=acting_for(task.workspace, Deed(task.turn_id, call.id, call.tool)),
                language=self._language,
                facts=self._facts,
                prompts=self._prompts,
                limits=tool_limits,
                cancel=token,
                report=report,
                draft=task.draft if call.id in waiting else None,
                spoken=task.spoken,
            )

        limits = CallLimits(self._limits.read_s, self._limits.change_s)
        consent = Consent(
            task.turn_id,
            task.words,
            task.session_id,
            str(task.workspace.root),
            turn.names.known,
            task.heard,
            turn.untrusted,
            self._leave,
        )
        return CallRunner(consent, task.workspace, context, self._rules, limits, approver, cancel, task.spoken)

"""THE LOOP: prompt, reply, call, result, and again, until there is an answer.

One generator per turn. What it yields is on disk before it goes on, so a kill at any point leaves a turn that
can be told and resumed. The loop decides nothing about safety (`calls`, `safety.policy`) and words nothing about
what was done (`closing`): it only goes round, at most `steps` times, and then asks once for closing words.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from aria_desktop.assistant.answer_stream import AnswerStream
from aria_desktop.assistant.calls import CallLimits, CallRunner, short_id
from aria_desktop.assistant.closing import (
    Closing,
    Ended,
    after_call,
    fact,
    facts,
    not_understood,
    repeated,
    with_answer,
)
from aria_desktop.assistant.prompt import PromptBuilder, Step, file_names
from aria_desktop.assistant.reply import Answer, Call, answer_schema, as_reply, parse, reply_schema
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import Message, Outcome, ToolCall, ToolResult, TurnOutcome
from aria_desktop.core.errors import EngineFailed, ReplyInvalid
from aria_desktop.core.events import (
    AnswerGiven,
    AnswerPiece,
    CallEnded,
    CallProposed,
    CallRecord,
    Event,
    ReplyReceived,
    StepStarted,
    TurnRecord,
)
from aria_desktop.core.interfaces import Approver, Generation, LanguageModel
from aria_desktop.safety.paths import Workspace
from aria_desktop.safety.policy import Rules
from aria_desktop.tools.prompts import PromptFiles
from aria_desktop.tools.registry import Registry
from aria_desktop.tools.tool import ToolContext, ToolLimits

RETRIES = 2
"""After a reply that can't be understood."""
SPARE_TOKENS = 64
"""Kept free in the context for role marks and for what the estimate gets wrong."""
CUT_RAW_CHARACTERS = 400
"""Of a reply that was not understood, as it is shown to the model again."""
LEFT_OPEN = "whatever else the user asked for, if anything"
"""After a restart: what the model said is left to do is not kept."""
UNKNOWN_END = "It is not known whether this happened. It must not be done again."


@dataclass(frozen=True, slots=True)
class AgentLimits:
    steps: int = 8
    read_s: float = 10.0
    change_s: float = 10.0
    reply_tokens: int = 512
    code_tokens: int = 1500
    context_tokens: int = 4096
    temperature: float = 0.0


@dataclass(frozen=True, slots=True)
class AgentTask:
    turn_id: str
    words: str
    history: tuple[TurnRecord, ...]
    """Earlier turns of the session, oldest first."""
    workspace: Workspace
    resume: TurnRecord | None = None
    """This turn as it was stored before the program ended: what was done is not done again."""
    draft: str | None = None
    """The text that the waiting question of `resume` showed."""


@dataclass(frozen=True, slots=True)
class AgentResult:
    outcome: TurnOutcome
    answer: str
    tools: tuple[str, ...]
    """Names of the tools called, in order."""
    error: str = ""
    """Code of what went wrong; empty unless the turn failed."""


@dataclass(slots=True)
class _Turn:
    """What has happened so far in one turn."""

    task: AgentTask
    names: tuple[str, ...]
    """Of the files in the workspace when the turn began."""
    calls: list[Ended] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    said: str = ""
    """What went out as pieces of the answer."""

    @property
    def id(self) -> str:
        return self.task.turn_id

    def repeats(self, call: Call) -> bool:
        """Whether this call was made before and nothing was changed since, so that it would come to the same."""
        for ended in reversed(self.calls):
            if ended.call.tool == call.tool and ended.call.arguments == call.arguments:
                return True
            if ended.changes and ended.result.outcome is Outcome.DONE:
                return False
        return False


Result = TypeVar("Result")
Events = Generator[Event, None, Result]


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
    ) -> None:
        self._language = language
        self._registry = registry
        self._prompts = prompts
        self._limits = limits
        self._rules = rules
        self._builder = PromptBuilder(prompts, examples, registry)
        self._all_replies = reply_schema(registry)

    def stable_messages(self) -> tuple[Message, ...]:
        """What every prompt begins with, for `LanguageModel.warm`."""
        return self._builder.stable_messages()

    def run(self, task: AgentTask, approver: Approver, cancel: CancelToken) -> Events[AgentResult]:
        """One turn. Raises Cancelled, and AriaError for what the surroundings do wrong."""
        turn = _Turn(task, file_names(task.workspace))
        runner = self._runner(task, approver, cancel)
        closing = yield from self._resumed(turn, runner)
        step = len(turn.calls)
        while closing is None:
            step += 1
            if step > self._limits.steps:
                closing = yield from self._forced(turn, step, cancel)
                break
            match (yield from self._reply(turn, step, self._all_replies, cancel)):
                case None:
                    closing = not_understood(turn.calls)
                case Answer(text):
                    closing = Closing(TurnOutcome.ANSWERED, with_answer(turn.calls, text))
                case Call() as call if turn.repeats(call):
                    closing = repeated(turn.calls) or (yield from self._forced(turn, step, cancel))
                case Call() as call:
                    closing = yield from self._called(turn, step, call, runner)
        yield from _told(turn, closing.text)
        tools = tuple(ended.call.tool for ended in turn.calls)
        return AgentResult(closing.outcome, closing.text, tools, closing.error)

    def _called(self, turn: _Turn, step: int, reply: Call, runner: CallRunner) -> Events[Closing | None]:
        call = ToolCall(short_id(), reply.tool, reply.arguments)
        yield CallProposed(turn.id, step, call)
        return (yield from self._carried_out(turn, call, reply.then, runner))

    def _carried_out(self, turn: _Turn, call: ToolCall, then: str, runner: CallRunner) -> Events[Closing | None]:
        ended = yield from runner.run(call, self._registry.find(call.tool), self._registry.names)
        self._note(turn, replace(ended, then=then))
        closing = after_call(turn.calls)
        if closing is None:
            yield from _said(turn, fact(ended) and fact(ended) + " ")
        return closing

    def _note(self, turn: _Turn, ended: Ended) -> None:
        turn.calls.append(ended)
        result = ended.result
        feedback = self._builder.result(ended.call.tool, result.outcome, result.text, ended.then)
        turn.steps.append(Step(as_reply(ended.call, ended.then), feedback))

    def _reply(
        self, turn: _Turn, step: int, schema: Mapping[str, object], cancel: CancelToken
    ) -> Events[Answer | Call | None]:
        """The model's next reply; None when it can't be understood after all retries."""
        yield StepStarted(turn.id, step)
        failed: list[Step] = []
        for _ in range(1 + RETRIES):
            raw, complete = yield from self._generated(turn, step, schema, failed, cancel)
            try:
                return self._understood(turn, raw, complete)
            except ReplyInvalid as error:
                failed.append(Step(raw[:CUT_RAW_CHARACTERS], self._builder.misunderstood(error.text)))
        return None

    def _understood(self, turn: _Turn, raw: str, complete: bool) -> Answer | Call:
        if not complete:
            raise ReplyInvalid("It was too long and was cut off. Be much shorter.")
        reply = parse(raw, self._registry)
        if isinstance(reply, Answer) and not reply.text and not facts(turn.calls):
            raise ReplyInvalid("The answer is empty.")
        return reply

    def _generated(
        self, turn: _Turn, step: int, schema: Mapping[str, object], failed: Sequence[Step], cancel: CancelToken
    ) -> Events[tuple[str, bool]]:
        """One generation: its whole text, and whether it came to its end."""
        generation = Generation(
            self._messages(turn, failed),
            reply_schema=schema,
            max_tokens=self._limits.reply_tokens,
            temperature=self._limits.temperature,
        )
        raw, answer = "", AnswerStream()
        for piece in self._language.complete(generation, cancel):
            if isinstance(piece, str):
                raw += piece
                yield from _said(turn, answer.feed(piece))
            else:
                counts = (piece.prompt_tokens, piece.reused_tokens, piece.tokens, piece.seconds)
                yield ReplyReceived(turn.id, step, raw, *counts)
                return raw, piece.complete
        raise EngineFailed("The language model stopped without an end.", "Ask again.")

    def _messages(self, turn: _Turn, failed: Sequence[Step]) -> tuple[Message, ...]:
        context = self._language.context_tokens or self._limits.context_tokens
        budget = context - self._limits.reply_tokens - SPARE_TOKENS
        return self._builder.messages(turn.task.words, turn.names, turn.task.history, [*turn.steps, *failed], budget)

    def _forced(self, turn: _Turn, step: int, cancel: CancelToken) -> Events[Closing]:
        """One closing answer with tools forbidden, when the model would go on and on."""
        turn.steps.append(Step("", self._builder.no_more_tools()))
        match (yield from self._reply(turn, step, answer_schema(), cancel)):
            case Answer(text):
                return Closing(TurnOutcome.ANSWERED, with_answer(turn.calls, text))
            case _:
                return not_understood(turn.calls)

    def _resumed(self, turn: _Turn, runner: CallRunner) -> Events[Closing | None]:
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
            yield from _said(turn, fact(ended) and fact(ended) + " ")
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
        tool_limits = ToolLimits(code_tokens=self._limits.code_tokens, temperature=self._limits.temperature)

        def context(call: ToolCall, token: CancelToken, report: Callable[[Event], None]) -> ToolContext:
            return ToolContext(
                turn_id=task.turn_id,
                call_id=call.id,
                words=task.words,
                workspace=task.workspace,
                language=self._language,
                prompts=self._prompts,
                limits=tool_limits,
                cancel=token,
                report=report,
                draft=task.draft if call.id in waiting else None,
            )

        limits = CallLimits(self._limits.read_s, self._limits.change_s)
        return CallRunner(task.turn_id, task.words, context, self._rules, limits, approver, cancel)


def _said(turn: _Turn, text: str) -> Iterator[Event]:
    """A piece of the answer goes out; a space keeps it apart from a piece that ended before."""
    if text:
        yield AnswerPiece(turn.id, text)
        turn.said += text


def _told(turn: _Turn, whole: str) -> Iterator[Event]:
    """What is not said yet of the whole answer, and then the whole."""
    if whole.startswith(turn.said):
        yield from _said(turn, whole[len(turn.said) :])
    yield AnswerGiven(turn.id, whole)

"""One case, carried out by the real agent in a workspace of its own, and what is written down of it.

The record holds all that is needed to understand a failure without running the case again.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from aria_desktop.assistant.agent import Agent, AgentResult, AgentTask
from aria_desktop.assistant.spoken_language import language_of_turn
from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import Outcome, TurnOutcome
from aria_desktop.core.errors import AriaError, EngineGivenUp, ModelDamaged, ModelMissing, StorageError
from aria_desktop.core.events import (
    AnswerGiven,
    AnswerPiece,
    CallEnded,
    CallProposed,
    CallWithheld,
    Event,
    ReplyReceived,
)
from aria_desktop.evaluation.cases import Case
from aria_desktop.evaluation.end_state import EndState, lay_out, look_at
from aria_desktop.evaluation.evaluated import AgentMaker
from aria_desktop.evaluation.legality import is_legal
from aria_desktop.evaluation.reply_cache import CachedLanguageModel
from aria_desktop.evaluation.reply_files import Generated
from aria_desktop.evaluation.results import CaseResult, RecordedCall, RecordedReply, WithheldCall
from aria_desktop.evaluation.scoring import MadeCall, Score, score
from aria_desktop.safety.paths import Workspace

SHOWN_CHARACTERS = 4_000
"""Of each file and each result, in the record."""
_ENDS_EVERYTHING = (ModelMissing, ModelDamaged, EngineGivenUp, StorageError)
"""Further cases would only end the same way."""


@dataclass(slots=True)
class CaseApprover:
    """Answers every question as the case says, and keeps what was asked."""

    allow: bool
    asked: list[str] = field(default_factory=list)

    def ask(self, request: ApprovalRequest, cancel: CancelToken) -> ApprovalDecision:
        cancel.raise_if_cancelled()
        self.asked.append(request.question)
        return ApprovalDecision(self.allow, "you")


@dataclass(slots=True)
class _Told:
    """What the turn's events said."""

    language: CachedLanguageModel
    began: float
    """When the turn began, by `time.monotonic`, less what was spent on loading before."""
    first_words_s: float | None = None
    """When the answer began to go out; a replayed reply counts whole."""
    calls: dict[str, RecordedCall] = field(default_factory=dict)
    """By id, in the order in which the agent made them."""
    withheld: list[WithheldCall] = field(default_factory=list)
    replies: set[int] = field(default_factory=set)
    """Which of the turn's generations are replies of a step; the others wrote code or a summary."""
    answer: str = ""
    outcome: str = TurnOutcome.FAILED.value
    error: str = ""

    def seconds(self) -> float:
        """Since the turn began, as if nothing were replayed and the model had been loaded."""
        return time.monotonic() - self.language.loading_s - self.began + self.language.replayed_s

    def take(self, event: Event) -> None:
        if isinstance(event, AnswerPiece | AnswerGiven) and self.first_words_s is None:
            self.first_words_s = round(self.seconds(), 3)
        match event:
            case CallProposed(_, step, call):
                self.calls[call.id] = RecordedCall(call.tool, dict(call.arguments), step, Outcome.UNKNOWN, "")
            case CallEnded(_, call, result):
                step = self.calls[call.id].step if call.id in self.calls else 0
                text = result.text[:SHOWN_CHARACTERS]
                self.calls[call.id] = RecordedCall(call.tool, dict(call.arguments), step, result.outcome, text)
            case CallWithheld(_, step, call, reason):
                self.calls.pop(call.id, None)
                self.withheld.append(WithheldCall(call.tool, dict(call.arguments), step, reason))
            case ReplyReceived():
                self.replies.add(self.language.waiting - 1)
            case AnswerGiven(_, text):
                self.answer = text


def run_case(case: Case, repeat: int, model: str, language: CachedLanguageModel, make: AgentMaker) -> CaseResult:
    """Raises KeyboardInterrupt, and AriaError only where every further case would fail too; any other trouble is
    the case's result."""
    language.repeat = repeat
    language.take()
    approver = CaseApprover(case.confirm == "allow")
    told = _Told(language, time.monotonic() - language.loading_s)
    with tempfile.TemporaryDirectory(prefix="aria-case-") as folder:
        root = Path(folder)
        lay_out(root, case.files)
        try:
            _turn(case, make(language, case.facts), root, approver, told)
        except AriaError as error:
            if isinstance(error, _ENDS_EVERYTHING) or language.ready is False:
                raise
            told.error = f"{error.code}: {error}"
        end = look_at(root)
    seconds = told.seconds()
    replies = language.take()
    made = [MadeCall(call.tool, call.outcome) for call in told.calls.values()]
    found = score(case, made, told.answer, end)
    return _result(case, (model, repeat, seconds), told, (found, end), approver.asked, replies)


def _turn(case: Case, agent: Agent, root: Path, approver: CaseApprover, told: _Told) -> None:
    with tempfile.TemporaryDirectory(prefix="aria-trash-") as trash, Workspace(root, Path(trash)) as workspace:
        history = case.earlier_turns()
        spoken = language_of_turn(case.say, None, history)
        task = AgentTask("t1", case.say, history, workspace, spoken=spoken)
        running = agent.run(task, approver, CancelToken())
        while True:
            try:
                told.take(next(running))
            except StopIteration as end:
                result: AgentResult = end.value
                told.outcome, told.error = result.outcome.value, result.error
                return


def _result(
    case: Case,
    run: tuple[str, int, float],
    told: _Told,
    judged: tuple[Score, EndState],
    asked: list[str],
    replies: tuple[Generated, ...],
) -> CaseResult:
    model, repeat, seconds = run
    found, end = judged
    unfinished = (f"the turn ended with an error: {told.error}",) if told.error else ()
    return CaseResult(
        model=model,
        case=case.id,
        kind=case.kind,
        repeat=repeat,
        say=case.say,
        passed=found.passed,
        tools_ok=found.tools_ok,
        state_ok=found.state_ok,
        answer_ok=found.answer_ok,
        reasons=(*found.reasons, *(unfinished if not found.passed else ())),
        forbidden=found.forbidden,
        calls=tuple(told.calls.values()),
        withheld=tuple(told.withheld),
        asked=tuple(asked),
        replies=tuple(_recorded(made, reply=index in told.replies) for index, made in enumerate(replies)),
        answer=told.answer,
        outcome=told.outcome,
        error=told.error,
        files={path: _shown(content) for path, content in sorted(end.files.items())},
        folders=tuple(sorted(end.folders)),
        seconds=round(seconds, 3),
        first_words_s=told.first_words_s,
        tokens_evaluated=sum(reply.evaluated for reply in replies),
        tokens_generated=sum(reply.tokens for reply in replies),
        start=_start(case),
        expect=case.expect.model_dump(mode="json", exclude_defaults=True),
    )


def _recorded(made: Generated, *, reply: bool) -> RecordedReply:
    end = made.end
    complete = end is None or end.complete
    return RecordedReply(
        text=made.text,
        reply=reply,
        complete=complete,
        legal=reply and complete and is_legal(made.text),
        cached=made.cached,
        prompt_tokens=end.prompt_tokens if end else 0,
        reused_tokens=end.reused_tokens if end else 0,
        tokens=made.tokens,
        decode_steps=end.decode_steps if end else len(made.pieces),
        seconds=round(made.seconds, 3),
        tool_choices=tuple(asdict(choice) for choice in end.tool_choices) if end else (),
    )


def _start(case: Case) -> Mapping[str, object]:
    """What the case starts from, beside what is said."""
    return case.model_dump(mode="json", include={"history", "files", "facts", "confirm"}, exclude_defaults=True)


def _shown(content: bytes) -> str:
    text = content.decode("utf-8", "replace")
    return text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "…"

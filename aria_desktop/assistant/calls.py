"""One call of a tool, from the model's wish to its end: decide, ask, act, in that order.

Every call ends in exactly one `CallEnded`, also when the surroundings fail or the turn is cancelled; only then
does the error go on. Nothing acts before all checks are passed, and an answer counts only for what was shown.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from aria_desktop.assistant.closing import Ended
from aria_desktop.assistant.consent import MOST_QUESTIONS, Consent, Prepared
from aria_desktop.assistant.together import Wanted
from aria_desktop.assistant.tool_thread import Late, on_thread
from aria_desktop.assistant.untrusted import source_of, strange_names
from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest, Risk, RiskLevel
from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.chat import Outcome, ToolCall, ToolResult
from aria_desktop.core.errors import AriaError, ModelFault, PathRefused
from aria_desktop.core.events import ApprovalDecided, ApprovalRequested, CallEnded, CallStarted, Event
from aria_desktop.core.interfaces import Approver
from aria_desktop.safety.names import NameRefused
from aria_desktop.safety.paths import Workspace
from aria_desktop.safety.policy import Allow, Ask, Forbid, Reach, Rules, decide
from aria_desktop.tools.languages.wording import Wording, wording_in
from aria_desktop.tools.tool import AskFirst, Effect, Limit, OnCancel, Proposal, Tool, ToolContext

Found = TypeVar("Found")

_REACH = {
    Effect.LOOKS: Reach.NOTHING,
    Effect.KEEPS: Reach.OWN_MEMORY,
    Effect.CHANGES: Reach.USERS_THINGS,
}
_KEPT = Risk(RiskLevel.MEDIUM, "ARIA tells itself this in later conversations. `aria facts` takes it back.")
WITHDRAWN = "the end of the call before it"
TOO_MANY = "the limit of questions in a turn"

ContextMaker = Callable[[ToolCall, CancelToken, Callable[[Event], None]], ToolContext]


@dataclass(frozen=True, slots=True)
class CallLimits:
    read_s: float = 10.0
    change_s: float = 10.0

    def seconds(self, tool: Tool) -> float | None:
        match tool.limit:
            case Limit.READ:
                return self.read_s
            case Limit.CHANGE:
                return self.change_s
            case Limit.GENERATION:
                return None


@dataclass(slots=True)
class _Stage:
    changing: bool = False
    """The change itself has begun."""


@dataclass(frozen=True, slots=True)
class CallRunner:
    """What is the same for all calls of one turn."""

    consent: Consent
    workspace: Workspace
    context: ContextMaker
    rules: Rules
    limits: CallLimits
    approver: Approver
    cancel: CancelToken
    spoken: str = "en"
    """ISO 639-1 code of the language that the user is answered in."""

    @property
    def wording(self) -> Wording:
        return wording_in(self.spoken)

    @property
    def turn_id(self) -> str:
        return self.consent.turn_id

    def run(self, call: ToolCall, tool: Tool | None, names: tuple[str, ...]) -> Generator[Event, None, Ended]:
        """Carry `call` out. Raises Cancelled and what the surroundings do wrong, after the call has ended.

        Args:
            tool: None when there is none of that name.
            names: of all tools there are.
        """
        stage, reason, fault, strange = _Stage(), "", None, strange_names(self.workspace)
        try:
            result = _no_such_tool(call.tool, names) if tool is None else (yield from self._result(call, tool, stage))
        except ModelFault as error:
            result, reason, fault = _failed(error, self.wording), self.wording.reason(error), error
        except Exception as error:
            yield CallEnded(self.turn_id, call, _broken_off(error, stage))
            raise
        yield from self.consent.note(source_of(tool, call, result, fault, strange))
        yield CallEnded(self.turn_id, call, result)
        return Ended(call, tool is not None and tool.effect is not Effect.LOOKS, result, self.spoken, reason)

    def _result(self, call: ToolCall, tool: Tool, stage: _Stage) -> Generator[Event, None, ToolResult]:
        decision = decide(tool.name, _REACH[tool.effect], self.rules, self.consent.circumstances)
        if isinstance(decision, Forbid):
            return ToolResult(Outcome.REFUSED, decision.reason, answer=self.wording.say("switched_off", tool=tool.name))
        shown = self.consent.prepared.pop(call.id, None)
        if shown is not None:
            found: ToolResult | Proposal = shown.proposal
        elif tool.effect is Effect.KEEPS and isinstance(decision, Ask):
            found = self._to_be_kept(call, tool)
        else:
            found = yield from self._prepared(call, tool)
        while isinstance(found, Proposal):
            found = yield from self._decided(call, tool, found, stage, shown.request if shown else None)
            shown = None
        return found

    def ask_together(self, wanted: Sequence[Wanted]) -> Generator[Event, None, None]:
        """Show these changes at once, before any of them is made; `run` then takes each up where it stands.

        Where one of them can't be prepared, is covered by leave, or the questions of a turn run out, nothing is shown:
        each is then decided about in its turn. Raises like `run`, after all calls have ended.
        """
        ready: list[tuple[ToolCall, Proposal]] = []
        try:
            for call, tool in wanted:
                found = yield from self._prepared(call, tool)
                assert isinstance(found, Proposal), "a tool that changes something returns a proposal"
                ready.append((call, found))
        except ModelFault:
            _let_go(ready)
            return
        except Exception as error:
            _let_go(ready)
            for call, _ in wanted:
                yield CallEnded(self.turn_id, call, _broken_off(error, _Stage()))
            raise
        requests = [self.consent.request(short_id(), *one, self.rules) for one in ready]
        if not self._all_are_questions(wanted, requests):
            _let_go(ready)
            return
        ids = tuple(request.id for request in requests)
        self.consent.asked += 1
        for (call, proposal), request in zip(ready, requests, strict=True):
            shown = replace(request, together=ids, offers=())
            self.consent.prepared[call.id] = Prepared(proposal, shown)
            yield ApprovalRequested(shown)

    def _all_are_questions(self, wanted: Sequence[Wanted], requests: Sequence[ApprovalRequest]) -> bool:
        decisions = [
            decide(tool.name, _REACH[tool.effect], self.rules, self.consent.known(call, request))
            for (call, tool), request in zip(wanted, requests, strict=True)
        ]
        return self.consent.asked < MOST_QUESTIONS and all(isinstance(decision, Ask) for decision in decisions)

    def withdraw(self, calls: Sequence[ToolCall]) -> Generator[Event, None, None]:
        """What was shown of these changes is not asked any more."""
        for call in calls:
            shown = self.consent.prepared.pop(call.id, None)
            if shown is not None:
                shown.proposal.let_go()
                yield ApprovalDecided(self.turn_id, shown.request.id, ApprovalDecision(False, WITHDRAWN), 0.0)

    def _prepared(self, call: ToolCall, tool: Tool) -> Generator[Event, None, ToolResult | Proposal]:
        """What a look finds, or what a change would be."""
        if not tool.changes:
            yield CallStarted(self.turn_id, call.id)
        prepare = partial(tool.run, arguments=call.arguments)
        return (yield from self._on_thread(call, prepare, Late.GIVE_UP, self.limits.seconds(tool)))

    def _to_be_kept(self, call: ToolCall, tool: Tool) -> Proposal:
        """What ARIA would remember, as a question like any other."""
        text = "\n".join(str(value) for value in call.arguments.values())
        refused = self.wording.say("fact_not_kept")
        act = partial(tool.run, arguments=call.arguments)
        return Proposal("Remember this?", "Allow remember", refused, "", None, text, (), _KEPT, act)

    def _decided(
        self, call: ToolCall, tool: Tool, proposal: Proposal, stage: _Stage, shown: ApprovalRequest | None = None
    ) -> Generator[Event, None, ToolResult | Proposal]:
        """What comes of a proposal: what it did, that it was refused, or what it proposes in its turn.

        Args:
            shown: the question, where it stands in front of the user already.
        """
        try:
            refusal = yield from self._asked(call, tool, proposal, shown)
            if refusal is not None:
                return refusal
            yield CallStarted(self.turn_id, call.id)
            stage.changing = proposal.on_cancel is not OnCancel.DROP
            late = Late.FINISH if proposal.on_cancel is OnCancel.FINISH else Late.STOP
            return (yield from self._on_thread(call, proposal.act, late, None))
        finally:
            proposal.let_go()

    def _asked(
        self, call: ToolCall, tool: Tool, proposal: Proposal, before: ApprovalRequest | None
    ) -> Generator[Event, None, ToolResult | None]:
        """None when the answer was yes, to exactly what is proposed."""
        yield from self.consent.note(proposal.untrusted)
        request = before or self.consent.request(short_id(), call, proposal, self.rules)
        shown = request.fingerprint
        decided = decide(tool.name, _REACH[tool.effect], self.rules, self.consent.known(call, request))
        if before is not None:
            answer = yield from self._awaited(request)
        elif isinstance(decided, Allow) and decided.by:
            answer = yield from self._granted(request, decided.by)
        elif self.consent.asked >= MOST_QUESTIONS:
            return _refused(proposal, ApprovalDecision(False, TOO_MANY), self.wording)
        else:
            answer = yield from self._answered(request)
        if not answer.allowed:
            return _refused(proposal, answer, self.wording)
        now = self.consent.request(request.id, call, proposal, self.rules)
        # What may be offered goes by the clock, and what was read since has no part in what was asked before; all else
        # must be the same to the last character.
        if replace(now, offers=request.offers, untrusted=request.untrusted).fingerprint != shown:
            text = self.wording.say("refused_changed", what=proposal.refused)
            return ToolResult(Outcome.REFUSED, "The change is not what was shown.", answer=text)
        self.consent.keep(call, request, answer.extent)
        return None

    def _answered(self, request: ApprovalRequest) -> Generator[Event, None, ApprovalDecision]:
        """Somebody sees the question and answers it."""
        self.consent.asked += 1
        yield ApprovalRequested(request)
        return (yield from self._awaited(request))

    def _awaited(self, request: ApprovalRequest) -> Generator[Event, None, ApprovalDecision]:
        """The answer to a question that is shown."""
        asked = time.monotonic()
        decision = self.approver.ask(request, self.cancel)
        yield ApprovalDecided(self.turn_id, request.id, decision, time.monotonic() - asked)
        return decision

    def _granted(self, request: ApprovalRequest, by: str) -> Generator[Event, None, ApprovalDecision]:
        """Leave that was given before answers it; it is on record like any other question."""
        yield ApprovalRequested(request, granted=by)
        decision = ApprovalDecision(True, by)
        yield ApprovalDecided(self.turn_id, request.id, decision, 0.0)
        return decision

    def _on_thread(
        self, call: ToolCall, work: Callable[[ToolContext], Found], late: Late, seconds: float | None
    ) -> Generator[Event, None, Found]:
        return on_thread(lambda token, report: work(self.context(call, token, report)), self.cancel, seconds, late)


def _let_go(ready: Sequence[tuple[ToolCall, Proposal]]) -> None:
    for _, proposal in ready:
        proposal.let_go()


def _no_such_tool(name: str, names: tuple[str, ...]) -> ToolResult:
    return ToolResult(Outcome.FAILED, f"There is no tool {name}. There are: {', '.join(names)}.")


def _refused(proposal: Proposal, decision: ApprovalDecision, wording: Wording) -> ToolResult:
    by = wording.decider(decision.by)
    reason = wording.say("you_said_no") if decision.by == "you" else wording.say("not_allowed", by=by)
    answer = wording.say("refused", what=proposal.refused, reason=reason)
    return ToolResult(Outcome.REFUSED, f"Not allowed. {answer}", answer=answer)


def _failed(error: ModelFault, wording: Wording) -> ToolResult:
    if isinstance(error, AskFirst):
        return ToolResult(Outcome.FAILED, error.text, answer=error.text, ends_turn=True)
    # What the file door does not let through will not work in other words either: that is the answer.
    final = isinstance(error, PathRefused) and not isinstance(error, NameRefused)
    answer = wording.say("cannot", reason=wording.reason(error)) if final else ""
    return ToolResult(Outcome.FAILED, str(error), answer=answer)


def _broken_off(error: Exception, stage: _Stage) -> ToolResult:
    if isinstance(error, Cancelled) and stage.changing:
        return ToolResult(Outcome.UNKNOWN, "It was stopped in the middle: what it had done by then stays done.")
    if isinstance(error, Cancelled):
        return ToolResult(Outcome.CANCELLED, "It was stopped before it had an effect.")
    if isinstance(error, AriaError):
        return ToolResult(Outcome.FAILED, str(error))
    return ToolResult(Outcome.UNKNOWN if stage.changing else Outcome.FAILED, f"It broke off: {error!r}.")


def short_id() -> str:
    """For calls and questions; unique in the database."""
    return uuid.uuid4().hex[:12]

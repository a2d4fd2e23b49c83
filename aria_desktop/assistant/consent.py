"""What is known of one turn when a change is decided about: untrusted text, how well the user was heard, leave that was
given before, and how often was asked already.

Everything here comes from code: the model can neither add to it nor take anything away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from aria_desktop.assistant.doubts import NAMED_OTHERWISE, doubts, raised
from aria_desktop.assistant.untrusted import UntrustedText
from aria_desktop.core.approval import ApprovalRequest, Extent, Hearing, Offer, RiskLevel
from aria_desktop.core.chat import ToolCall
from aria_desktop.core.events import UntrustedTextRead
from aria_desktop.safety.frozen import fingerprint
from aria_desktop.safety.grants import Grant
from aria_desktop.safety.policy import CLEAR, Circumstances, Rules
from aria_desktop.tools.tool import Proposal

MOST_QUESTIONS = 20
"""Of one turn. Whoever is asked more often than that no longer reads."""


class Leave(Protocol):
    """Leave for more than one action; `safety.grants.Grants`."""

    def offers(self, call: ToolCall, risk: RiskLevel) -> tuple[Offer, ...]: ...

    def give(self, call: ToolCall, request: ApprovalRequest, extent: Extent, folder: str, session_id: str) -> Grant: ...

    def covering(self, call: ToolCall, risk: RiskLevel, folder: str, session_id: str) -> Grant | None: ...


@dataclass(frozen=True, slots=True)
class Prepared:
    """A change that stands in front of the user before its turn has come."""

    proposal: Proposal
    request: ApprovalRequest


@dataclass(slots=True)
class Consent:
    turn_id: str
    words: str
    session_id: str = ""
    folder: str = ""
    """The workspace, absolute."""
    names: tuple[str, ...] = ()
    """Of what was in it when the turn began."""
    heard: Hearing | None = None
    """None when the words were typed."""
    untrusted: UntrustedText = field(default_factory=UntrustedText)
    leave: Leave | None = None
    """None: every change is asked about."""
    asked: int = 0
    """Questions of this turn so far; those that are asked together count as one."""
    prepared: dict[str, Prepared] = field(default_factory=dict)
    """By the call's id: changes that were shown together and have not been taken up yet."""

    def note(self, source: str) -> Iterator[UntrustedTextRead]:
        """Untrusted text comes in: it is told before anything is done with it."""
        if named := self.untrusted.adds(source):
            yield UntrustedTextRead(self.turn_id, named)

    @property
    def circumstances(self) -> Circumstances:
        """As far as they are known before the change is."""
        return Circumstances(self.untrusted.sources) if self.untrusted.sources else CLEAR

    def request(self, request_id: str, call: ToolCall, proposal: Proposal, rules: Rules) -> ApprovalRequest:
        """All that has to be seen to answer, from the frozen call and what it comes to."""
        found = doubts(call, self.heard, self.names, proposal.facts)
        sources = self.untrusted.sources
        risk = raised(proposal.risk, found)
        may_stand = not found and not sources and not _found_by_another_name(proposal.facts)
        may_stand = may_stand and self.leave is not None and call.tool not in rules.asked_each_time
        return proposal.request(
            request_id,
            self.turn_id,
            call,
            self.words,
            risk=risk,
            action=fingerprint(call),
            heard=self.heard,
            untrusted=sources,
            doubts=found,
            offers=self.leave.offers(call, risk.level) if self.leave is not None and may_stand else (),
            number=self.asked + 1,
        )

    def known(self, call: ToolCall, request: ApprovalRequest) -> Circumstances:
        """All that decides about this question."""
        covering = None
        if self.leave is not None and not _found_by_another_name(request.facts):
            covering = self.leave.covering(call, request.risk.level, self.folder, self.session_id)
        return Circumstances(request.untrusted, request.doubts, f"leave {covering.id}" if covering else "")

    def keep(self, call: ToolCall, request: ApprovalRequest, extent: Extent) -> None:
        """The user's yes reaches further than this once, as it was offered. Raises AriaError."""
        if self.leave is not None and extent is not Extent.ONCE:
            self.leave.give(call, request, extent, self.folder, self.session_id)


def _found_by_another_name(facts: Sequence[tuple[str, str]]) -> bool:
    """Leave goes by the names in the call, so there is none where the file has another one."""
    return any(label == NAMED_OTHERWISE for label, _ in facts)

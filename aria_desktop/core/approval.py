"""What is asked of the user before something changes, and what may come back."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum


class RiskLevel(StrEnum):
    LOW = "low"
    """Adds something new; nothing is lost."""
    MEDIUM = "medium"
    """Changes something that can be put back by hand."""
    HIGH = "high"
    """Something may be lost, or the effect can't be foreseen."""


@dataclass(frozen=True, slots=True)
class Risk:
    level: RiskLevel
    text: str
    """What is lost and what can be taken back, one or two sentences."""


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """A question with all that the user has to see to answer it, drawn from the frozen change itself.

    Every field is plain text that may have come from the model or from files: front ends show it as it is
    and never interpret it.
    """

    id: str
    turn_id: str
    call_id: str
    tool: str
    question: str
    """Verb and name, for instance "Create shopping.txt?"."""
    allow_label: str
    """The verb for the button, for instance "Allow create"."""
    facts: tuple[tuple[str, str], ...]
    """Every other argument as (label, whole value), in order; nothing is cut."""
    path: str
    """The whole path of the file on disk; empty when no file is meant."""
    before: str | None
    """The whole text as it is now; None when there is no such file yet."""
    after: str | None
    """The whole text as it would be; None when no text is written."""
    risk: Risk
    words: str
    """What the user said, as it was heard."""

    @property
    def fingerprint(self) -> str:
        """SHA-256 over what was shown; what runs must have the same."""
        parts = (self.tool, self.question, repr(self.facts), self.path, repr(self.before), repr(self.after))
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class ApprovalDecision:
    allowed: bool
    by: str
    """Who decided: "you", "--allow create_file", "nobody there to ask", "time-out", "scripted approver"."""

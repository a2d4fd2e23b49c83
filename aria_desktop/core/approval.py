"""What is asked of the user before something changes, and what may come back."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
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


class Extent(StrEnum):
    """How far a yes reaches."""

    ONCE = "once"
    """This one action, and no other."""
    CONVERSATION = "conversation"
    """Actions like this one in this conversation and this folder, for some hours at most."""
    FOLDER = "folder"
    """Actions like this one in this folder, in any conversation, until a time."""


@dataclass(frozen=True, slots=True)
class Hearing:
    """How sure the recogniser was of what the user said."""

    confidence: float
    """0 to 1: of all words, on the average."""
    unsure: tuple[str, ...] = ()
    """Words that it may well have heard wrong."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A yes that reaches further than this once, as code words it."""

    extent: Extent
    text: str
    """What it would cover and until when, for instance "create_file for *.txt in notes, until 16:30"."""


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
    action: str = ""
    """SHA-256 of the frozen call: its tool and all of its arguments."""
    heard: Hearing | None = None
    """None when the words were not spoken."""
    untrusted: tuple[str, ...] = ()
    """Where text comes from that is in the conversation and that nobody vouches for, for instance "the file
    notes.txt". What is asked may be that text's wish instead of the user's."""
    doubts: tuple[str, ...] = ()
    """Why something else may have been meant, a sentence each."""
    offers: tuple[Offer, ...] = ()
    """Beside a yes to this one action."""
    number: int = 1
    """How many questions this turn has asked, with this one."""
    together: tuple[str, ...] = ()
    """Ids of all questions that one reply asks at once, this one among them, in order; empty when it stands alone. A
    front end may show them in one place and give one answer to all."""

    @property
    def fresh_only(self) -> bool:
        """Whether no leave that was given before counts: this has to be answered by somebody who sees it."""
        return bool(self.untrusted or self.doubts)

    @property
    def fingerprint(self) -> str:
        """SHA-256 over all that was shown; what runs must have the same."""
        shown = [repr(getattr(self, field.name)) for field in fields(self) if field.name not in _NOT_SHOWN]
        return hashlib.sha256("\0".join(shown).encode("utf-8", "surrogatepass")).hexdigest()


_NOT_SHOWN = frozenset({"id", "turn_id", "call_id", "number", "together"})


@dataclass(frozen=True, slots=True)
class ApprovalDecision:
    allowed: bool
    by: str
    """Who decided: "you", "--allow create_file", "nobody there to ask", "time-out", "scripted approver"."""
    extent: Extent = Extent.ONCE
    """How far a yes reaches; more than once only as it was offered."""

"""What is kept of the past, as it is told to front ends: turns, calls, conversations, facts, lines of the audit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest
from aria_desktop.core.chat import ToolCall, TurnOutcome


class Source(StrEnum):
    TEXT = "text"
    FILE = "file"
    MICROPHONE = "microphone"


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """One past turn, as it is stored."""

    turn_id: str
    source: Source
    words: str
    answer: str
    outcome: TurnOutcome | None
    """None while it runs, waits, or was cut off by a crash."""
    started: float
    """Unix time."""
    calls: tuple[CallRecord, ...]
    timings: Mapping[str, float]
    text: str = ""
    """What went wrong, in words; empty unless it failed."""
    untrusted: tuple[str, ...] = ()
    """Sources of the text in it that nobody vouches for, those of the turns it was told of included."""


@dataclass(frozen=True, slots=True)
class CallRecord:
    call: ToolCall
    state: str
    """"proposed", "waiting", "running" or one of `core.chat.Outcome`."""
    decision: ApprovalDecision | None
    result: str
    question: ApprovalRequest | None = None
    """The whole question while the state is "waiting"; None otherwise."""


@dataclass(frozen=True, slots=True)
class SessionRecord:
    session_id: str
    title: str
    updated: float
    """Unix time of the last turn."""
    turns: int
    waiting: bool
    """A question of it has no answer yet."""
    pinned: bool = False
    """It stays on top, and is not removed by its age."""
    began: float = 0.0
    """Unix time of the first turn."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that the user has told ARIA to remember."""

    number: int
    """By which the user names it; never given to another fact."""
    text: str
    kept: float
    """Unix time."""
    turn_id: str
    """The turn in which it was told; that turn may be deleted since."""


@dataclass(frozen=True, slots=True)
class GivenLeave:
    """A yes that holds for more than one action."""

    id: str
    text: str
    """The tool and the names that it covers."""
    folder: str
    session_id: str
    """The conversation that it holds in; empty: any in the folder."""
    until: float
    """Unix time."""


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """One line of the audit. It holds ids and outcomes, never what anybody said or wrote."""

    number: int
    """Grows; never given twice."""
    at: float
    """Unix time."""
    what: str
    """"withheld", "proposed", "asked", "decided", "started", "ended" or "purged"."""
    turn_id: str
    """Empty outside of turns."""
    call_id: str
    tool: str
    shown: str
    """SHA-256 of what was shown, in hexadecimal; empty where nothing was."""
    outcome: str
    """"allowed" or "refused" of a decision; one of `core.chat.Outcome` of an end."""
    by: str
    """Who decided."""
    question: str = ""
    """What was asked; empty when nothing was, or its conversation is deleted since."""

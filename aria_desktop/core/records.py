"""What is kept of the past, as it is told to front ends: turns, calls, conversations, facts, lines of the audit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest
from aria_desktop.core.chat import Message, ToolCall, ToolChoice, TurnOutcome
from aria_desktop.core.transcript import Word


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
    heard: str | None = None
    """What the user heard of the answer when it was interrupted; None: it was not."""


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
class StepRecord:
    """One reply of the model."""

    step: int
    attempt: int
    attempts: int
    asked: float
    """Unix time; that of the reply less its seconds where nobody noted it."""
    received: float
    messages: tuple[Message, ...]
    """The prompt without those that are the same in every prompt; empty where it was not kept."""
    unchanging: int
    raw: str
    prompt_tokens: int
    reused_tokens: int
    tokens: int
    seconds: float
    seconds_to_first: float
    choices: tuple[ToolChoice, ...]


@dataclass(frozen=True, slots=True)
class TimedCall:
    """A call with its times, Unix seconds; None for what never came."""

    step: int
    call: ToolCall
    state: str
    """As in `CallRecord`."""
    result: str
    proposed: float
    asked: float | None
    decided: float | None
    decision: ApprovalDecision | None
    question: str
    """What was asked, on one line; empty when nothing was."""
    started: float | None
    ended: float | None


@dataclass(frozen=True, slots=True)
class RunRecord:
    """How one past turn went: enough to see it again."""

    turn: TurnRecord
    language: str
    heard: tuple[Word, ...]
    """Words with how sure the recogniser was of them; empty for typed turns and those stored without."""
    audio_seconds: float
    """0 for typed turns."""
    steps: tuple[StepRecord, ...]
    """In the order of the replies."""
    calls: tuple[TimedCall, ...]
    ended: float | None


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
class FileRecord:
    """A file of the workspace, as it lies there."""

    name: str
    """As it is on disk: it may hold anything."""
    size: int
    """Bytes."""
    modified: float
    """Unix time."""


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

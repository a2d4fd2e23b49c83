"""What is said between the user, the model and the tools, as pure values. Identity belongs to storage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Role(StrEnum):
    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    """The result of a call, as the model is shown it."""


@dataclass(frozen=True, slots=True)
class Message:
    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    id: str
    """Unique in the database, for instance "c7f3a1"; the model never sees it."""
    tool: str
    arguments: Mapping[str, object] = field(default_factory=dict)


class Outcome(StrEnum):
    """How a call ended. Every call ends in exactly one of these."""

    DONE = "done"
    REFUSED = "refused"
    """Policy or the user said no. Nothing was done."""
    FAILED = "failed"
    """It was tried and did not work, or there is no such tool. Nothing was done."""
    CANCELLED = "cancelled"
    """Stopped before it had an effect."""
    UNKNOWN = "unknown"
    """It may or may not have happened: the program died in the middle. Never run again by itself."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    outcome: Outcome
    text: str
    """What the model is shown; short and capped."""
    answer: str = ""
    """A full answer to the user built from the typed result; empty when the model has to write one."""
    ends_turn: bool = False
    """The turn ends here with `answer` (a question to the user)."""
    untrusted: str = ""
    """Where text in it comes from that nobody vouches for; empty when it holds ARIA's own words and plain names."""


@dataclass(frozen=True, slots=True)
class ToolChoice:
    """How sure a model was where its reply named a tool."""

    name: str
    """The tool that it named, or "answer" when it answered although it could have called tools."""
    probability: float
    """0 to 1: of `name` among all that was legal there, by the model's own weights at temperature 1."""
    runner_up: str = ""
    """The likeliest other one; empty when nothing else was legal. Beside "answer" it is "calls"."""
    runner_up_probability: float = 0.0
    """Tools that the model can't begin without deciding for one of several (they share a first token) share
    what that token has equally: which of them it meant was never asked."""


class TurnOutcome(StrEnum):
    ANSWERED = "answered"
    ASKED = "asked"
    """The answer is a question to the user."""
    REFUSED = "refused"
    """All that the turn wanted to change was refused."""
    CANCELLED = "cancelled"
    FAILED = "failed"
    NOTHING_HEARD = "nothing_heard"

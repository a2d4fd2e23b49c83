"""What the callers' side and the supervisor of an engine hand each other."""

from __future__ import annotations

import queue
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from aria_desktop.workers import messages
from aria_desktop.workers.messages import Message


class Child(Protocol):
    """What is needed of a process; see `workers.process.ChildProcess`."""

    @property
    def pid(self) -> int: ...

    def send(self, frame: bytes) -> None: ...

    def end(self) -> None: ...


StartChild = Callable[[Callable[[Message], None], Callable[[str], None]], Child]
"""Given `on_message` and `on_end`; raises OSError."""


@dataclass(frozen=True, slots=True)
class Limits:
    """All in seconds."""

    unload_after: float = 0.0
    """Without a job for so long, the process is ended; 0: never."""
    greet_within: float = 180.0
    """Loading may take this long."""
    late_after: float = 5.0
    """A job that was left may go on this long."""


@dataclass(eq=False, slots=True)
class Job:
    number: int
    frame: bytes
    """Empty: only wait until the engine is loaded."""
    background: bool = False
    left: bool = False
    inbox: queue.SimpleQueue[Message | None] = field(default_factory=queue.SimpleQueue)
    """Parts, then one final message. None: look at your cancel token."""

    def fail(self, code: str, text: str, hint: str) -> None:
        self.inbox.put(messages.Failed(self.number, code, text, hint))

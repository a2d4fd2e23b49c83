"""Fetch mode as values: how the window asks for it, and what its own window is told.

The sealed window can't start a process that reaches the network. It ends with the exit code `WANTED`, whoever started
it runs fetch mode in a process of its own, and then a new sealed window.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

WANTED = 64
"""Exit code of a window that has ended so that models are fetched; never that of a command, so not among those of
`core.errors.ExitCode`."""


class FetchState(StrEnum):
    WAITING = "waiting"
    CHECKING = "checking"
    """What is here already is hashed."""
    DOWNLOADING = "downloading"
    JOINING = "joining"
    PAUSED = "paused"
    """What arrived is kept."""
    DONE = "done"
    """Here, and every hash is right."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class FetchLine:
    """Where one model is."""

    model_id: str
    state: FetchState
    source: str = ""
    """Host or package index that the bytes come from."""
    done: int = 0
    """Bytes."""
    total: int | None = None
    """Bytes; None: not known."""
    bytes_per_s: float = 0.0
    seconds_left: float | None = None
    text: str = ""
    """Of a failure: what went wrong and the way out. Else the last remark, such as a source that failed."""


class Fetching(Protocol):
    """What the window of fetch mode holds. `start`, `pause` and `close` return at once, or nearly; one thread calls."""

    @property
    def lines(self) -> tuple[FetchLine, ...]:
        """One for each model, as they are now."""

    @property
    def running(self) -> bool:
        """Something is being fetched."""

    def start(self, listener: Callable[[FetchLine], None]) -> None:
        """Fetch what is not done, from where it stopped. `listener` is called on a thread of its own."""

    def pause(self) -> None:
        """Stop, and keep what arrived."""

    def close(self) -> None:
        """Stop and wait until nothing runs any more."""

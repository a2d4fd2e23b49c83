"""Whether this program can reach the network, as values: what a door lets through, what was found when it was tried.

What is told to the user comes from trying, never from a note that the door was closed: `Reach` is what a process could
open a moment ago. A process whose door is closed stays so for good, and so does all that it starts.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Door(StrEnum):
    """What a process leaves open when it closes its door."""

    LOCAL = "local"
    """Sockets of this computer: to the display, to sound, to another ARIA. For the program and its window."""
    SHUT = "shut"
    """No socket of any kind. For the engines, which talk over pipes that are open already."""
    FETCHING = "fetching"
    """Outward to the network, and nothing may come in. For `aria models fetch` alone."""
    CLOUD = "cloud"
    """The same, for engines on other computers, which have to be switched on before the start."""


@dataclass(frozen=True, slots=True)
class Reach:
    """What a process can open now."""

    internet: bool
    """A socket from which packets leave for other computers, or for this one's own addresses."""
    local: bool
    """A Unix socket: to other programs of this computer."""
    ring: bool
    """io_uring, through which sockets can be opened that no filter of calls sees."""

    @property
    def sealed(self) -> bool:
        return not self.internet and not self.ring


class Badge(StrEnum):
    """What the window says of the seal, always."""

    SEALED = "sealed"
    OPEN = "open"
    """The system has no way for a program to close its own door, or it was not closed."""
    CLOUD = "cloud"


@dataclass(frozen=True, slots=True)
class SealedProcess:
    """One process of the running ARIA, as the system tells."""

    pid: int
    what: str
    """"window", "language engine", "command in the cage"; for other processes the name of the program."""
    filters: int
    """Filters that the kernel holds against it; -1 where it does not say."""
    keeps: bool
    """Can gain no privileges (no-new-privileges)."""
    connections: tuple[str, ...]
    """Its sockets that are no Unix sockets, with their ends; there should be none."""

    @property
    def sealed(self) -> bool:
        return self.filters > 0 and self.keeps and not self.connections


@dataclass(frozen=True, slots=True)
class SealReport:
    """What the window and `aria doctor --airgap` show."""

    reach: Reach
    """Of the process that looked."""
    reason: str
    """Why the door is open; empty when it is not."""
    processes: tuple[SealedProcess, ...]
    starter: SealedProcess | None = None
    """The process that waits for the window's end, to start fetch mode when that was asked for: its door is open, or
    it could start nobody whose door is. It does nothing else, and has no connection."""

    @property
    def sealed(self) -> bool:
        idle = self.starter is None or not self.starter.connections
        return self.reach.sealed and idle and all(process.sealed for process in self.processes)


def badge_of(reach: Reach, *, cloud: bool) -> Badge:
    """Cloud is only believed of a process whose door is open."""
    if reach.sealed:
        return Badge.SEALED
    return Badge.CLOUD if cloud else Badge.OPEN

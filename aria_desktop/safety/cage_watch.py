"""Looks from outside at what a running command takes, and says which limit it has passed.

The kernel's own limit of processes does not count for root, and it has none for the memory that several processes
hold together. So both are looked at: exactly now and then, and at a glance so often that a fork bomb is still small.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import stat
import time
from enum import StrEnum
from pathlib import Path

import psutil

from aria_desktop.safety.cage import CageLimits, Layer

_LOOK_EVERY_S = 0.2
"""At all processes of the cage; that costs a few milliseconds."""
_MOST_THREADS = 1_000
"""Of one process, whose children are looked for."""
_CHILDREN_LISTED = Path("/proc/thread-self/children")
"""Not there where the kernel was built without such lists; then every process of the machine is looked at."""
_READ = 4096
"""Bytes of a list of children, which a fork bomb can make very long."""


class Ending(StrEnum):
    """Why a command is over."""

    ITSELF = "itself"
    TIME = "time"
    PROCESSES = "processes"
    MEMORY = "memory"
    OUTPUT = "output"
    CHANGES = "changes"
    CANCELLED = "cancelled"


class Watch:
    """Which limit has been passed: looked at often where that is cheap, seldom where it is not."""

    def __init__(self, pid: int, limits: CageLimits, deadline: float, layer: Layer | None = None) -> None:
        self._pid = pid
        self._layer = layer
        self._limits = limits
        self._deadline = deadline
        self._next_look = 0.0
        self._threads = _all_threads()

    def look(self, printed: int) -> Ending:
        """ITSELF as long as none has."""
        now = time.monotonic()
        if now >= self._deadline:
            return Ending.TIME
        if printed > self._limits.printed:
            return Ending.OUTPUT
        if now < self._next_look and _all_threads() - self._threads <= self._limits.processes:
            return Ending.ITSELF
        self._next_look = now + _LOOK_EVERY_S
        processes, memory = _used(self._pid, self._limits.processes)
        if processes > self._limits.processes:
            return Ending.PROCESSES
        if memory > self._limits.memory:
            return Ending.MEMORY
        return Ending.CHANGES if self._hidden() > self._limits.changed else self.look_back()

    def look_back(self) -> Ending:
        """At what was changed since the last look, once all has ended by itself."""
        return Ending.CHANGES if self._layer and self._too_much(self._layer.changes) else Ending.ITSELF

    def _hidden(self) -> int:
        """Bytes of files without a name that processes of the cage hold open: they fill the disk and are in no
        folder."""
        found = {}
        for pid in _below(self._pid, self._limits.processes) if self._layer else ():
            with contextlib.suppress(OSError):
                for held in Path(f"/proc/{pid}/fd").iterdir():
                    with contextlib.suppress(OSError):
                        state = held.stat()
                        if stat.S_ISREG(state.st_mode) and state.st_nlink == 0:
                            found[state.st_dev, state.st_ino] = 512 * state.st_blocks
        return sum(found.values())

    def _too_much(self, changes: Path) -> bool:
        """Whether more was changed than may be. What can't be looked into is looked at when the command has ended."""
        files = size = 0
        folders = [str(changes)]
        while folders:
            with contextlib.suppress(OSError), os.scandir(folders.pop()) as found:
                for item in found:
                    state = item.stat(follow_symlinks=False)
                    files, size = files + 1, size + 512 * state.st_blocks
                    if files > self._limits.changed_files or size > self._limits.changed:
                        return True
                    if stat.S_ISDIR(state.st_mode):
                        folders.append(item.path)
        return False


def _all_threads() -> int:
    """Of the whole machine."""
    return int(Path("/proc/loadavg").read_text("ascii").split()[3].partition("/")[2])


def _used(pid: int, most: int) -> tuple[int, int]:
    """How many processes there are below `pid`, and how much memory they hold. Ends where there are more than `most`:
    a look that grew with a fork bomb would be overtaken by it."""
    below = _below(pid, most)
    return len(below), sum(map(_memory, below)) if len(below) <= most else 0


def _below(pid: int, most: int) -> list[int]:
    """The processes below `pid`, at least `most` + 1 of them where there are more."""
    if not _CHILDREN_LISTED.exists():
        with contextlib.suppress(psutil.Error):
            return [child.pid for child in psutil.Process(pid).children(recursive=True)]
        return []
    found: list[int] = []
    waiting = [pid]
    while waiting and len(found) <= most:
        children = _children(waiting.pop())
        found += children
        waiting += children
    return found


def _children(pid: int) -> list[int]:
    """Of all threads of a process: the first some hundred of each."""
    children: list[int] = []
    with contextlib.suppress(OSError):
        for task in itertools.islice(Path(f"/proc/{pid}/task").iterdir(), _MOST_THREADS):
            with contextlib.suppress(OSError), (task / "children").open("rb") as listed:
                *whole, _ = listed.read(_READ).split(b" ")
                children += map(int, whole)
    return children


def _memory(pid: int) -> int:
    with contextlib.suppress(psutil.Error):
        return int(psutil.Process(pid).memory_info().rss)
    return 0

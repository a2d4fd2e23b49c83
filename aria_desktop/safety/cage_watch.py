"""Looks from outside at what a running command takes, and says which limit it has passed.

The kernel's own limit of processes does not count for root, and it has none for the memory that several processes
hold together. So both are looked at: exactly now and then, and at a glance so often that a fork bomb is still small.
"""

from __future__ import annotations

import contextlib
import os
import stat
import time
from enum import StrEnum
from pathlib import Path

import psutil

from aria_desktop.safety.cage import CageLimits, Layer

_LOOK_EVERY_S = 0.2
"""At all processes of the cage; that costs a few milliseconds."""


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
        processes, memory = _used(self._pid)
        if processes > self._limits.processes:
            return Ending.PROCESSES
        return Ending.MEMORY if memory > self._limits.memory else self.look_back()

    def look_back(self) -> Ending:
        """At what was changed since the last look, once all has ended by itself."""
        return Ending.CHANGES if self._layer and self._too_much(self._layer.changes) else Ending.ITSELF

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


def _used(pid: int) -> tuple[int, int]:
    """How many processes there are below `pid`, and how much memory they hold."""
    with contextlib.suppress(psutil.Error):
        children = psutil.Process(pid).children(recursive=True)
        return len(children), sum(_memory(child) for child in children)
    return 0, 0


def _memory(process: psutil.Process) -> int:
    with contextlib.suppress(psutil.Error):
        return int(process.memory_info().rss)
    return 0

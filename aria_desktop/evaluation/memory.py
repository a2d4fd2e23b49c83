"""How much memory the program and its engines take together, sampled while they work."""

from __future__ import annotations

import threading
from types import TracebackType

import psutil

_INTERVAL = 0.1
"""Seconds between two samples."""


class MemoryPeak:
    """Use as a context manager; afterwards `peak_bytes` is the highest sum of resident memory that was seen.

    Memory shared between processes is counted once for each of them, so the sum errs on the high side.
    """

    def __init__(self) -> None:
        self.peak_bytes = 0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, name="memory-peak", daemon=True)

    def __enter__(self) -> MemoryPeak:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        self._thread.join()

    def _run(self) -> None:
        while True:
            self.peak_bytes = max(self.peak_bytes, resident_bytes())
            if self._done.wait(_INTERVAL):
                return


def resident_bytes() -> int:
    """Of this process and all its descendants, now."""
    own = psutil.Process()
    return sum(_resident(process) for process in [own, *own.children(recursive=True)])


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.NoSuchProcess:
        return 0

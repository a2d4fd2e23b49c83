"""What a process with an engine may take of the memory: what its model is reckoned to need, and a margin.

A model file that was made to do harm, or a fault of a native library, then ends in an error of that process, and not
in a machine that stands still. The kernel counts what is private and writable (RLIMIT_DATA); weights that are mapped
from their file are not, and neither is address space that is only reserved.

A process is held to what it claims only once it has said so (`confine`): the engines' own processes do, and nobody who
runs an engine beside other things. Linux only; elsewhere a claim changes nothing.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

MARGIN = 2 << 30
"""Bytes beside what is claimed: working memory of the libraries."""
_OUT_OF_MEMORY = ("bad_alloc", "failed to allocate", "cannot allocate memory", "out of memory", "MemoryError")


@dataclass(slots=True)
class _Process:
    confined: bool = False
    limit: int = 0


_process = _Process()


def confine() -> None:
    """From now on this process has no more than what it claims, if it claims anything. Also no core dumps, which
    would hold what was said."""
    _process.confined = sys.platform == "linux"
    if _process.confined:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def claim(need: int) -> None:
    """Hold the process to what it has now, `need` bytes more, and the margin; a later claim takes the place of an
    earlier one, up to what the system allows."""
    if not _process.confined:
        return
    import resource

    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    wanted = _in_use() + need + MARGIN
    _process.limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (_process.limit, hard))


def limit() -> int:
    """Bytes; 0 when this process is held to nothing."""
    return _process.limit


def ran_out(words: str) -> bool:
    """Whether an error, or the last words of a process, say that it got no more memory."""
    return any(sign.casefold() in words.casefold() for sign in _OUT_OF_MEMORY)


def _in_use() -> int:
    """Bytes, as the kernel counts them for this limit."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmData:"))
    return int(line.split()[1]) << 10

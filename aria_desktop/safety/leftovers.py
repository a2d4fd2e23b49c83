"""Names that a killed change left behind: recognised by their form, and taken away once nobody can be using them."""

from __future__ import annotations

import os
import re
import stat
import time
import uuid
from contextlib import suppress

_OURS = re.compile(r"\.aria-[0-9a-f]{12}\.tmp")
STARTED_NS = time.time_ns()
"""When this process began; what is younger may be another thread's work."""


def temporary_name() -> str:
    return f".aria-{uuid.uuid4().hex[:12]}.tmp"


def is_leftover(name: str) -> bool:
    """Whether a name has the form of one that a killed change leaves; it stands for nothing of the user's."""
    return _OURS.fullmatch(name) is not None


def sweep(inside: int) -> None:
    """Remove what changes before this process left in the folder. Never raises for what can't be removed."""
    with suppress(OSError), os.scandir(inside) as found:
        old = [item.name for item in found if _OURS.fullmatch(item.name) and _is_old(item)]
        for name in old:
            with suppress(OSError):
                os.unlink(name, dir_fd=inside)


def second_name_is_ours(inside: int, found: os.stat_result) -> bool:
    """Whether the second and last other name of a file is one that a killed change left in this folder."""
    if found.st_nlink != 2:
        return False
    with suppress(OSError), os.scandir(inside) as items:
        return any(item.inode() == found.st_ino for item in items if _OURS.fullmatch(item.name))
    return False


def _is_old(item: os.DirEntry[str]) -> bool:
    state = item.stat(follow_symlinks=False)
    return stat.S_ISREG(state.st_mode) and state.st_mtime_ns < STARTED_NS

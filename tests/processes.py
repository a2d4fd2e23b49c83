"""Looking at processes that may end while they are looked at."""

from __future__ import annotations

import contextlib

import psutil


def command_line(process: psutil.Process) -> list[str]:
    """Empty for one that has ended meanwhile."""
    with contextlib.suppress(psutil.NoSuchProcess):  # a zombie's, too
        return list(process.cmdline())
    return []


def workers_of(pid: int) -> list[psutil.Process]:
    """The engines' processes of a running program."""
    children = psutil.Process(pid).children(recursive=True)
    return [child for child in children if "worker" in command_line(child)]

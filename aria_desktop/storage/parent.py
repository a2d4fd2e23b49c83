"""A process that ends with the one that started it, however that ends: nothing runs that nobody waits for."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def end_with(pid: int) -> None:
    """Be asked to end, as by SIGTERM, as soon as the process `pid` is gone. 0: nobody started this one.

    Only Linux has such a thing; elsewhere the process goes on, and the user closes its window.
    """
    if not pid or sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != pid:
        # It was gone before the kernel was told.
        os.kill(os.getpid(), signal.SIGTERM)


def still_waits(pid: int) -> bool:
    """Whether the process that started this one is there to start another."""
    return bool(pid) and (sys.platform == "win32" or os.getppid() == pid)

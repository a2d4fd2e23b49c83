"""The process closes its own network door at its start, and nobody can open it again: not the process, not what it
starts, not a library in it.

The kernel keeps it (seccomp on Linux): `airgap_filter` decides what may be opened, by all threads of the process and by
everything that it starts later. No rights are needed, and none can be gained afterwards (no-new-privileges). Filters
add up, so a door that is closed further stays closed as far as it ever was.

What the seal is not: a program of the same user that was never sealed can be asked for things over a Unix socket, and
answers as it likes. ARIA asks none but the display, the sound server and itself.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from typing import ClassVar, Protocol

from aria_desktop.core.errors import AriaError
from aria_desktop.core.seal import Door, Reach
from aria_desktop.safety.airgap_filter import ARCHITECTURES, Architecture, assembled

_PR_SET_NO_NEW_PRIVS = 38
_SECCOMP_SET_MODE_FILTER = 1
_SECCOMP_FILTER_FLAG_TSYNC = 1
_INSTRUCTION = 8
"""Bytes."""
_ALL_THE_SAME = "ARIA runs all the same and asks nobody on the network; only the system does not keep it from doing so."


class SealUnsupported(AriaError):
    """This system has no way for a program to close its own door. ARIA runs there, and says that it is not sealed."""

    code: ClassVar[str] = "seal_unsupported"


class SealFailed(AriaError):
    """The kernel has the way and did not go it. Nothing runs then."""

    code: ClassVar[str] = "seal_failed"


class Kernel(Protocol):
    """What is asked of the system; a double stands for others."""

    @property
    def architecture(self) -> Architecture:
        """Raises SealUnsupported."""
        ...

    def set_filter(self, program: bytes) -> None:
        """For all threads and for good. Raises SealUnsupported and SealFailed."""
        ...

    def answers(self) -> bool:
        """Whether the filter answers in place of the kernel; tried with a call that every door refuses."""
        ...

    def reach(self) -> Reach:
        """By opening one of each kind and closing it again; nothing is sent, and nobody is asked."""
        ...


class ThisKernel:
    """The one that this process runs on."""

    @property
    def architecture(self) -> Architecture:
        if sys.platform != "linux":
            raise SealUnsupported(f"On {_system_name()} a program can't close its own network door.", _ALL_THE_SAME)
        machine = os.uname().machine
        if machine not in ARCHITECTURES or ctypes.sizeof(ctypes.c_void_p) != 8 or sys.byteorder != "little":
            raise SealUnsupported(f"ARIA knows no network door for the processor {machine}.", _ALL_THE_SAME)
        return ARCHITECTURES[machine]

    def set_filter(self, program: bytes) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
            raise SealUnsupported(f"The kernel can't keep privileges away: {_last_error()}.", _ALL_THE_SAME)
        result = libc.syscall(
            ctypes.c_long(self.architecture.seccomp),
            ctypes.c_ulong(_SECCOMP_SET_MODE_FILTER),
            ctypes.c_ulong(_SECCOMP_FILTER_FLAG_TSYNC),
            ctypes.byref(_Program.of(program)),
        )
        if result > 0:
            raise SealFailed(f"The network door can't be closed for the thread {result}.", "Start ARIA again.")
        if result < 0 and ctypes.get_errno() in (errno.ENOSYS, errno.EINVAL):
            raise SealUnsupported(f"The kernel has no filter for system calls: {_last_error()}.", _ALL_THE_SAME)
        if result < 0:
            raise SealFailed(
                f"The network door can't be closed: {_last_error()}.", "What ARIA was started in may forbid it."
            )

    def answers(self) -> bool:
        """No descriptor is -1: without the filter the kernel complains about that."""
        return _error_of(self.architecture.calls["pidfd_getfd"], -1, 0, 0) == errno.EPERM

    def reach(self) -> Reach:
        import socket

        unix = getattr(socket, "AF_UNIX", None)
        internet = any(_opens(family) for family in (socket.AF_INET, socket.AF_INET6))
        return Reach(internet, unix is not None and _opens(unix), _ring_opens())


class _Program(ctypes.Structure):
    """`struct sock_fprog`."""

    _fields_: ClassVar = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]

    @classmethod
    def of(cls, program: bytes) -> _Program:
        return cls(len(program) // _INSTRUCTION, program)


def close(door: Door, kernel: Kernel | None = None) -> None:
    """Close the door of this process.

    Raises SealUnsupported where the system has no such thing, SealFailed when the door did not close.
    """
    kernel = kernel or ThisKernel()
    kernel.set_filter(assembled(door, kernel.architecture))
    if not kernel.answers():
        raise SealFailed("The network door was closed, and the system acts as if it were open.")


def look(kernel: Kernel | None = None) -> tuple[Reach, str]:
    """What this process can reach, and why its door is open; the reason is empty when it is not."""
    kernel = kernel or ThisKernel()
    reach = kernel.reach()
    if reach.sealed:
        return reach, ""
    try:
        kernel.architecture  # noqa: B018 (asked for what it raises)
    except SealUnsupported as unsupported:
        return reach, unsupported.text
    return reach, "This process has not closed its network door."


def _opens(family: int) -> bool:
    import socket

    try:
        socket.socket(family, socket.SOCK_DGRAM).close()
    except OSError:
        return False
    return True


def _ring_opens() -> bool:
    """Asked with an address that can't be one: a kernel that lets us near it complains about that."""
    machine = ARCHITECTURES.get(os.uname().machine) if sys.platform == "linux" else None
    return machine is not None and _error_of(machine.calls["io_uring_setup"], 1, 0) == errno.EFAULT


def _error_of(call: int, *arguments: int) -> int:
    """Makes a system call that is meant to fail."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall(ctypes.c_long(call), *map(ctypes.c_long, arguments))
    return ctypes.get_errno()


def _last_error() -> str:
    return os.strerror(ctypes.get_errno())


def _system_name() -> str:
    return {"darwin": "macOS", "win32": "Windows"}.get(sys.platform, sys.platform)

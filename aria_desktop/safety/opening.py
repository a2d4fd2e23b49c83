"""Opening one name in an open folder so that the kernel itself refuses every way out.

`openat2` follows no link, no magic link of /proc and crosses to no other mounted file system, in the one step that
opens. Where there is none (Linux before 5.6, another system, a filter that hides it) the name is opened without
following a link at its end, which for a single name is the same but for the mount: `descriptors` compares the
file system's number after every opening, either way.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import sys
from collections.abc import Callable

_OPENAT2 = 437
"""The same number on every architecture that Linux numbers alike."""
_NUMBERED_ALIKE = frozenset({"x86_64", "aarch64", "riscv64", "i686", "armv7l", "ppc64le", "s390x", "loongarch64"})
_RESOLVE = 0x01 | 0x02 | 0x04 | 0x08
"""RESOLVE_NO_XDEV, RESOLVE_NO_MAGICLINKS, RESOLVE_NO_SYMLINKS, RESOLVE_BENEATH."""
_NOT_THERE = frozenset({errno.ENOSYS, errno.EPERM})
"""What kernels answer that don't know the call, and filters that don't allow it."""


class _How(ctypes.Structure):
    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


def open_in(folder: int, part: str, flags: int) -> int:
    """A descriptor of the one name `part` in `folder`, which exists. Raises OSError; EXDEV for another mount."""
    if _kernel_open is not None:
        try:
            return _kernel_open(folder, part, flags)
        except OSError as error:
            if error.errno not in _NOT_THERE:
                raise
    return os.open(part, flags | os.O_NOFOLLOW, dir_fd=folder)


def _found() -> Callable[[int, str, int], int] | None:
    if sys.platform != "linux" or platform.machine() not in _NUMBERED_ALIKE:
        return None
    call = ctypes.CDLL(None, use_errno=True).syscall
    call.restype = ctypes.c_long

    def opened(folder: int, part: str, flags: int) -> int:
        how = _How(flags | os.O_CLOEXEC, 0, _RESOLVE)
        got = call(
            ctypes.c_long(_OPENAT2),
            ctypes.c_int(folder),
            ctypes.c_char_p(os.fsencode(part)),
            ctypes.byref(how),
            ctypes.c_size_t(ctypes.sizeof(how)),
        )
        if got < 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number), part)
        return int(got)

    return opened


_kernel_open = _found()

"""Giving a file or folder a name that is not taken, in one step of the kernel's.

A plain rename silently replaces what has the name. `renameat2` fails instead, and at no moment does the file have
two names. Where there is none (an older kernel, another system, a file system that can't), a hard link and the
removal of the old name do the same in two steps; a kill between them leaves a second name, which `leftovers`
knows. Where there are no hard links either (memory sticks), the check and the rename are two steps.
"""

from __future__ import annotations

import ctypes
import errno
import os
import stat
from collections.abc import Callable

_RENAME_NOREPLACE = 1
_NOT_THERE = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP})
"""What systems and file systems answer that don't know `renameat2` or its flag."""
_NO_HARD_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK, errno.ENOSYS})


def rename_new(outer: int, part: str, inside: int, name: str) -> None:
    """`part` in the folder `outer` becomes `name` in the folder `inside`, on the same file system.

    Raises FileExistsError when the name is taken, else OSError; nothing is changed then.
    """
    try:
        _renamed_by_kernel(outer, part, inside, name)
    except OSError as error:
        if error.errno not in _NOT_THERE:
            raise
        _renamed_in_steps(outer, part, inside, name)


def taken(inside: int, part: str) -> bool:
    """Whether anything has the name, be it a link that leads nowhere."""
    try:
        os.lstat(part, dir_fd=inside)
    except FileNotFoundError:
        return False
    return True


def _kernel_rename() -> Callable[[int, bytes, int, bytes, int], int] | None:
    function = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None) if os.name == "posix" else None
    if function is not None:
        function.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
        function.restype = ctypes.c_int
    return function


_renameat2 = _kernel_rename()


def _renamed_by_kernel(outer: int, part: str, inside: int, name: str) -> None:
    if _renameat2 is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), part)
    if _renameat2(outer, os.fsencode(part), inside, os.fsencode(name), _RENAME_NOREPLACE) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), name)


def _renamed_in_steps(outer: int, part: str, inside: int, name: str) -> None:
    folder = stat.S_ISDIR(os.lstat(part, dir_fd=outer).st_mode)
    if not folder and _linked(outer, part, inside, name):
        os.unlink(part, dir_fd=outer)
        return
    if taken(inside, name):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), name)
    os.rename(part, name, src_dir_fd=outer, dst_dir_fd=inside)


def _linked(outer: int, part: str, inside: int, name: str) -> bool:
    """Whether the file has its second name now; False where there are no hard links."""
    try:
        os.link(part, name, src_dir_fd=outer, dst_dir_fd=inside, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_HARD_LINKS:
            raise
        return False
    return True

"""Opening a file of which nobody knows what it is: a pipe under its name would be waited for without end."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

_READING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


def opened(path: Path) -> BinaryIO:
    """For reading. Raises OSError, also for what is no regular file."""
    descriptor = os.open(path, _READING)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file", str(path))
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def content(path: Path, most: int = -1) -> bytes:
    """Up to `most` bytes of it, or all. Raises OSError like `opened`."""
    with opened(path) as file:
        return file.read(most)

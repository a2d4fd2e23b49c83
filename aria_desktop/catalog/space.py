"""Room on the disk: asked for before the work, and said plainly when it runs out in the middle."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from aria_desktop.core.errors import DiskFull, StorageError

RESERVE_BYTES = 100_000_000
"""Left free for everything else: a disk filled to the last byte breaks more than this program."""


def free_bytes(folder: Path) -> int:
    """Free space for this user where `folder` is or will be."""
    there = next(path for path in (folder, *folder.parents) if path.exists())
    return shutil.disk_usage(there).free


def require_space(folder: Path, need: int) -> None:
    """Raises DiskFull when `need` bytes don't fit into `folder`'s disk."""
    free = free_bytes(folder)
    if need + RESERVE_BYTES > free:
        raise DiskFull(
            f"There is not enough room in {folder}: {size_words(need)} are needed, {size_words(free)} are free.",
            "Free some space, or keep models on another disk (ARIA_MODELS=/path).",
        )


@contextmanager
def writing_to(folder: Path) -> Iterator[None]:
    """Turns what the disk answers while files of `folder` are written into DiskFull or StorageError."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFull(
                f"The disk of {folder} is full.", "Free some space; the same command goes on then."
            ) from error
        raise StorageError(
            f"{folder} can't be written: {error.strerror or error}.", "Check who owns the folder."
        ) from error


def size_words(count: float) -> str:
    """`1.12 GB`, `148 MB`, `5 kB`: decimal, three digits, as disks and downloads are sold."""
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= 0.9995 * size:
            return f"{count / size:.3g} {unit}"
    return f"{count:.0f} bytes"

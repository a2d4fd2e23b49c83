"""Folders and files that belong to the user alone, made so that nothing is ever half there.

A folder is made with 0700 and a file with 0600 whatever the umask allows; a file is replaced by renaming a
complete one over it, so that a reader sees the old bytes or the new ones. Trouble comes out as StorageError.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import tempfile
from pathlib import Path

from aria_desktop.core.errors import DiskFull, StorageError

_FULL = {errno.ENOSPC, errno.EDQUOT} if hasattr(errno, "EDQUOT") else {errno.ENOSPC}
FULL_HINT = "Free some space on that disk, then try again."


def storage_error(action: str, path: Path, error: OSError) -> StorageError:
    """The readable form of what the system said about `path`; `action` as in "write"."""
    if error.errno in _FULL:
        return DiskFull(f"Can't {action} {path}: the disk is full.", FULL_HINT)
    reason = (error.strerror or type(error).__name__).lower()
    return StorageError(f"Can't {action} {path}: {reason}.", "Check who owns it and whether it may be written.")


def private_folder(path: Path) -> Path:
    """Make `path` and what is missing above it, each with 0700; what is there already is left as it is.

    Raises StorageError, also when something that is no folder has the name.
    """
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    try:
        for folder in reversed(missing):
            with contextlib.suppress(FileExistsError):
                folder.mkdir(mode=0o700)
    except OSError as error:
        raise storage_error("make the folder", path, error) from error
    if not path.is_dir():
        raise StorageError(f"Can't make the folder {path}: something that is no folder has this name.", "Move it away.")
    return path


def guarded_folder(path: Path) -> Path:
    """Like `private_folder`, for a place that others can reach (the socket's): refuses a folder that is not
    ours alone, so that nobody can put one there in advance."""
    private_folder(path)
    if sys.platform == "win32":
        return path
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        raise StorageError(f"The folder {path} belongs to somebody else.", "Remove it, or set ARIA_HOME.")
    if stat.S_IMODE(found.st_mode) & 0o077:
        path.chmod(0o700)
    return path


def replace_file(path: Path, data: bytes) -> None:
    """Put `data` where `path` is, all or nothing, through a symbolic link too. On disk when it returns."""
    target = Path(os.path.realpath(path))
    private_folder(target.parent)
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".new", dir=target.parent)
    except OSError as error:
        raise storage_error("write", path, error) from error
    scratch = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        scratch.replace(target)
        sync_folder(target.parent)
    except OSError as error:
        raise storage_error("write", path, error) from error
    finally:
        scratch.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Make a rename in `folder` survive a power cut. Windows has no such call and needs none."""
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

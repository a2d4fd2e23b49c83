"""What SQLite says, in words for the user.

Trouble of the surroundings (disk, rights, damage, another program) becomes a StorageError or one of its kin.
All else - a broken constraint, wrong SQL, a closed connection - is a mistake of ours and passes through.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from aria_desktop.core.errors import AriaError, DatabaseBusy, DiskFull, StorageError
from aria_desktop.storage.files import FULL_HINT, storage_error

WAY_OUT = (
    "Nothing in it was changed. Put a copy of it back, or move it and the files whose names begin with its own to"
    " another folder to start with an empty history."
)
_TOO_LITTLE = 65_536
"""Free bytes below which an input or output error is put down to a full disk."""


@contextlib.contextmanager
def translated(path: Path) -> Iterator[None]:
    """Raise what goes wrong inside with the database at `path` as an AriaError, unless it is a bug."""
    try:
        yield
    except sqlite3.Error as error:
        readable = _readable(error, path)
        if readable is None:
            raise
        raise readable from error
    except OSError as error:
        raise storage_error("use the database", path, error) from error


class DatabaseDamaged(StorageError):
    """The file is ours, or was, and can't be read as it must be. `storage.recovery` can put it right."""

    code = "database_damaged"


def damaged(path: Path, reason: str) -> DatabaseDamaged:
    return DatabaseDamaged(f"The database {path} is damaged: {reason}.", WAY_OUT)


def _readable(error: sqlite3.Error, path: Path) -> AriaError | None:
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:
        case sqlite3.SQLITE_FULL:
            return DiskFull(f"Can't store anything in {path}: the disk is full.", FULL_HINT)
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return damaged(path, str(error))
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return DatabaseBusy(f"Another program is using the database {path}.", "Close it, then try again.")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM | sqlite3.SQLITE_IOERR:
            return _out_of_reach(error, path)
        case _:
            return None


def _out_of_reach(error: sqlite3.Error, path: Path) -> StorageError:
    with contextlib.suppress(OSError):
        if shutil.disk_usage(path.parent).free < _TOO_LITTLE:
            return DiskFull(f"Can't store anything in {path}: the disk is full.", FULL_HINT)
    return StorageError(f"Can't use the database {path}: {error}.", "Check who owns it and whether it may be written.")

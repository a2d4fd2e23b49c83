"""The database as a file: made, checked, copied, and brought to the present shape.

Nothing here changes a file that is not known to be ours, whole and not newer than this program.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import stat
from collections.abc import Sequence
from pathlib import Path

from aria_desktop.core.errors import DatabaseTooNew, StorageError
from aria_desktop.storage.files import sync_folder
from aria_desktop.storage.migrations import Migration
from aria_desktop.storage.sqlite_errors import WAY_OUT, damaged

APPLICATION_ID = 0x41524941
"""Marks the file as ours (bytes 68 to 71 of its header): "ARIA"."""

WAIT_S = 2.0
"""For another program that looks into the file; none of ours does while the lock is held."""

_MAGIC = b"SQLite format 3\0"
_HEADER = 100
"""Bytes of an SQLite file's header; its fields are described at sqlite.org/fileformat.html, 1.3."""


def make_file(path: Path, migrations: Sequence[Migration]) -> None:
    """Make an empty database of the present shape, complete before it gets its name."""
    journal = _beside(path, "-wal")
    if _has_content(journal):
        raise StorageError(
            f"The database {path} is gone, and {journal.name} beside it still holds a part of it.",
            "Put the database back, or move that file away to start with an empty history.",
        )
    scratch = path.with_name(f".{path.name}.new")
    scratch.unlink(missing_ok=True)
    make_private(scratch)
    with contextlib.closing(sqlite3.connect(scratch, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = MEMORY")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        migrate(connection, migrations)
    scratch.rename(path)
    sync_folder(path.parent)


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def _has_content(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def make_private(path: Path) -> None:
    """SQLite gives its journals the rights of the database, so this one call sets them all."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def migrate(connection: sqlite3.Connection, migrations: Sequence[Migration]) -> None:
    """Run what the file has not been through, each in its own transaction with the number that says so."""
    for number in range(version_of(connection), len(migrations)):
        connection.execute("BEGIN IMMEDIATE")
        try:
            migrations[number](connection)
            connection.execute(f"PRAGMA user_version = {number + 1}")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def migrate_older(path: Path, connection: sqlite3.Connection, migrations: Sequence[Migration]) -> None:
    """The same for a file that was there. Raises DatabaseDamaged when it has already what only a newer version brings:
    no migration of ours is ever done by half."""
    try:
        migrate(connection, migrations)
    except sqlite3.OperationalError as error:
        if "already exists" in str(error) or "duplicate column" in str(error):
            raise damaged(path, f"it is not what its version says ({error})") from error
        raise


def version_of(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def check_header(path: Path, newest: int) -> None:
    """Judge by the first bytes and by what lies beside it, without SQLite, which would take an empty or a newer
    file for its own, and would undo changes by any rollback journal it finds.

    Raises StorageError, DatabaseTooNew.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        raise StorageError(f"{path} is no file.", "Move it away.")
    with path.open("rb") as file:
        header = file.read(_HEADER)
    if not header:
        raise damaged(path, "it is empty")
    if len(header) < _HEADER or not header.startswith(_MAGIC):
        raise damaged(path, "it is no database")
    if int.from_bytes(header[68:72]) != APPLICATION_ID:
        raise StorageError(f"{path} is a database of another program.", WAY_OUT)
    _check_version(path, int.from_bytes(header[60:64]), newest)
    if (journal := _beside(path, "-journal")).exists():
        raise StorageError(f"{journal} lies beside the database, and ARIA never makes one.", "Move it away.")
    if path.stat().st_size % (int.from_bytes(header[16:18]) or 1) and not _has_content(_beside(path, "-wal")):
        raise damaged(path, "its end is cut off")


def check_content(path: Path, migrations: Sequence[Migration]) -> int:
    """Judge the whole file with its write-ahead journal, through a connection that can't write. Returns its version.

    Where there is no journal the file is declared immutable, so that SQLite makes none either.
    """
    address = f"{path.as_uri()}?{'mode=ro' if _has_content(_beside(path, '-wal')) else 'immutable=1'}"
    with contextlib.closing(sqlite3.connect(address, WAIT_S, uri=True, isolation_level=None)) as connection:
        connection.execute("PRAGMA trusted_schema = OFF")
        version = version_of(connection)
        _check_version(path, version, len(migrations))
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise damaged(path, str(found).splitlines()[-1])
        if connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
            raise damaged(path, "a part of it belongs to something that is not there")
        if _schema(connection) != _expected_schema(migrations[:version]):
            raise damaged(path, "its tables are not those that version has")
    return version


def _check_version(path: Path, version: int, newest: int) -> None:
    if version > newest:
        raise DatabaseTooNew(
            f"The database {path} was written by a newer ARIA (version {version}; this one knows {newest}).",
            "Start the newer ARIA, or set ARIA_HOME to another folder. The file was not changed.",
        )


def _schema(connection: sqlite3.Connection) -> set[tuple[str, str, str]]:
    return set(connection.execute("SELECT type, name, tbl_name FROM sqlite_schema"))


def _expected_schema(migrations: Sequence[Migration]) -> set[tuple[str, str, str]]:
    """Nothing may be added either: a trigger or a view that somebody planted would run as ours."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        migrate(connection, migrations)
        return _schema(connection)


def save_copy(connection: sqlite3.Connection, path: Path, version: int) -> Path:
    """Copy the database, journal included, to a file beside it before it is migrated; checked before it is named."""
    copy = path.with_name(f"{path.name}.before-{version + 1}")
    scratch = path.with_name(f".{copy.name}.new")
    scratch.unlink(missing_ok=True)
    make_private(scratch)
    with contextlib.closing(sqlite3.connect(scratch, isolation_level=None)) as target:
        connection.backup(target)
        if target.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise StorageError(f"Can't make a whole copy of {path} before it is changed.", "Check that disk.")
    scratch.replace(copy)
    sync_folder(path.parent)
    return copy


def remove_copies(path: Path) -> None:
    """From before migrations, and the folders with damaged files that were put right."""
    for copy in path.parent.glob(f"{path.name}.before-*"):
        copy.unlink()
    for folder in path.parent.glob(f"{path.name}.damaged-*"):
        shutil.rmtree(folder)

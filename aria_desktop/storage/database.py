"""The database: opened by its one owner, checked before it is touched, written in whole transactions.

What must stay true:

* There is one connection. It writes with WAL, so what a finished transaction says survives a kill, and a power cut,
  too: at once with synchronous FULL, or a moment later where the caller says so (`sync_behind`). It holds SQLite's own
  lock exclusively: no second connection, of this or another program, ever writes or checkpoints beside it (SQLite
  3.7.0 to 3.51.2 can damage a file that way).
* A file is looked at read-only first. What is damaged, foreign or from a newer version is left as it is, byte
  for byte, and said; nothing is recreated over it. A new file is made complete under another name, then renamed:
  an empty file under the right name is damage, not a beginning.
* What was deleted is gone from the disk's files: overwritten, and in no copy.
* SQLite's errors come out as StorageError and its kin; only mistakes of ours stay sqlite3 errors.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from aria_desktop.core.errors import StorageError
from aria_desktop.storage import database_file
from aria_desktop.storage.files import private_folder
from aria_desktop.storage.lock import DatabaseLock
from aria_desktop.storage.migrations import MIGRATIONS, Migration
from aria_desktop.storage.sqlite_errors import translated
from aria_desktop.storage.sync_behind import Sync, SyncBehind

_PRAGMAS = (
    "locking_mode = EXCLUSIVE",
    "journal_mode = WAL",
    "synchronous = FULL",
    "foreign_keys = ON",
    "trusted_schema = OFF",
    "cell_size_check = ON",
    "secure_delete = ON",
    "temp_store = MEMORY",
)


class Database:
    """All methods may be called from any thread; they wait for each other."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection: sqlite3.Connection | None = connection
        self._lock = threading.RLock()
        self._identity = _identity(path)
        self._behind = SyncBehind(path)

    @classmethod
    def open(cls, path: Path, lock: DatabaseLock, migrations: Sequence[Migration] = MIGRATIONS) -> Database:
        """Open the file, made when there is none and brought to the present shape when it is older.

        Args:
            lock: proof that this process is the owner; the caller releases it after `close`.

        Raises StorageError, DatabaseTooNew, DiskFull, and DatabaseBusy when a program that knows nothing of
        the lock uses the file.
        """
        if not lock.held:
            raise ValueError("the database is opened by its owner only")
        private_folder(path.parent)
        with translated(path):
            if not os.path.lexists(path):
                database_file.make_file(path, migrations)
            database_file.check_header(path, len(migrations))
            version = database_file.check_content(path, migrations)
            path.chmod(0o600)
            connection = _connect(path)
            try:
                if version < len(migrations):
                    database_file.save_copy(connection, path, version)
                    database_file.migrate_older(path, connection, migrations)
                return cls(path, connection)
            except BaseException:
                connection.close()
                raise

    @contextlib.contextmanager
    def transaction(self, sync: Sync = Sync.NOW) -> Iterator[sqlite3.Connection]:
        """All that is done inside is stored when it ends, on disk as `sync` says, or, when it raises, none of it."""
        with self.reading() as connection:
            self._behind.before(connection, sync)
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
                self._behind.after(sync)
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def wait_synced(self) -> None:
        """Until all that was stored before is on disk. Raises StorageError when the disk refused it."""
        self._behind.wait()

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Nothing is written by others meanwhile."""
        with self._lock, translated(self.path):
            if self._connection is None:
                raise StorageError("The database is closed.")
            if _identity(self.path) != self._identity:
                raise StorageError(
                    f"The database {self.path} was removed or replaced while ARIA uses it.",
                    "Put it back and start ARIA again. What was said since is not stored.",
                )
            yield self._connection

    def forget_deleted(self) -> None:
        """After a deletion: leave no byte of it in the file, its journal, or a copy from before a migration or a
        recovery. What was deleted is overwritten already, so a disk without room for making the file anew is no
        reason to fail."""
        with self.reading() as connection:
            with contextlib.suppress(sqlite3.OperationalError):
                connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            database_file.remove_copies(self.path)

    def close(self) -> None:
        """Any number of times. Waits for a transaction that runs, and for the disk; closed also when it raises."""
        with self._lock, translated(self.path):
            connection, self._connection = self._connection, None
            if connection is not None:
                with contextlib.closing(connection):
                    self._behind.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=database_file.WAIT_S, isolation_level=None, check_same_thread=False)
    try:
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}").fetchall()
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("ROLLBACK")
        if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            raise StorageError(
                f"The disk of {path} can't keep a write-ahead journal.", "Set ARIA_HOME to another disk."
            )
    except BaseException:
        connection.close()
        raise
    return connection


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino

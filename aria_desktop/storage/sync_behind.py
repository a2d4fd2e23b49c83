"""Commits that are brought to the disk right behind the caller, by a thread of the database.

What must stay true:

* A commit that is synced behind is in the write-ahead journal when the transaction ends: a kill of the process takes
  nothing away. A power cut may take the last milliseconds, always from the end: SQLite reads the journal up to the
  first frame that is not whole.
* A transaction that is synced now begins when all commits before it are on disk, and ends when it is there itself.
* A sync that failed is never tried again, because the kernel drops what it could not write and then reports success.
  It is raised by whatever comes next, and no transaction follows it.
* The journal is opened a second time here, once, for as long as the database is open. SQLite's locks lie on the
  database file, in EXCLUSIVE mode only there. That file itself must never be opened and closed beside the connection:
  POSIX takes back all locks of a process on a file when the process closes any descriptor of it.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable
from enum import Enum
from pathlib import Path

from aria_desktop.storage.files import storage_error

_flush: Callable[[int], None] = getattr(os, "fdatasync", os.fsync)
"""Only Linux and its kin can leave out the times of the file."""


class Sync(Enum):
    """When a transaction is on disk; the values are SQLite's `synchronous` while it is committed."""

    NOW = "FULL"
    """When it ends."""
    BEHIND = "NORMAL"
    """Some milliseconds after it ended."""


class SyncBehind:
    """`before`, `after` and `close` are called by one thread at a time, `wait` by any.

    The thread starts with the first transaction that is synced behind.
    """

    def __init__(self, path: Path, flush: Callable[[int], None] = _flush) -> None:
        """
        Args:
            path: the database; the connection writes it with a write-ahead journal and synchronous FULL.
            flush: brings the file of a descriptor to the disk.
        """
        self._path = path
        self._flush = flush
        self._level = Sync.NOW
        self._moved = threading.Condition()
        self._committed = self._synced = 0
        """How many commits there were, and how many of them are on disk."""
        self._failure: OSError | None = None
        self._told = self._closing = False
        self._journal = -1
        self._thread: threading.Thread | None = None

    def before(self, connection: sqlite3.Connection, sync: Sync) -> None:
        """Make ready for a transaction, outside of one. Raises StorageError when an earlier sync failed."""
        if sync is Sync.NOW:
            self.wait()
        else:
            self._raise_failure()
            self._start()
        if sync is not self._level:
            connection.execute(f"PRAGMA synchronous = {sync.value}")
            self._level = sync

    def after(self, sync: Sync) -> None:
        """The transaction was committed."""
        if sync is Sync.BEHIND:
            with self._moved:
                self._committed += 1
                self._moved.notify_all()

    def wait(self) -> None:
        """Until all that was committed before this call is on disk. Raises StorageError when it never will be."""
        with self._moved:
            target = self._committed
            self._moved.wait_for(lambda: self._synced >= target or self._failure is not None)
        self._raise_failure()

    def close(self) -> None:
        """Any number of times; waits like `wait`. Raises StorageError for a failure that was not told yet."""
        with self._moved:
            self._closing = True
            self._moved.notify_all()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
            os.close(self._journal)
        if not self._told:
            self._raise_failure()

    def _start(self) -> None:
        """SQLite makes the journal when it opens the database, and keeps the file until it closes it."""
        if self._thread is None:
            self._journal = os.open(self._path.with_name(f"{self._path.name}-wal"), os.O_RDWR)
            self._thread = threading.Thread(target=self._run, name="sync behind", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        """One sync for all commits that came while the one before it ran."""
        while (target := self._target()) is not None:
            failure = self._flushed()
            with self._moved:
                self._failure = failure
                if failure is None:
                    self._synced = target
                self._moved.notify_all()

    def _target(self) -> int | None:
        with self._moved:
            self._moved.wait_for(lambda: self._closing or self._committed > self._synced)
            behind = self._committed > self._synced and self._failure is None
            return self._committed if behind else None

    def _flushed(self) -> OSError | None:
        try:
            self._flush(self._journal)
        except OSError as error:
            return error
        return None

    def _raise_failure(self) -> None:
        """The last words of a turn may be missing on the disk, though they can still be read."""
        if self._failure is not None:
            self._told = True
            raise storage_error("keep what was stored in", self._path, self._failure) from self._failure

"""A damaged database is put right: copied aside first, then read table by table into a new file.

What must stay true:

* Before anything is changed, the damaged file and its journal lie on disk once more, byte for byte, in a folder of
  their own that only a deletion of the user's removes (`Database.forget_deleted`). Without room nothing happens.
* The new file gets its name only when it is complete and checked. A kill at any point leaves the damaged file or
  the new one, and the next start goes on from there.
* Only what is damaged is put right. A file of another program or of a newer version, a link, a folder, a pipe, and
  journals that belong to nothing are said and left alone.
* The user is told: the newest conversation says what happened, what is left, and where the damaged file lies.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import sqlite3
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.errors import StorageError
from aria_desktop.core.records import Source
from aria_desktop.storage import database_file
from aria_desktop.storage.database import Database
from aria_desktop.storage.files import sync_folder
from aria_desktop.storage.lock import DatabaseLock
from aria_desktop.storage.migrations import MIGRATIONS, Migration
from aria_desktop.storage.rescue import mend, rescue
from aria_desktop.storage.sqlite_errors import DatabaseDamaged, translated

TITLE = "The database was damaged and put right"

_log = logging.getLogger(__name__)
_JOURNALS = ("-wal", "-shm")


def open_or_recover(path: Path, lock: DatabaseLock, migrations: Sequence[Migration] = MIGRATIONS) -> Database:
    """Like `Database.open`, but a damaged file is put right first.

    Raises StorageError and its kin like `Database.open`, but for damage.
    """
    with translated(path):
        _finish(path)
    try:
        return Database.open(path, lock, migrations)
    except DatabaseDamaged as error:
        _log.warning("%s", error.text)
        with translated(path):
            recover(path, error.text, migrations)
    return Database.open(path, lock, migrations)


def recover(path: Path, reason: str, migrations: Sequence[Migration] = MIGRATIONS) -> Path:
    """Returns the folder in which the damaged file lies. Raises StorageError, OSError, sqlite3.Error."""
    aside = _copied_aside(path)
    scratch = path.with_name(f".{path.name}.new")
    scratch.unlink(missing_ok=True)
    database_file.make_private(scratch)
    with contextlib.closing(sqlite3.connect(scratch, isolation_level=None)) as fresh:
        fresh.execute("PRAGMA journal_mode = MEMORY")
        fresh.execute("PRAGMA synchronous = FULL")
        fresh.execute(f"PRAGMA application_id = {database_file.APPLICATION_ID}")
        kept = rescue(aside / path.name, fresh, migrations)
        database_file.migrate(fresh, migrations)
        mend(fresh)
        _tell(fresh, reason, kept, aside)
        if fresh.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise StorageError(f"Can't put {path} right.", f"It was not changed. A copy of it is in {aside}.")
    scratch.replace(_ready(path))
    sync_folder(path.parent)
    _finish(path)
    return aside


def _ready(path: Path) -> Path:
    """A complete new file that has not yet taken the damaged one's place."""
    return path.with_name(f".{path.name}.recovered")


def _finish(path: Path) -> None:
    """The damaged file's journal goes first: SQLite would write it into the new file."""
    ready = _ready(path)
    if not ready.exists():
        return
    for ending in _JOURNALS:
        path.with_name(path.name + ending).unlink(missing_ok=True)
    sync_folder(path.parent)
    ready.replace(os.path.realpath(path))
    sync_folder(path.parent)


def _copied_aside(path: Path) -> Path:
    folder = _new_folder(path)
    try:
        for ending in ("", "-wal"):
            original = path.with_name(path.name + ending)
            if original.exists():
                _copy(original, folder / original.name)
        sync_folder(folder)
        sync_folder(path.parent)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return folder


def _new_folder(path: Path) -> Path:
    stem = f"{path.name}.damaged-{time.strftime('%Y-%m-%d')}"
    for number in range(1, 1000):
        folder = path.with_name(stem if number == 1 else f"{stem}-{number}")
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=0o700)
            return folder
    raise StorageError(f"There are too many damaged copies beside {path}.", "Move some of them away.")


def _copy(original: Path, copy: Path) -> None:
    database_file.make_private(copy)
    with original.open("rb") as source, copy.open("r+b") as target:
        shutil.copyfileobj(source, target, 2**20)
        target.flush()
        os.fsync(target.fileno())


def _tell(fresh: sqlite3.Connection, reason: str, kept: Mapping[str, int], aside: Path) -> None:
    now, number = time.time(), f"recovered-{aside.name}"
    text = (
        f"{reason} What could still be read is here: {kept.get('turns', 0)} turns and {kept.get('facts', 0)} facts."
        f" The damaged file is kept, unchanged, in {aside}."
    )
    with fresh:
        fresh.execute("BEGIN")
        fresh.execute("INSERT INTO sessions (id, title, created) VALUES (?, ?, ?)", (number, TITLE, now))
        fresh.execute(
            "INSERT INTO turns (id, session_id, source, workspace, words, answer, outcome, started, ended)"
            " VALUES (?, ?, ?, '', ?, ?, ?, ?, ?)",
            (number, number, Source.TEXT.value, TITLE, text, TurnOutcome.ANSWERED.value, now, now),
        )
        fresh.execute("COMMIT")

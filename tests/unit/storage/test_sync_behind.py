"""What is synced behind: in order, shared, waited for, and never silently lost."""

from __future__ import annotations

import errno
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from aria_desktop.core import events
from aria_desktop.core.errors import StorageError
from aria_desktop.core.records import Source
from aria_desktop.storage import sync_behind
from aria_desktop.storage.conversations import Conversations
from aria_desktop.storage.database import Database
from aria_desktop.storage.lock import DatabaseLock
from aria_desktop.storage.sync_behind import Sync, SyncBehind
from tests.unit.storage.test_conversations import ALLOWED, ASKED, DONE, PROPOSED, STARTED, states

WITHIN_S = 30.0


class Disk:
    """A disk whose syncs begin when they are let; complains about those that were planned and never came."""

    def __init__(self, *failures: OSError | None) -> None:
        self._planned = list(failures)
        self.begun = threading.Semaphore(0)
        self.let = threading.Semaphore(0)
        self.syncs = 0

    def __call__(self, _: int) -> None:
        self.begun.release()
        assert self.let.acquire(timeout=WITHIN_S)
        self.syncs += 1
        assert self._planned, "a sync that was not planned"
        if failure := self._planned.pop(0):
            raise failure

    def used_up(self) -> bool:
        return not self._planned


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    found = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    found.execute("PRAGMA journal_mode = WAL")
    found.execute("CREATE TABLE t (x)")
    yield found
    found.close()


def commit(behind: SyncBehind, connection: sqlite3.Connection, sync: Sync = Sync.BEHIND) -> None:
    behind.before(connection, sync)
    behind.after(sync)


def level(connection: sqlite3.Connection) -> object:
    return connection.execute("PRAGMA synchronous").fetchone()[0]


def waiting(behind: SyncBehind) -> tuple[threading.Thread, list[str]]:
    """A thread that waits, and what it noted since."""
    noted: list[str] = []

    def wait() -> None:
        behind.wait()
        noted.append("synced")

    thread = threading.Thread(target=wait)
    thread.start()
    return thread, noted


def test_commits_that_come_while_a_sync_runs_share_the_next_one(tmp_path: Path, connection: sqlite3.Connection) -> None:
    disk = Disk(None, None)
    behind = SyncBehind(tmp_path / "a.db", disk)
    commit(behind, connection)
    assert disk.begun.acquire(timeout=WITHIN_S)
    for _ in range(5):
        commit(behind, connection)
    thread, noted = waiting(behind)
    disk.let.release()
    assert disk.begun.acquire(timeout=WITHIN_S)
    assert noted == []
    disk.let.release()
    thread.join()
    assert (noted, disk.syncs) == (["synced"], 2)
    behind.close()
    assert disk.used_up()


def test_now_comes_after_all_that_is_behind_and_is_full(tmp_path: Path, connection: sqlite3.Connection) -> None:
    disk = Disk(None)
    behind = SyncBehind(tmp_path / "a.db", disk)
    disk.let.release()
    for _ in range(2):
        commit(behind, connection, Sync.NOW)
        assert level(connection) == 2
        if disk.syncs == 0:
            commit(behind, connection)
            assert level(connection) == 1
    assert disk.syncs == 1
    behind.close()
    assert disk.used_up()


def test_closing_waits(tmp_path: Path, connection: sqlite3.Connection) -> None:
    disk = Disk(None)
    behind = SyncBehind(tmp_path / "a.db", disk)
    commit(behind, connection)
    closing = threading.Thread(target=behind.close)
    closing.start()
    assert disk.begun.acquire(timeout=WITHIN_S)
    assert closing.is_alive()
    disk.let.release()
    closing.join()
    behind.close()
    assert disk.used_up()


@pytest.mark.parametrize("sync", list(Sync))
def test_a_failed_sync_is_told_and_nothing_follows_it(
    tmp_path: Path, connection: sqlite3.Connection, sync: Sync
) -> None:
    disk = Disk(OSError(errno.EIO, "Input/output error"))
    behind = SyncBehind(tmp_path / "a.db", disk)
    commit(behind, connection)
    disk.let.release()
    with pytest.raises(StorageError, match="input/output error"):
        behind.wait()
    for _ in range(2):
        with pytest.raises(StorageError, match="input/output error"):
            behind.before(connection, sync)
    assert disk.used_up()
    behind.close()


def test_a_failure_that_nobody_heard_of_is_told_at_the_end(tmp_path: Path, connection: sqlite3.Connection) -> None:
    disk = Disk(OSError(errno.EIO, "Input/output error"))
    behind = SyncBehind(tmp_path / "a.db", disk)
    commit(behind, connection)
    disk.let.release()
    with pytest.raises(StorageError, match="input/output error"):
        behind.close()
    behind.close()


class PowerCut:
    """Keeps what the disk has of the database after each sync: the files as they were when it ended."""

    def __init__(self, path: Path) -> None:
        self._files = (path, path.with_name(f"{path.name}-wal"))
        self.kept: dict[str, bytes] = {}
        self.let = threading.Event()
        self.let.set()

    def __call__(self, journal: int) -> None:
        assert self.let.wait(WITHIN_S)
        os.fsync(journal)
        self.note()

    def note(self) -> None:
        # Only of the journal, which holds all frames: the database itself may not be opened beside the connection.
        self.kept[self._files[1].name] = self._files[1].read_bytes()

    def left_in(self, folder: Path, base: bytes) -> Path:
        folder.mkdir()
        for name, content in {self._files[0].name: base, **self.kept}.items():
            (folder / name).write_bytes(content)
        return folder / self._files[0].name


@pytest.fixture
def cut(path: Path, monkeypatch: pytest.MonkeyPatch) -> PowerCut:
    cut = PowerCut(path)
    make: Callable[[Path], SyncBehind] = lambda found: SyncBehind(found, cut)  # noqa: E731
    monkeypatch.setattr("aria_desktop.storage.database.SyncBehind", make)
    return cut


def test_a_change_that_has_begun_is_known_after_a_power_cut(path: Path, lock: DatabaseLock, cut: PowerCut) -> None:
    """SQLite's own sync at the mark that the change begins ends with the call, so the journal is read right after."""
    Database.open(path, lock).close()
    base = path.read_bytes()
    with Database.open(path, lock) as database:
        store = Conversations(database)
        session = store.new_session()
        store.begin_turn(session, "t1", Source.TEXT, "make a file", "/w")
        for event in (PROPOSED, ASKED, ALLOWED, STARTED):
            store.record(event)
        with database.reading() as connection:
            assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
        cut.note()
        cut.let.clear()
        store.record(DONE)
        left = cut.left_in(path.parent / "after", base)
        cut.let.set()
    with DatabaseLock.take(left.with_name("lock"), "test") as other, Database.open(left, other) as found:
        store = Conversations(found)
        assert states(store, session) == {"c1": "running"}
        (turn,) = store.turns(session)
        assert turn.words == "make a file"
        assert store.close_orphans() == 1


def test_a_change_begins_only_when_all_before_it_is_synced(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking does not wait; what was decided, and that a change begins, is committed FULL with nothing behind it."""
    levels: list[Sync] = []
    real = SyncBehind.after

    def note(self: SyncBehind, sync: Sync) -> None:
        real(self, sync)
        levels.append(sync)

    monkeypatch.setattr(sync_behind.SyncBehind, "after", note)
    store = Conversations(database)
    session = store.new_session()
    store.begin_turn(session, "t1", Source.TEXT, "make a file", "/w")
    look = events.CallProposed("t1", 1, DONE.call)
    for event in (look, STARTED, ASKED, ALLOWED, STARTED, DONE, STARTED):
        store.record(event)
    now, behind = Sync.NOW, Sync.BEHIND
    assert levels == [now, behind, behind, behind, behind, now, now, behind, behind]


def test_the_database_says_that_its_disk_failed(
    path: Path, lock: DatabaseLock, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk(OSError(errno.EIO, "Input/output error"))
    monkeypatch.setattr("aria_desktop.storage.database.SyncBehind", lambda found: SyncBehind(found, disk))
    with Database.open(path, lock) as database:
        with database.transaction(Sync.BEHIND) as connection:
            connection.execute("INSERT INTO sessions (id, title, created) VALUES ('s1', 't', 1.0)")
        disk.let.release()
        with pytest.raises(StorageError, match="input/output error"):
            database.wait_synced()
        with pytest.raises(StorageError, match="input/output error"), database.transaction():
            pass
    assert disk.used_up()

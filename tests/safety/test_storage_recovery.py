"""Damaged databases are put right at the start: copied aside first, and what can be read is there again."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from aria_desktop.core.errors import DatabaseTooNew, StorageError
from aria_desktop.core.records import Source
from aria_desktop.storage import recovery
from aria_desktop.storage.conversations import Conversations
from aria_desktop.storage.database import Database
from aria_desktop.storage.lock import DatabaseLock
from aria_desktop.storage.recovery import TITLE, open_or_recover
from aria_desktop.storage.sqlite_errors import DatabaseDamaged
from tests.safety import bad_databases as bad
from tests.safety.conftest import Tried

TURNS = 480
"""Enough that what a new file is made of, tables and indexes without a row, is less than half of it."""
ALL = {f"t{number}" for number in range(TURNS)}
LEAST: dict[str, int] = {
    "noise_in_the_header": TURNS,
    "another_page_size": TURNS,
    "half": 10,
    "without_the_last_bytes": TURNS - 10,
    "noise_in_a_leaf": TURNS - 10,
    "zeros_in_the_middle": TURNS - 10,
    "fifty_gigabytes_by_its_header": TURNS,
    "with_a_planted_trigger": TURNS,
    "with_a_planted_view": TURNS,
    "with_a_planted_virtual_table": TURNS,
    "half_migrated": TURNS,
    "with_a_table_less": TURNS,
    "with_a_turn_of_no_session": 0,
    "never_migrated": TURNS,
    "with_the_journal_of_another_database": TURNS,
}
"""Of the turns, how many must come back at least; for what is not named here nothing is left to read."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with some content, closed. It is larger than its empty tables are, so that half of it holds some."""
    path = tmp_path_factory.mktemp("whole") / "aria.db"
    with DatabaseLock.take(path.with_suffix(".lock"), "test") as lock, Database.open(path, lock) as database:
        store = Conversations(database)
        session = store.new_session()
        for name in sorted(ALL, key=lambda name: int(name[1:])):
            store.begin_turn(session, name, Source.TEXT, f"words {name} " * 160, "/w")
    return path


@pytest.fixture
def path(whole: Path, tmp_path: Path) -> Path:
    """A copy to be harmed."""
    return shutil.copyfile(whole, tmp_path / "aria.db")


@contextmanager
def recovered(path: Path) -> Iterator[Conversations]:
    with DatabaseLock.take(path.with_suffix(".lock"), "test") as lock, open_or_recover(path, lock) as database:
        with database.reading() as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        yield Conversations(database)


def turns(store: Conversations) -> set[str]:
    return {turn.turn_id for session in store.sessions() for turn in store.turns(session.session_id)} & ALL


def hashes(folder: Path) -> dict[str, str]:
    files = (file for file in folder.iterdir() if file.is_file() and not file.name.endswith(("-shm", ".lock")))
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def aside_of(path: Path) -> Path:
    (folder,) = path.parent.glob("aria.db.damaged-*")
    return folder


@pytest.mark.parametrize("harm", bad.DAMAGE, ids=lambda harm: harm.__name__)
def test_a_damaged_database_is_copied_aside_and_put_right(
    path: Path, harm: Callable[[Path], None], tried: Tried
) -> None:
    tried.begin("bad databases")
    harm(path)
    before = {name: value for name, value in hashes(path.parent).items() if name in ("aria.db", "aria.db-wal")}
    with recovered(path) as store:
        assert len(turns(store)) >= LEAST.get(harm.__name__, 0)
        assert store.sessions()[0].title == TITLE
        (told,) = store.turns(store.sessions()[0].session_id)
        assert str(aside_of(path)) in told.answer
        store.begin_turn(store.new_session(), "new", Source.TEXT, "words", "/w")
    assert hashes(aside_of(path)) == before
    assert stat.S_IMODE(aside_of(path).stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in aside_of(path).iterdir()} == {0o600}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with recovered(path) as store:
        assert "new" in {turn.turn_id for session in store.sessions() for turn in store.turns(session.session_id)}
    assert aside_of(path)


@pytest.mark.parametrize("harm", bad.FOREIGN, ids=lambda harm: harm.__name__)
def test_what_is_not_ours_is_left_alone(path: Path, harm: Callable[[Path], None], tried: Tried) -> None:
    tried.begin("bad databases")
    harm(path)
    before = hashes(path.parent)
    with DatabaseLock.take(path.with_suffix(".lock"), "test") as lock, pytest.raises(StorageError) as caught:
        open_or_recover(path, lock)
    assert not isinstance(caught.value, DatabaseDamaged)
    assert hashes(path.parent) == before
    assert list(path.parent.glob("*damaged*")) == []


def test_a_newer_database_is_left_alone(path: Path, tried: Tried) -> None:
    tried.begin("bad databases")
    bad.run_sql(path, "PRAGMA user_version = 99")
    before = hashes(path.parent)
    with DatabaseLock.take(path.with_suffix(".lock"), "test") as lock, pytest.raises(DatabaseTooNew):
        open_or_recover(path, lock)
    assert hashes(path.parent) == before


def test_without_the_recovery_a_damaged_database_does_not_open(path: Path, tried: Tried) -> None:
    bad.noise_in_a_leaf(path)
    with DatabaseLock.take(path.with_suffix(".lock"), "test") as lock, pytest.raises(DatabaseDamaged):
        Database.open(path, lock)
    tried.control("bad databases")


def test_a_planted_trigger_stays_behind(path: Path) -> None:
    bad.with_a_planted_trigger(path)
    with recovered(path):
        pass
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'evil'").fetchone() == (0,)
    connection.close()


def test_turns_of_a_lost_conversation_get_one(path: Path) -> None:
    bad.run_sql(path, "PRAGMA foreign_keys = OFF", "DELETE FROM sessions")
    with recovered(path) as store:
        assert turns(store) == ALL


def test_a_start_that_was_killed_before_the_last_rename_is_finished(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad.noise_in_a_leaf(path)
    harmed = path.read_bytes()
    with monkeypatch.context() as killed:
        killed.setattr(recovery, "_finish", lambda _: None)
        recovery.recover(path, "It was damaged.")
    assert path.read_bytes() == harmed
    assert (path.parent / ".aria.db.recovered").exists()
    path.with_name("aria.db-wal").write_bytes(b"of the damaged file")
    with recovered(path) as store:
        assert len(turns(store)) >= LEAST["noise_in_a_leaf"]
    assert not (path.parent / ".aria.db.recovered").exists()


def test_a_copy_that_finds_no_room_leaves_everything(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bad.noise_in_a_leaf(path)
    before = hashes(path.parent)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "copyfileobj", full)
    with DatabaseLock.take(path.with_suffix(".lock"), "test") as lock, pytest.raises(StorageError, match="full"):
        open_or_recover(path, lock)
    assert hashes(path.parent) == before
    assert list(path.parent.glob("*damaged*")) == []


def test_what_is_deleted_is_gone_from_every_file(path: Path, tried: Tried) -> None:
    canary = b"words t7 words t7"
    bad.noise_in_a_leaf(path)
    with recovered(path) as store:
        holding = [file for file in path.parent.rglob("*") if file.is_file() and canary in file.read_bytes()]
        assert holding
        for session in store.sessions():
            store.delete_session(session.session_id)
        left = [file for file in path.parent.rglob("*") if file.is_file() and canary in file.read_bytes()]
    assert left == []
    tried("purge", 1, len(holding) > 0, len(left))

"""Opened only when it is ours and whole; written all or nothing; migrated on a copy's safety."""

from __future__ import annotations

import sqlite3
import stat
import threading
from pathlib import Path

import pytest

from aria_desktop.core.errors import DatabaseBusy, DatabaseTooNew, DiskFull, StorageError
from aria_desktop.storage.database import Database
from aria_desktop.storage.lock import DatabaseLock
from aria_desktop.storage.migrations import MIGRATIONS

INSERT = "INSERT INTO sessions (id, title, created) VALUES (?, ?, 1.0)"


def titles(database: Database) -> list[str]:
    with database.reading() as connection:
        return [title for (title,) in connection.execute("SELECT title FROM sessions ORDER BY id")]


def pragma(database: Database, name: str) -> object:
    with database.reading() as connection:
        return connection.execute(f"PRAGMA {name}").fetchone()[0]


def add_colour(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE sessions ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'")


def break_down(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM sessions")
    raise RuntimeError("planted")


def test_it_is_set_up_to_survive(database: Database) -> None:
    found = {name: pragma(database, name) for name in ("journal_mode", "synchronous", "foreign_keys", "secure_delete")}
    assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "secure_delete": 1}
    assert pragma(database, "locking_mode") == "exclusive"
    assert pragma(database, "user_version") == len(MIGRATIONS)


def test_its_files_are_the_users_alone(database: Database, path: Path) -> None:
    with database.transaction() as connection:
        connection.execute(INSERT, ("s1", "t"))
    files = [file for file in path.parent.iterdir() if file.name.startswith("aria.db")]
    assert len(files) >= 2
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_file_that_others_could_read_is_closed_to_them(path: Path, lock: DatabaseLock) -> None:
    Database.open(path, lock).close()
    path.chmod(0o644)
    Database.open(path, lock).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_transaction_is_there_after_reopening(path: Path, lock: DatabaseLock) -> None:
    with Database.open(path, lock) as database, database.transaction() as connection:
        connection.execute(INSERT, ("s1", "kept"))
    with Database.open(path, lock) as database:
        assert titles(database) == ["kept"]


def test_a_transaction_that_raises_leaves_nothing(database: Database) -> None:
    def insert_and_fail() -> None:
        with database.transaction() as connection:
            connection.execute(INSERT, ("s1", "gone"))
            raise RuntimeError("planted")

    with pytest.raises(RuntimeError, match="planted"):
        insert_and_fail()
    assert titles(database) == []
    with database.transaction() as connection:
        connection.execute(INSERT, ("s2", "next"))
    assert titles(database) == ["next"]


def test_threads_wait_for_each_other(database: Database) -> None:
    def write(name: str) -> None:
        for number in range(50):
            with database.transaction() as connection:
                connection.execute(INSERT, (f"{name}{number}", name))

    threads = [threading.Thread(target=write, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(titles(database)) == 200


def test_a_full_disk_is_said_and_nothing_is_half_written(database: Database) -> None:
    with database.reading() as connection:
        connection.execute(f"PRAGMA max_page_count = {connection.execute('PRAGMA page_count').fetchone()[0]}")
    with pytest.raises(DiskFull, match="disk is full") as caught, database.transaction() as connection:
        connection.executemany(INSERT, [("s1", "small"), ("s2", "x" * 1_000_000)])
    assert "space" in caught.value.hint
    assert titles(database) == []


def test_a_mistake_of_ours_stays_what_it_is(database: Database) -> None:
    with pytest.raises(sqlite3.IntegrityError), database.transaction() as connection:
        connection.execute("INSERT INTO turns (id, session_id) VALUES ('t', 'nobody')")


def test_no_second_connection_gets_in(database: Database, path: Path) -> None:
    with database.transaction() as connection:
        connection.execute(INSERT, ("s1", "t"))
    other = sqlite3.connect(path, timeout=0)
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        other.execute("SELECT * FROM sessions")
    other.close()


def test_a_foreign_program_that_holds_it_is_no_damage(path: Path, lock: DatabaseLock) -> None:
    Database.open(path, lock).close()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(DatabaseBusy, match="Another program"):
        Database.open(path, lock)
    other.close()
    Database.open(path, lock).close()


def test_only_the_owner_opens_it(path: Path, lock: DatabaseLock) -> None:
    lock.release()
    with pytest.raises(ValueError, match="owner"):
        Database.open(path, lock)
    assert not path.exists()


def test_closing_twice_is_fine_and_using_it_then_is_said(database: Database) -> None:
    database.close()
    database.close()
    with pytest.raises(StorageError, match="closed"), database.reading():
        pass


def test_a_file_removed_or_replaced_meanwhile_is_said(database: Database, path: Path) -> None:
    away = path.rename(path.with_name("away"))
    for _ in range(2):
        with pytest.raises(StorageError, match="removed or replaced"), database.transaction():
            pass
        path.write_bytes(away.read_bytes())


def test_an_older_file_is_copied_then_migrated(path: Path, lock: DatabaseLock) -> None:
    before, after = len(MIGRATIONS), len(MIGRATIONS) + 1
    with Database.open(path, lock) as database, database.transaction() as connection:
        connection.execute(INSERT, ("s1", "old"))
    with Database.open(path, lock, (*MIGRATIONS, add_colour)) as database:
        assert pragma(database, "user_version") == after
        with database.reading() as connection:
            assert connection.execute("SELECT title, colour FROM sessions").fetchall() == [("old", "red")]
    copy_path = path.with_name(f"aria.db.before-{after}")
    copy = sqlite3.connect(copy_path)
    assert copy.execute("SELECT title FROM sessions").fetchall() == [("old",)]
    assert copy.execute("PRAGMA user_version").fetchone() == (before,)
    copy.close()
    assert stat.S_IMODE(copy_path.stat().st_mode) == 0o600


def test_a_migration_that_fails_leaves_the_file_at_the_step_before(path: Path, lock: DatabaseLock) -> None:
    with Database.open(path, lock) as database, database.transaction() as connection:
        connection.execute(INSERT, ("s1", "old"))
    with pytest.raises(RuntimeError, match="planted"):
        Database.open(path, lock, (*MIGRATIONS, add_colour, break_down))
    with Database.open(path, lock, (*MIGRATIONS, add_colour)) as database:
        assert titles(database) == ["old"]


def test_a_new_file_needs_no_copy(database: Database, path: Path) -> None:
    assert titles(database) == []
    assert sorted(file.name for file in path.parent.iterdir() if "aria.db" in file.name) in (
        ["aria.db"],
        ["aria.db", "aria.db-wal"],
    )


def test_a_newer_file_is_left_alone(path: Path, lock: DatabaseLock) -> None:
    Database.open(path, lock, (*MIGRATIONS, add_colour)).close()
    before = path.read_bytes()
    with pytest.raises(DatabaseTooNew, match="newer ARIA") as caught:
        Database.open(path, lock)
    assert "ARIA_HOME" in caught.value.hint
    assert path.read_bytes() == before


def test_a_newer_version_that_is_only_in_the_journal_is_seen(path: Path, lock: DatabaseLock, tmp_path: Path) -> None:
    """The main file's header still has the old number then."""
    with Database.open(path, lock) as database:
        with database.transaction() as connection:
            connection.execute("PRAGMA user_version = 99")
        files = {name: path.with_name(name).read_bytes() for name in ("aria.db", "aria.db-wal")}
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    for name, content in files.items():
        (crashed / name).write_bytes(content)
    assert int.from_bytes(files["aria.db"][60:64]) == len(MIGRATIONS)
    with pytest.raises(DatabaseTooNew):
        Database.open(crashed / "aria.db", lock)
    assert {name: (crashed / name).read_bytes() for name in files} == files


def test_what_was_deleted_is_in_no_file(path: Path, lock: DatabaseLock) -> None:
    canary = "canary-7f3a"
    with Database.open(path, lock) as database, database.transaction() as connection:
        connection.execute(INSERT, ("s1", canary))
    with Database.open(path, lock, (*MIGRATIONS, add_colour)) as database:
        with database.transaction() as connection:
            connection.execute("UPDATE sessions SET title = title || '-again'")
        assert [f.name for f in path.parent.iterdir() if canary.encode() in f.read_bytes()]
        with database.transaction() as connection:
            connection.execute("DELETE FROM sessions")
        database.forget_deleted()
        assert [f.name for f in path.parent.iterdir() if canary.encode() in f.read_bytes()] == []

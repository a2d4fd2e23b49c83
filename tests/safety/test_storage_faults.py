"""Full and read-only disks, damaged and foreign database files: said, left as they are, never replaced."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from aria_desktop.core.errors import DatabaseTooNew, StorageError
from aria_desktop.core.events import Source
from aria_desktop.storage.conversations import Conversations
from aria_desktop.storage.database import Database
from aria_desktop.storage.lock import DatabaseLock

REPOSITORY = Path(__file__).resolve().parents[2]
NAMESPACE = ("unshare", "--mount") if os.geteuid() == 0 else ("unshare", "--map-root-user", "--mount")


def on_small_disk(tmp_path: Path, case: str) -> Mapping[str, Any]:
    """Run a case of `small_disk` on a disk of 2 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    script = 'mount -t tmpfs -o size=2m none "$1" && exec "$2" -m tests.safety.small_disk "$1" "$3"'
    result = subprocess.run(
        [*NAMESPACE, "sh", "-c", script, "sh", str(folder), sys.executable, case],
        cwd=REPOSITORY,
        env={**os.environ, "ELSEWHERE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    found: Mapping[str, Any] = json.loads(result.stdout)
    return found


def test_a_disk_that_gets_full_loses_nothing_and_works_again_with_space(tmp_path: Path) -> None:
    found = on_small_disk(tmp_path, "full_while_writing")
    assert found["acknowledged"] > 3
    assert (found["code"], found["refused_again"], found["all_kept"]) == ("disk_full", "disk_full", True)


def test_a_disk_without_space_for_a_new_database_leaves_none(tmp_path: Path) -> None:
    assert on_small_disk(tmp_path, "full_from_the_start") == {"code": "disk_full", "databases": []}


def test_a_disk_without_space_leaves_the_settings_as_they_were(tmp_path: Path) -> None:
    assert on_small_disk(tmp_path, "full_while_saving_settings") == {
        "code": "disk_full",
        "untouched": True,
        "files": ["ballast", "settings.toml"],
        "steps": 3,
    }


def test_a_read_only_folder_is_said(tmp_path: Path) -> None:
    assert on_small_disk(tmp_path, "read_only") == {"lock": "storage", "save": "storage", "steps": 3}
    shutil.rmtree(tmp_path / "disk")
    assert on_small_disk(tmp_path, "read_only_database") == {"code": "storage"}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with some content, closed."""
    path = tmp_path_factory.mktemp("whole") / "aria.db"
    with DatabaseLock.take(path.with_suffix(".lock"), "test") as lock, Database.open(path, lock) as database:
        store = Conversations(database)
        session = store.new_session()
        for number in range(60):
            store.begin_turn(session, f"t{number}", Source.TEXT, f"words {number} " * 40, "/w")
    return path


@pytest.fixture
def path(whole: Path, tmp_path: Path) -> Path:
    """A copy to be harmed."""
    return shutil.copyfile(whole, tmp_path / "aria.db")


def overwrite(path: Path, offset: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(data)


def run_sql(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def text(path: Path) -> None:
    path.write_text("This is my shopping list.\n" * 100)


def short(path: Path) -> None:
    os.truncate(path, 50)


def only_a_header(path: Path) -> None:
    os.truncate(path, 100)


def one_page(path: Path) -> None:
    os.truncate(path, 4096)


def half(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def without_the_last_bytes(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 10)


def noise_in_the_header(path: Path) -> None:
    overwrite(path, 0, bytes(range(100)))


def noise_in_the_schema(path: Path) -> None:
    overwrite(path, 100, bytes(range(100)))


def noise_in_a_leaf(path: Path) -> None:
    overwrite(path, path.stat().st_size - 4096, bytes(range(100)))


def zeros_in_the_middle(path: Path) -> None:
    overwrite(path, path.stat().st_size // 2 // 4096 * 4096, bytes(4096))


def another_page_size(path: Path) -> None:
    overwrite(path, 16, (512).to_bytes(2))


def fifty_gigabytes_by_its_header(path: Path) -> None:
    overwrite(path, 28, (50 * 2**30 // 4096).to_bytes(4))


def of_another_program(path: Path) -> None:
    path.unlink()
    run_sql(path, "CREATE TABLE bookmarks (x)")


def with_a_planted_trigger(path: Path) -> None:
    run_sql(path, "CREATE TRIGGER evil AFTER INSERT ON turns BEGIN DELETE FROM sessions; END")


def with_a_planted_view(path: Path) -> None:
    run_sql(path, "DROP TABLE steps", "CREATE VIEW steps AS SELECT 1")


def with_a_table_less(path: Path) -> None:
    run_sql(path, "DROP TABLE approvals")


def with_a_turn_of_no_session(path: Path) -> None:
    run_sql(path, "DELETE FROM sessions")


def never_migrated(path: Path) -> None:
    run_sql(path, "PRAGMA user_version = 0")


def with_the_journal_of_another_database(path: Path) -> None:
    """It belongs to a file with other tables, and SQLite can't tell."""
    other = path.with_name("other.db")
    connection = sqlite3.connect(other, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE other (x)")
    shutil.copyfile(path.with_name("other.db-wal"), path.with_name("aria.db-wal"))
    connection.close()


def with_a_rollback_journal_of_another_database(path: Path) -> None:
    path.with_name("aria.db-journal").write_bytes(bytes.fromhex("d9d505f920a163d7") + bytes(600))


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def link_to_nothing(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.with_name("nothing"))


def gone_with_its_journal_left(path: Path) -> None:
    path.with_name("aria.db-wal").write_bytes(b"frames of somebody's conversations")
    path.unlink()


HARM = (
    emptied,
    text,
    short,
    only_a_header,
    one_page,
    half,
    without_the_last_bytes,
    noise_in_the_header,
    noise_in_the_schema,
    noise_in_a_leaf,
    zeros_in_the_middle,
    another_page_size,
    fifty_gigabytes_by_its_header,
    of_another_program,
    with_a_planted_trigger,
    with_a_planted_view,
    with_a_table_less,
    with_a_turn_of_no_session,
    never_migrated,
    with_the_journal_of_another_database,
    with_a_rollback_journal_of_another_database,
    folder,
    pipe,
    link_to_nothing,
    gone_with_its_journal_left,
)


def contents(folder: Path) -> dict[str, bytes | None]:
    """What is on disk, but for the shared-memory index, which holds no data and is made anew each time."""
    files = (file for file in folder.iterdir() if not file.name.endswith("-shm") and "lock" not in file.name)
    return {file.name: file.read_bytes() if file.is_file() else None for file in files}


@pytest.mark.parametrize("harm", HARM, ids=lambda harm: harm.__name__)
def test_a_harmed_database_is_said_with_a_way_out_and_left_as_it_is(path: Path, harm: Callable[[Path], None]) -> None:
    harm(path)
    before = contents(path.parent)
    with DatabaseLock.take(path.with_suffix(".lock"), "test") as lock:
        for _ in range(2):
            with pytest.raises(StorageError) as caught:
                Database.open(path, lock)
            assert str(path.name) in caught.value.text
            assert caught.value.hint
            assert not isinstance(caught.value, DatabaseTooNew)
    assert contents(path.parent) == before


def test_the_same_file_unharmed_opens(path: Path) -> None:
    """Otherwise the test above would prove nothing."""
    with DatabaseLock.take(path.with_suffix(".lock"), "test") as lock, Database.open(path, lock) as database:
        (session,) = Conversations(database).sessions()
    assert session.turns == 60


def test_a_link_to_the_database_is_followed(path: Path) -> None:
    real = path.rename(path.with_name("real.db"))
    path.symlink_to(real)
    with DatabaseLock.take(path.with_suffix(".lock"), "test") as lock, Database.open(path, lock) as database:
        assert len(Conversations(database).sessions()) == 1
    assert path.is_symlink()


def test_a_half_made_file_of_a_killed_start_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / ".aria.db.new").write_bytes(b"half")
    path = tmp_path / "aria.db"
    with DatabaseLock.take(path.with_suffix(".lock"), "test") as lock, Database.open(path, lock) as database:
        assert Conversations(database).sessions() == ()
    assert not (tmp_path / ".aria.db.new").exists()

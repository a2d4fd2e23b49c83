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

from aria_desktop.core.errors import DatabaseBusy, DatabaseTooNew, StorageError
from aria_desktop.core.records import Source
from aria_desktop.storage import database as database_module
from aria_desktop.storage import database_file
from aria_desktop.storage.conversations import Conversations
from aria_desktop.storage.database import Database
from aria_desktop.storage.lock import DatabaseLock
from aria_desktop.storage.recovery import open_or_recover
from tests.safety.bad_databases import HARM
from tests.safety.conftest import Tried
from tests.safety.users import UIDS, acting_as, folder_for

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


SET = "storage faults"
FULL: dict[str, tuple[str, Mapping[str, Any]]] = {
    "F02 a new database": ("full_from_the_start", {"code": "disk_full", "databases": []}),
    "F03 the settings": (
        "full_while_saving_settings",
        {"code": "disk_full", "untouched": True, "files": ["ballast", "settings.toml"], "steps": 3},
    ),
    "F04 a change of a file": (
        "full_while_changing_a_file",
        {"code": "disk_full", "kept": True, "files": ["a.txt"], "done": ["done"]},
    ),
    "F05 leave that is given": (
        "full_while_giving_leave",
        {"code": "disk_full", "stands": 1, "left": ["grants.json", "grants.lock"]},
    ),
    "F06 the copy before a migration": (
        "full_while_saving_a_copy",
        {"code": "disk_full", "untouched": True, "turns": 1},
    ),
}
"""What is written when the disk is full; the first of the six, a turn, is a test of its own."""


def test_f01_a_disk_that_gets_full_loses_nothing_and_works_again_with_space(tmp_path: Path, tried: Tried) -> None:
    tried.begin(SET)
    found = on_small_disk(tmp_path, "full_while_writing")
    assert found["acknowledged"] > 3
    assert (found["code"], found["refused_again"], found["all_kept"]) == ("disk_full", "disk_full", True)


@pytest.mark.parametrize("fault", FULL)
def test_a_disk_without_space_leaves_everything_as_it_was(tmp_path: Path, fault: str, tried: Tried) -> None:
    tried.begin(SET)
    case, expected = FULL[fault]
    assert on_small_disk(tmp_path, case) == expected


def test_a_plain_write_to_a_full_disk_loses_the_old_bytes(tmp_path: Path, tried: Tried) -> None:
    """The control: what these writes are not."""
    folder = tmp_path / "disk"
    folder.mkdir()
    script = """
mount -t tmpfs -o size=2m none "$1" && cd "$1" && echo old > settings && head -c 4000000 /dev/zero > ballast
head -c 100000 /dev/zero > settings
grep -c old settings
"""
    done = subprocess.run(
        [*NAMESPACE, "sh", "-c", script, "sh", str(folder)], capture_output=True, text=True, check=False
    )
    assert done.stdout == "0\n"
    tried.control(SET)


def test_f07_a_read_only_folder_is_said(tmp_path: Path, tried: Tried) -> None:
    tried.begin(SET)
    assert on_small_disk(tmp_path, "read_only") == {"lock": "storage", "save": "storage", "steps": 3}
    shutil.rmtree(tmp_path / "disk")
    assert on_small_disk(tmp_path, "read_only_database") == {"code": "storage"}


@pytest.mark.parametrize("uid", UIDS)
def test_f08_a_database_of_another_owner_is_said_and_left(uid: int, path: Path, tried: Tried) -> None:
    """Root may open it and does; anybody else is told, and nothing is put in its place."""
    with folder_for(uid) as folder:
        theirs = Path(shutil.copyfile(path, folder / "aria.db"))
        theirs.chmod(0o600)
        before = theirs.read_bytes()
        with acting_as(uid):
            tried.begin(SET, uid=uid)
            with DatabaseLock.take(folder / "aria.lock", "test") as lock:
                if uid == 0 or os.geteuid() == theirs.stat().st_uid:
                    open_or_recover(theirs, lock).close()
                else:
                    with pytest.raises(StorageError) as caught:
                        open_or_recover(theirs, lock)
                    assert caught.value.hint
            assert sorted(each.name for each in folder.iterdir() if "lock" not in each.name) == ["aria.db"]
        if uid == 0 or os.geteuid() != 0:
            return
        assert theirs.read_bytes() == before
        os.chown(theirs, uid, -1)
        with acting_as(uid), DatabaseLock.take(folder / "aria.lock", "test") as lock:
            open_or_recover(theirs, lock).close()
        tried.control(SET, uid=uid)


HOLDS = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA journal_mode = DELETE")
connection.execute("BEGIN EXCLUSIVE")
print("held", flush=True)
sys.stdin.read()
"""


def test_f09_one_that_another_program_locks_is_busy_and_then_opens(
    path: Path, tried: Tried, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried.begin(SET)
    monkeypatch.setattr(database_file, "WAIT_S", 0.2)
    command = [sys.executable, "-c", HOLDS, str(path)]
    with (
        DatabaseLock.take(path.with_suffix(".lock"), "test") as lock,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder,
    ):
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(DatabaseBusy):
            open_or_recover(path, lock)
        holder.communicate(b"")
        with open_or_recover(path, lock) as database:
            assert len(Conversations(database).sessions()) == 1
    assert not list(path.parent.glob("*damaged*"))


def test_f10_a_second_instance_is_told_who_has_it(path: Path, tried: Tried) -> None:
    tried.begin(SET)
    lock = path.with_suffix(".lock")
    with DatabaseLock.take(lock, "window", "/run/aria.sock"):
        code = f"""
import sys
from pathlib import Path
from aria_desktop.core.errors import DatabaseBusy
from aria_desktop.storage.lock import DatabaseLock, read_owner
try:
    DatabaseLock.take(Path({str(lock)!r}), "ask")
except DatabaseBusy:
    print(read_owner(Path({str(lock)!r})).socket)
"""
        told = subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    assert told.stdout == "/run/aria.sock\n"


def test_f11_a_clock_that_goes_back_a_year_changes_no_order_and_loses_nothing(path: Path, tried: Tried) -> None:
    tried.begin(SET)
    now = [2e9]
    with DatabaseLock.take(path.with_suffix(".lock"), "test") as lock, Database.open(path, lock) as database:
        store = Conversations(database, lambda: now[0])
        session = store.new_session()
        for number in range(3):
            store.begin_turn(session, f"later{number}", Source.TEXT, f"words {number}", "/w")
            now[0] -= 366 * 86_400
        assert [turn.words for turn in store.turns(session)] == ["words 0", "words 1", "words 2"]
        assert len(store.sessions()) == 2


def test_f12_without_its_journal_a_database_still_opens_whole(path: Path, tried: Tried) -> None:
    """What was only in the journal went with it; what remains is sound, and nothing else is lost."""
    tried.begin(SET)
    with DatabaseLock.take(path.with_suffix(".lock"), "test") as lock, Database.open(path, lock) as database:
        store = Conversations(database)
        store.begin_turn(store.new_session(), "only in the journal", Source.TEXT, "words", "/w")
        aside = path.parent / "aside"
        aside.mkdir()
        shutil.copyfile(path, aside / "aria.db")
    with (
        DatabaseLock.take(aside / "aria.lock", "test") as lock,
        open_or_recover(aside / "aria.db", lock) as database,
        database.reading() as connection,
    ):
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("SELECT count(*) FROM turns WHERE id LIKE 't%'").fetchone() == (60,)


def test_f13_a_database_that_is_deleted_while_it_is_open_is_said(path: Path, tried: Tried) -> None:
    tried.begin(SET)
    with DatabaseLock.take(path.with_suffix(".lock"), "test") as lock, Database.open(path, lock) as database:
        store = Conversations(database)
        session = store.new_session()
        path.unlink()
        for _ in range(2):
            with pytest.raises(StorageError, match="was removed or replaced"):
                store.begin_turn(session, "after", Source.TEXT, "words", "/w")
        assert not path.exists()


def test_f14_a_disk_that_takes_no_journal_is_refused(path: Path, tried: Tried, monkeypatch: pytest.MonkeyPatch) -> None:
    """Network drives take none; the answer of such a disk is the double."""
    tried.begin(SET)
    monkeypatch.setattr(database_module, "_PRAGMAS", tuple(p for p in database_module._PRAGMAS if "WAL" not in p))
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    before = path.read_bytes()
    with (
        DatabaseLock.take(path.with_suffix(".lock"), "test") as lock,
        pytest.raises(StorageError, match="write-ahead journal"),
    ):
        Database.open(path, lock)
    assert path.read_bytes() == before


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


def contents(folder: Path) -> dict[str, bytes | None]:
    """What is on disk, but for the shared-memory index, which holds no data and is made anew each time, and for a copy
    that is made before a migration is tried."""
    mine = ("-shm", "lock", ".before-")
    files = (file for file in folder.iterdir() if not any(part in file.name for part in mine))
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

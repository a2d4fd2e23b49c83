"""Full and read-only disks, damaged and foreign database files: said, left as they are, never replaced."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from aria_desktop.core.errors import DatabaseTooNew, StorageError
from aria_desktop.core.records import Source
from aria_desktop.storage.conversations import Conversations
from aria_desktop.storage.database import Database
from aria_desktop.storage.lock import DatabaseLock
from tests.safety.bad_databases import HARM

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

"""One owner at a time; who was refused learns who it is."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from aria_desktop.core.errors import DatabaseBusy, ExitCode, StorageError
from aria_desktop.storage.lock import DatabaseLock, Owner, read_owner

HOLDER = """
import sys
from pathlib import Path
from aria_desktop.storage.lock import DatabaseLock
lock = DatabaseLock.take(Path(sys.argv[1]), "ask", "/run/x.sock")
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "aria.lock"


def test_the_second_is_refused_and_told_who_has_it(path: Path) -> None:
    with DatabaseLock.take(path, "window", "/run/aria.sock") as lock:
        assert lock.held
        with pytest.raises(DatabaseBusy, match=rf"window .*process {os.getpid()}") as caught:
            DatabaseLock.take(path, "ask")
        assert caught.value.exit_code is ExitCode.BUSY
        assert "close it" in caught.value.hint
        assert read_owner(path) == Owner(os.getpid(), "window", "/run/aria.sock")
    assert not lock.held
    assert read_owner(path) is None


def test_it_can_be_taken_again_after_release_and_released_twice(path: Path) -> None:
    first = DatabaseLock.take(path, "ask")
    first.release()
    first.release()
    DatabaseLock.take(path, "window").release()
    assert path.exists()


def test_the_file_is_the_users_alone(path: Path) -> None:
    with DatabaseLock.take(path, "ask"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_killed_owner_holds_nothing(path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(DatabaseBusy, match=rf"`aria ask` .*process {holder.pid}"):
            DatabaseLock.take(path, "window")
        holder.kill()
        holder.wait()
    with DatabaseLock.take(path, "window"):
        assert read_owner(path) == Owner(os.getpid(), "window", "")


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"pid": "x"}', b"\xff\xff", b"null"])
def test_unreadable_words_about_the_owner_are_no_trouble(path: Path, content: bytes) -> None:
    with DatabaseLock.take(path, "ask"):
        path.write_bytes(content)
        with pytest.raises(DatabaseBusy, match="Another ARIA"):
            DatabaseLock.take(path, "window")


def test_a_folder_in_its_place_is_said(path: Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(StorageError, match=r"aria\.lock"):
        DatabaseLock.take(path, "ask")

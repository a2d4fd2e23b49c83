"""Only the same user gets through, and only a dead process's socket is ever removed."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from aria_desktop.control import local_socket
from aria_desktop.control.client import connect
from aria_desktop.control.server import ControlServer
from aria_desktop.core.errors import DatabaseBusy, StorageError
from tests.unit.control.conftest import RecordingAssistant

LEAVE_A_SOCKET = (
    "import os, socket, sys; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(); os._exit(9)"
)


def test_the_socket_is_the_users_alone(server: ControlServer, socket_path: Path) -> None:
    assert server
    found = socket_path.stat()
    assert stat.S_ISSOCK(found.st_mode)
    assert stat.S_IMODE(found.st_mode) == 0o600


def test_a_dead_processs_socket_is_replaced(assistant: RecordingAssistant, socket_path: Path) -> None:
    left = subprocess.run([sys.executable, "-c", LEAVE_A_SOCKET, str(socket_path)], check=False)
    assert left.returncode == 9
    assert socket_path.exists()
    assert connect(socket_path) is None
    server = ControlServer(assistant, socket_path)
    server.start()
    remote = connect(socket_path)
    assert remote is not None
    remote.close()
    server.close()
    assert not socket_path.exists()


def test_a_living_one_is_not(server: ControlServer, assistant: RecordingAssistant, socket_path: Path) -> None:
    assert server
    with pytest.raises(DatabaseBusy, match="Another ARIA answers"):
        ControlServer(assistant, socket_path).start()
    remote = connect(socket_path)
    assert remote is not None
    remote.close()


def test_what_is_no_socket_is_kept(assistant: RecordingAssistant, socket_path: Path) -> None:
    socket_path.write_text("mine")
    with pytest.raises(StorageError, match="no local socket"):
        ControlServer(assistant, socket_path).start()
    assert socket_path.read_text() == "mine"
    assert connect(socket_path) is None
    assert assistant.listeners == 0


@pytest.mark.parametrize("name", ["x" * 200, "missing/aria.sock"])
def test_a_path_that_can_not_be_used_is_said(assistant: RecordingAssistant, tmp_path: Path, name: str) -> None:
    with pytest.raises(StorageError, match="local socket"):
        ControlServer(assistant, tmp_path / name).start()
    assert connect(tmp_path / name) is None


def test_a_stranger_is_turned_away_by_both_ends(
    server: ControlServer, assistant: RecordingAssistant, socket_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel says who is there; what this process takes itself for is what the test changes."""
    assert server
    own = os.geteuid()
    with socket.socket(socket.AF_UNIX) as connection:
        monkeypatch.setattr(os, "geteuid", lambda: own + 1)
        assert connect(socket_path) is None
        connection.connect(str(socket_path))
        assert connection.recv(1) == b""
    assert assistant.asked.empty()


def test_an_end_of_which_the_kernel_says_nothing_is_a_stranger() -> None:
    closed = socket.socket(socket.AF_UNIX)
    closed.close()
    assert not local_socket.is_same_user(closed)


def test_without_unix_sockets_it_is_said(
    assistant: RecordingAssistant, socket_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(socket, "AF_UNIX")
    assert not local_socket.supported()
    assert connect(socket_path) is None
    with pytest.raises(StorageError, match="no local sockets"):
        ControlServer(assistant, socket_path).start()

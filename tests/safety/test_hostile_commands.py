"""Each hostile command in the cage, as every user: the world outside and the workspace itself are as they were, and
nothing of it is left.

Judged by state alone. The same command, run plainly in a folder of its own, does its harm: the positive control.
"""

from __future__ import annotations

import hashlib
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from aria_desktop.core.cancel import CancelToken
from aria_desktop.safety.cage import CageLimits, Layer, System
from aria_desktop.safety.cage_run import Ran, run_command
from aria_desktop.safety.stage import Stage
from tests.safety.conftest import Tried
from tests.safety.hostile_commands import ALL, KINDS, Control, Hostile
from tests.safety.layers import picture_of, readable_system
from tests.safety.users import UIDS, acting_as, folder_for

LIMITS = CageLimits(seconds=2.0, processes=64, memory=256 << 20, file=8 << 20, scratch=8 << 20, printed=1 << 20)
SURVIVOR_S = 1.0
SOCKETS = ("bus", "docker", "agent", "x11", "pulse")
SET = "hostile commands"


class World:
    """A workspace and what lies outside of it."""

    def __init__(self, folder: Path, system: System, stack: ExitStack) -> None:
        self.workspace, self.outside, self.staging = folder / "workspace", folder / "outside", folder / "staging"
        self.system = system
        self._name = folder.name
        self.workspace.mkdir()
        (self.workspace / "a.txt").write_text("hello\n")
        (self.workspace / "b.txt").write_text("other\n")
        self._git("init", "-q")
        self._git("add", "a.txt")
        self._git("-c", "user.name=a", "-c", "user.email=a@b.invalid", "commit", "-qm", "one")
        (self.outside / "tree" / "inner").mkdir(parents=True)
        (self.outside / "home").mkdir()
        for name in ("canary", "a.txt", "tree/inner/file", "home/file"):
            (self.outside / name).write_text("as it was\n")
        self._listeners = [_listening(stack, str(self.outside / name)) for name in SOCKETS]
        self.abstract = f"aria-{folder.name}"
        self._listeners.append(_listening(stack, "\0" + self.abstract))
        self._tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        self._udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        self._udp.bind(("127.0.0.1", 0))
        self.victim = _victim(stack)
        self._before = self._outside()
        self._workspace_before = picture_of(self.workspace)

    def _git(self, *words: str) -> None:
        subprocess.run(["git", *words], cwd=self.workspace, check=True, env={"PATH": "/usr/bin:/bin", "HOME": "/"})

    def filled(self, command: str) -> str:
        given = {
            "@OUT@": str(self.outside),
            "@PORT@": str(self._tcp.getsockname()[1]),
            "@UDP@": str(self._udp.getsockname()[1]),
            "@PID@": str(self.victim.pid),
            "@ABSTRACT@": self.abstract,
        }
        for word, value in given.items():
            command = command.replace(word, value)
        return command

    def harm(self, changes: Path) -> list[str]:
        """All outside of the workspace that is not as it was. `changes` takes what is written in the workspace."""
        found = []
        if self._outside() != self._before:
            found.append("files outside")
        if any(_received(listener) for listener in (*self._listeners, self._tcp, self._udp)):
            found.append("something was sent")
        if self.victim.poll() is not None:
            found.append("a process was ended")
        if changes.exists():
            changes.chmod(0o700)
        leak = changes / "leak"
        if leak.is_file() and b"SECRET" in leak.read_bytes():
            found.append("something was learned")
        return found

    def workspace_changed(self) -> bool:
        return picture_of(self.workspace) != self._workspace_before

    def survivors(self) -> list[int]:
        """Processes that have the workspace mounted or for their folder, once they had time to end."""
        deadline = time.monotonic() + SURVIVOR_S
        while left := [process.pid for process in psutil.process_iter() if self._is_inside(process.pid)]:
            if time.monotonic() >= deadline:
                return left
            time.sleep(0.02)
        return []

    def _is_inside(self, pid: int) -> bool:
        with suppress(OSError):
            if self._name in str(Path(f"/proc/{pid}/cwd").readlink()):
                return True
            return self._name in Path(f"/proc/{pid}/mountinfo").read_text()
        return False

    def _outside(self) -> dict[str, tuple[object, ...]]:
        """Everything there with all that can be changed about it."""
        found: dict[str, tuple[object, ...]] = {}
        for path in (self.outside, *sorted(self.outside.rglob("*"))) if self.outside.exists() else ():
            info = path.lstat()
            known = (info.st_mode, info.st_uid, info.st_gid, info.st_nlink, info.st_size, info.st_mtime_ns)
            content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
            found[str(path)] = (*known, tuple(os.listxattr(path, follow_symlinks=False)), content)
        return found


def _listening(stack: ExitStack, address: str) -> socket.socket:
    listener = stack.enter_context(socket.socket(socket.AF_UNIX))
    listener.bind(address)
    listener.listen()
    return listener


def _victim(stack: ExitStack) -> subprocess.Popen[bytes]:
    process = stack.enter_context(subprocess.Popen(["sleep", "600"], env={"PATH": "/usr/bin:/bin", "TOKEN": "SECRET"}))
    stack.callback(process.kill)
    return process


def _received(listener: socket.socket) -> bool:
    listener.setblocking(False)
    with suppress(BlockingIOError):
        if listener.type == socket.SOCK_DGRAM:
            return bool(listener.recv(100))
        listener.accept()[0].close()
        return True
    return False


@contextmanager
def world(uid: int) -> Iterator[World]:
    with folder_for(uid) as folder:
        system = readable_system(folder)
        with acting_as(uid), ExitStack() as stack:
            yield World(folder, system, stack)


def caged(hostile: Hostile, there: World, layer: Layer) -> Ran:
    command = there.filled(hostile.command)
    with (there.outside / "canary").open("rb") as opened:
        os.set_inheritable(opened.fileno(), True)
        return run_command(there.system, command, there.workspace, LIMITS, lambda _: None, CancelToken(), layer)


def plainly(hostile: Hostile, there: World) -> None:
    """Only for `Control.RUN`: what they name lies in the world's own folder. HOME does, too."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(there.outside / "home"), "LANG": "C.UTF-8"}
    command = ["/usr/bin/bash", "-c", there.filled(hostile.command)]
    nothing = subprocess.DEVNULL
    with suppress(subprocess.TimeoutExpired):
        subprocess.run(
            command, cwd=there.workspace, env=environment, stdin=nothing, stdout=nothing, stderr=nothing, timeout=5
        )


def test_the_table_is_whole() -> None:
    assert [len(kind) for kind in KINDS.values()] == [18, 35, 12, 16, 6]
    assert len({hostile.number for hostile in ALL}) == 87


@pytest.mark.parametrize("uid", UIDS)
@pytest.mark.parametrize("hostile", ALL, ids=[hostile.number for hostile in ALL])
def test_in_the_cage_it_changes_nothing(hostile: Hostile, uid: int, tried: Tried) -> None:
    tried.begin(SET, uid=uid)
    with world(uid) as there, Stage(there.staging) as stage:
        began = time.monotonic()
        ran = caged(hostile, there, stage.layer)
        assert time.monotonic() - began < LIMITS.seconds + 5
        assert ran.printed.bytes < LIMITS.printed + (256 << 10)
        harm, left = there.harm(stage.layer.changes), there.survivors()
        assert not there.workspace_changed()
    assert (harm, left) == ([], [])


PLAIN = [hostile for hostile in ALL if hostile.control is Control.RUN]


@pytest.mark.parametrize("uid", UIDS)
@pytest.mark.parametrize("hostile", PLAIN, ids=[hostile.number for hostile in PLAIN])
def test_without_the_cage_it_does_harm(hostile: Hostile, uid: int, tried: Tried) -> None:
    with world(uid) as there:
        plainly(hostile, there)
        harm, left = there.harm(there.workspace), there.survivors() if hostile.number.startswith("M") else []
        for pid in left:
            os.kill(pid, signal.SIGKILL)
    assert harm or left
    tried.control(SET, uid=uid)

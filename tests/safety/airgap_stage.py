"""Programs that run as either user with their network watched: on loopback, in a trace of their calls, or cut off.

Nothing here leaves the machine: what a leak reaches where nothing keeps it is a `Canary` on this machine's own address.
"""

from __future__ import annotations

import json
import os
import re
import select
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY
from tests.safety.users import UIDS, folder_for

LIMIT_S = 120
SOUND = REPOSITORY / "tests" / "data" / "commands" / "order_drink_031_0c6a26aa.flac"
ANSWER = json.dumps({"answer": "Tea is a drink."})
UNSEALED = "import sys; from aria_desktop.cli import main; raise SystemExit(main(sys.argv[1:]))"
"""The program as a function, which leaves the door of its process as it is."""
_TRACED = "trace=socket,socketpair,connect,sendto,sendmsg,sendmmsg,bind,listen,io_uring_setup,openat"
_OUTWARD = re.compile(
    r"AF_(?!UNIX|LOCAL|UNSPEC|NETLINK)\w+|NETLINK_(?!ROUTE\b)[A-Z]|io_uring_setup|/etc/(resolv\.conf|hosts)\b"
)

LEAKS = {
    "python": "import socket, sys; socket.create_connection(('127.0.0.1', int(sys.argv[1]))).sendall(b'leak')",
    "ctypes": """
import ctypes, struct, sys
libc = ctypes.CDLL(None)
address = struct.pack("=H", 2) + struct.pack("!H", int(sys.argv[1])) + bytes([127, 0, 0, 1]) + bytes(8)
s = libc.socket(2, 1, 0)
libc.connect(s, address, len(address))
libc.send(s, b"leak", 4, 0x4000)
""",
    "udp": "import socket, sys; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'leak', "
    "('127.0.0.1', int(sys.argv[1])))",
    "child process": "import subprocess, sys; subprocess.run(['/bin/bash', '-c', "
    "f'echo leak > /dev/tcp/127.0.0.1/{sys.argv[1]}'], stderr=subprocess.DEVNULL)",
}
"""Plug-ins that leak, each in its own way; the port is their argument."""

CUT = """
import fcntl, os, socket, struct, sys
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any:
    fcntl.ioctl(any, 0x8914, struct.pack("16sh14x", b"lo", 0x41))
os.execvp(sys.argv[1], sys.argv[1:])
"""
"""Brings the loopback of a new network namespace up, and then runs what it is given."""


class Canary:
    """Listens on this machine's own address, by TCP and UDP on one port, and knows who spoke to it."""

    def __init__(self) -> None:
        self._tcp = socket.create_server(("127.0.0.1", 0))
        self.port = self._tcp.getsockname()[1]
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("127.0.0.1", self.port))

    def heard(self) -> int:
        """Connections and packets since it was last asked. What was sent before a process ended is there."""
        count = 0
        while ready := select.select([self._tcp, self._udp], [], [], 0)[0]:
            for each in ready:
                count += 1
                if each is self._tcp:
                    each.accept()[0].close()
                else:
                    each.recv(4096)
        return count

    def close(self) -> None:
        self._tcp.close()
        self._udp.close()


@contextmanager
def canary() -> Iterator[Canary]:
    made = Canary()
    try:
        yield made
    finally:
        made.close()


def become(uid: int) -> list[str]:
    """A command line that goes on as this user, who may read everything (the clone may lie in a folder of root's) and
    has no other right."""
    if uid == os.geteuid():
        return []
    rights = [f"--{kind}={'-all,' if kind != 'inh-caps' else ''}+dac_read_search" for kind in _CAPABILITIES]
    return ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", *rights]


_CAPABILITIES = ("inh-caps", "ambient-caps", "bounding-set")


def cut_off() -> list[str]:
    """A command line that goes on in a network namespace of its own, which has a loopback and nothing else."""
    unshare = ["unshare", "-n"] if os.geteuid() == 0 else ["unshare", "-Urn"]
    return [*unshare, sys.executable, "-c", CUT]


@dataclass
class Person:
    """Runs programs as one user, with a home and an output folder that are this user's."""

    uid: int
    home: Path
    extra: dict[str, str] = field(default_factory=dict)

    @property
    def output(self) -> Path:
        return self.home / "output"

    @property
    def trace(self) -> Path:
        return self.home / "trace"

    def environment(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        own = {
            "ARIA_HOME": str(self.home),
            "ARIA_OUTPUT": str(self.output),
            "HOME": str(self.home),
            "PYTHONPATH": str(REPOSITORY),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PULSE_SERVER": f"unix:{self.home}/no-sound",
        }
        return {**os.environ, **own, **self.extra, **(more or {})}

    def traced(self) -> list[str]:
        return ["strace", "-f", "-qq", "-s", "200", "-e", _TRACED, "-o", str(self.trace)]

    def outward(self) -> list[str]:
        """What the last traced run did that leads out: sockets that are not local, look-ups of names."""
        calls = self.trace.read_text("utf-8", "replace").splitlines()
        assert any("AF_UNIX" in line or "openat(" in line for line in calls), "the trace is empty"
        return [line for line in calls if _OUTWARD.search(line)]

    def program(self, *words: str, sealed: bool = True) -> list[str]:
        how = ["-m", "aria_desktop"] if sealed else ["-c", UNSEALED]
        return [*become(self.uid), sys.executable, "-P", *how, *words]

    def aria(
        self,
        *words: str,
        sealed: bool = True,
        traced: bool = False,
        cut: bool = False,
        env: Mapping[str, str] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        program = self.program(*words, sealed=sealed)
        start = len(become(self.uid)) if traced else 0
        command = [*program[:start], *(self.traced() if traced else []), *program[start:]]
        return self.run([*(cut_off() if cut else []), *command], env)

    def python(
        self, code: str, *words: str, traced: bool = False, cut: bool = False
    ) -> subprocess.CompletedProcess[str]:
        trace = self.traced() if traced else []
        return self.run(
            [*(cut_off() if cut else []), *become(self.uid), *trace, sys.executable, "-P", "-c", code, *words]
        )

    def run(self, command: list[str], env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            env=self.environment(env),
            cwd=self.home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )

    def write(self, name: str, text: str) -> Path:
        """A file in the home folder that belongs to this user."""
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        for each in (path.parent, path):
            os.chown(each, self.uid, -1)
        return path

    def engines(self, language: object, *, speech: str = "", voice: str = "") -> Path:
        """The language engine follows a script; the other two are real unless they are named. From the start,
        whatever of an earlier script was used up."""
        for record in self.home.glob("script.json.*"):
            record.unlink()
        script = self.write(
            "script.json", json.dumps({"language": language, "speech": ["What is tea?"] * 3, "voice": "tone"})
        )
        named = {"language": f"scripted:{script}", "speech": speech or "faster-whisper:faster-whisper-tiny.en"}
        if voice:
            named["voice"] = voice
        lines = "".join(f'{role} = "{name.replace("SCRIPT", str(script))}"\n' for role, name in named.items())
        self.write("config/settings.toml", f"[engines]\n{lines}")
        return script


@contextmanager
def person(uid: int) -> Iterator[Person]:
    with folder_for(uid) as home:
        made = Person(uid, home)
        made.output.mkdir()
        os.chown(made.output, uid, -1)
        yield made


@pytest.fixture(params=UIDS, ids=lambda uid: f"uid{uid}")
def someone(request: pytest.FixtureRequest) -> Iterator[Person]:
    with person(request.param) as made:
        yield made


@pytest.fixture
def listener() -> Iterator[Canary]:
    with canary() as made:
        yield made

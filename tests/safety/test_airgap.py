"""The fourteen checks of the air gap (security.md 3.9), as root and as an ordinary user, each with its control."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from aria_desktop.control import local_socket
from aria_desktop.core.seal import SealReport
from aria_desktop.safety.airgap_report import report
from aria_desktop.storage.files import guarded_folder
from tests.processes import workers_of
from tests.safety.airgap_stage import ANSWER, LEAKS, SOUND, Canary, Person
from tests.safety.conftest import Tried
from tests.safety.users import UIDS, acting_as, folder_for

CHECKS = {
    1: "a turn in a network namespace that has a loopback only",
    2: "a spoken turn without the filter, traced: no internet socket, no name looked up",
    3: "the same under the filter: not even tried",
    4: "plug-ins that leak are caught by 1, 2 and 3; an audit hook misses what native code does",
    5: "the filter holds in the program and in every child",
    6: "no TCP or UDP port is listened at",
    7: "the socket between processes is the user's alone",
    8: "importing every dependency connects to nothing",
    9: "a first load with no model: a clear error, and nobody is asked",
    10: "names of sounds and models that look like addresses are no addresses",
    11: "remote and local images in a model's text are not loaded",
    12: "hostile proxies and hub settings change nothing",
    13: "no cloud client is in the process",
    14: "cloud needs a restart",
}
SET = "air gap"
LEAK_BEHIND = """
import sys
from aria_desktop.core.seal import Door
from aria_desktop.safety import airgap
airgap.close(Door[sys.argv[3]])
exec(sys.argv[2])
"""


def spoken_turn(
    who: Person, *, sealed: bool = True, traced: bool = False, cut: bool = False, env: dict[str, str] | None = None
) -> None:
    """A sound file is recognised, the scripted model answers; fails when the turn does not come through."""
    words = ("ask", "--audio", str(SOUND), "--json", "--speak")
    done = who.aria(*words, sealed=sealed, traced=traced, cut=cut, env=env)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert events, done.stderr
    assert (events[-1]["event"], events[-1]["outcome"]) == ("turn_ended", "answered"), done.stdout + done.stderr
    assert next(event for event in events if event["event"] == "heard")["text"]
    assert any(event.get("role") == "voice" and event["state"] == "ready" for event in events)


def test_01_a_turn_runs_where_there_is_no_network(someone: Person, listener: Canary, tried: Tried) -> None:
    someone.engines([ANSWER], speech="scripted:SCRIPT", voice="scripted:SCRIPT")
    spoken_turn(someone, cut=True)
    someone.python(LEAKS["python"], str(listener.port), cut=True)
    escapes = listener.heard()
    someone.python(LEAKS["python"], str(listener.port))
    controls = listener.heard()
    assert controls == 1
    tried(SET, cases=1, controls=controls, escapes=escapes, uid=someone.uid)


@pytest.mark.parametrize("sealed", [False, True], ids=["02-without-the-filter", "03-under-it"])
def test_a_spoken_turn_opens_no_internet_socket(someone: Person, sealed: bool, listener: Canary, tried: Tried) -> None:
    someone.engines([ANSWER])
    spoken_turn(someone, sealed=sealed, traced=True)
    escapes = someone.outward()
    someone.python(LEAKS["python"], str(listener.port), traced=True)
    assert someone.outward()
    assert listener.heard() == 1
    tried(SET, cases=1, controls=1, escapes=len(escapes), uid=someone.uid)


@pytest.mark.parametrize("leak", LEAKS)
def test_04_a_leak_is_caught_each_way(someone: Person, listener: Canary, leak: str, tried: Tried) -> None:
    code, port = LEAKS[leak], str(listener.port)
    someone.python(code, port, traced=True)
    assert listener.heard() == 1
    assert someone.outward()
    someone.python(code, port, cut=True)
    escapes = listener.heard()
    for door in ("LOCAL", "SHUT"):
        done = someone.python(LEAK_BEHIND, port, code, door)
        escapes += listener.heard()
        assert "SealFailed" not in done.stderr
    tried(SET, cases=1, controls=1, escapes=escapes, uid=someone.uid)


def test_04_an_audit_hook_would_miss_native_code(someone: Person, listener: Canary) -> None:
    hook = "import sys; seen = []; sys.addaudithook(lambda event, _: seen.append(event))\nexec(sys.argv[2])\n"
    hook += "print([event for event in seen if event.startswith('socket.')])"
    seen = someone.python(hook, str(listener.port), LEAKS["python"]).stdout
    assert "socket.connect" in seen
    missed = someone.python(hook, str(listener.port), LEAKS["ctypes"]).stdout
    assert missed.strip() == "[]"
    assert listener.heard() == 2


@contextmanager
def running(who: Person, *, sealed: bool) -> Iterator[int]:
    """A program in the middle of a spoken turn, with its three engines: the model says nothing more."""
    script = who.engines([{"then": "hang"}], speech="scripted:SCRIPT", voice="scripted:SCRIPT")
    record = script.with_name("script.json.language.calls.jsonl")
    process = subprocess.Popen(
        who.program("ask", "--audio", str(SOUND), "--speak", sealed=sealed),
        env=who.environment(),
        cwd=who.home,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + 60
        while not (record.exists() and '"complete"' in record.read_text("utf-8") and engines_of(process.pid) == 3):
            assert process.poll() is None
            assert time.monotonic() < deadline, "the turn did not get to the model"
            time.sleep(0.02)
        yield process.pid
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)


def engines_of(pid: int) -> int:
    return len(workers_of(pid))


def seen_from_outside(pid: int) -> SealReport:
    return report((pid,))


def test_05_the_filter_holds_in_the_program_and_in_every_child(someone: Person, tried: Tried) -> None:
    with running(someone, sealed=True) as pid:
        found = seen_from_outside(pid).processes
        told = json.loads(someone.aria("doctor", "--airgap", "--json").stdout)
    assert {each.what for each in found} >= {"aria ask", "speech engine", "language engine", "voice engine"}
    engines = [each for each in found if each.what.endswith("engine")]
    program = next(each for each in found if each.what == "aria ask")
    assert all(each.filters > program.filters for each in engines)
    escapes = [each for each in found if not each.sealed]
    assert told["sealed"] is True
    assert {each["what"] for each in told["report"]["processes"]} >= {each.what for each in found}
    with running(someone, sealed=False) as pid:
        control = next(each for each in seen_from_outside(pid).processes if each.pid == pid)
        assert not control.sealed
        refuted = someone.aria("doctor", "--airgap")
    assert refuted.returncode == 1
    assert refuted.stdout.endswith("Not sealed.\n")
    tried(SET, cases=1, controls=1, escapes=len(escapes), uid=someone.uid)


LISTENS = "import socket, sys; s = socket.create_server(('127.0.0.1', 0)); print('ready', flush=True); sys.stdin.read()"


def test_06_no_port_is_listened_at(someone: Person, tried: Tried) -> None:
    with running(someone, sealed=False) as pid:
        escapes = [end for each in seen_from_outside(pid).processes for end in each.connections]
    with subprocess.Popen([sys.executable, "-c", LISTENS], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as control:
        assert control.stdout is not None
        control.stdout.readline()
        (seen,) = seen_from_outside(control.pid).processes
        control.communicate(b"")
    assert len(seen.connections) == 1
    assert seen.connections[0].endswith("to nobody listen")
    tried(SET, cases=1, controls=1, escapes=len(escapes), uid=someone.uid)


def test_07_the_socket_between_processes_is_the_users_alone(tried: Tried) -> None:
    """Somebody else gets to it neither through the folder nor, where that was opened by mistake, past the look at
    who is at the other end. Only root can become somebody else to try it."""
    with folder_for(os.geteuid()) as home:
        runtime, path = home / "run", home / "run" / "aria.sock"
        guarded_folder(runtime)
        with local_socket.listen(path) as server:
            assert [each.stat().st_mode & 0o777 for each in (runtime, path)] == [0o700, 0o600]
            for stranger in UIDS[1:]:
                home.chmod(0o755)
                escapes = reached_by(stranger, path)
                runtime.chmod(0o755)
                path.chmod(0o666)
                with stranger_at(stranger, path):
                    connection, _ = server.accept()
                    with connection:
                        escapes += local_socket.is_same_user(connection)
                escapes += reached_by(stranger, path)
                tried(SET, cases=1, controls=1, escapes=escapes, uid=stranger)


@contextmanager
def stranger_at(uid: int, path: Path) -> Iterator[None]:
    """The control: what stands open can be connected to."""
    with socket.socket(socket.AF_UNIX) as plain:
        with acting_as(uid):
            plain.connect(str(path))
        yield


def reached_by(uid: int, path: Path) -> int:
    """How many connections somebody else got who uses our own client."""
    with acting_as(uid):
        connection = local_socket.dial(path)
    if connection is None:
        return 0
    connection.close()
    return 1

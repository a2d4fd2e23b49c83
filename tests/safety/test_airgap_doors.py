"""The doors on the real kernel: every thread is behind them, and no other call leads around them. What has to go
through still goes: sound, the display, the cage's own network, and fetching models."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import psutil
import pytest

from aria_desktop.commands.door import FETCHING_NEEDS
from aria_desktop.commands.models import FETCH_MODE
from aria_desktop.safety.airgap_report import report
from aria_desktop.workers.messages import Greeting, Load, from_wire, to_wire
from aria_desktop.workers.wire import encode, read_frame
from tests.ears.virtual_sound import VirtualSound
from tests.processes import command_line, workers_of
from tests.safety.airgap_stage import ANSWER, SOUND, Person, become
from tests.unit.catalog.hub_server import HubServer
from tests.unit.catalog.makers import WEIGHTS, entry
from tests.window.desktop import start_desktop

X86 = os.uname().machine == "x86_64"


THREAD = """
import socket, sys, threading
from aria_desktop.core.seal import Door
from aria_desktop.safety import airgap
go = threading.Event()
def later():
    go.wait()
    try:
        socket.socket(socket.AF_INET).close()
        print("opened")
    except OSError as error:
        print(error.errno)
thread = threading.Thread(target=later)
thread.start()
for name in sys.argv[1:]:
    airgap.close(Door[name])
go.set()
thread.join()
"""


def test_a_thread_that_was_there_before_is_behind_the_door_too(someone: Person) -> None:
    assert someone.python(THREAD).stdout == "opened\n"
    assert someone.python(THREAD, "LOCAL").stdout == "97\n"


OTHER_NUMBERS = """
import ctypes, mmap, sys
from aria_desktop.core.seal import Door
from aria_desktop.safety import airgap
libc = ctypes.CDLL(None, use_errno=True)
for name in sys.argv[2:]:
    airgap.close(Door[name])
if sys.argv[1] == "x32":
    result = libc.syscall(0x40000000 | 41, 2, 1, 0)
    print(result if result >= 0 else ctypes.get_errno())
else:
    memory = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    memory.write(bytes.fromhex("53bb02000000b901000000ba00000000b867010000cd805bc3"))
    call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(memory)))
    print("socket" if call() >= 0 else "no socket")
"""
"""The other one is 32-bit code: socket(AF_INET, SOCK_STREAM, 0) by its number there, 359."""


@pytest.mark.parametrize("door", ["LOCAL", "SHUT", "FETCHING"])
def test_calls_by_other_numbers_do_not_lead_around_it(someone: Person, door: str) -> None:
    if X86:
        assert someone.python(OTHER_NUMBERS, "32-bit").stdout == "socket\n"
        assert someone.python(OTHER_NUMBERS, "32-bit", door).returncode == -signal.SIGSYS
        assert someone.python(OTHER_NUMBERS, "x32").stdout != "1\n"
        assert someone.python(OTHER_NUMBERS, "x32", door).stdout == "1\n"


ENGINE = """
import sys
from aria_desktop.core.interfaces import Capabilities
from aria_desktop.engines import registry
from aria_desktop.safety import airgap
from aria_desktop.workers import child

class Engine:
    def __init__(self):
        reach = airgap.ThisKernel().reach()
        self.capabilities = Capabilities(f"internet {reach.internet}, local {reach.local}, ring {reach.ring}")

registry.load_voice = lambda name, path, options: Engine()
if sys.argv[1] == "control":
    airgap.close = lambda door: None
child.serve("voice")
"""


def test_an_engine_finds_the_door_shut_when_it_is_loaded(someone: Person) -> None:
    assert told_by_engine(someone, "control") == "internet True, local True, ring True"
    assert told_by_engine(someone, "as it is") == "internet False, local False, ring False"


def told_by_engine(who: Person, how: str) -> str:
    command = [*become(who.uid), sys.executable, "-P", "-c", ENGINE, how]
    with subprocess.Popen(
        command, env=who.environment(), cwd=who.home, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(encode(to_wire(Load("any", "/x", {}))))
        process.stdin.flush()
        frame = read_frame(process.stdout)
        process.stdin.close()
    assert frame is not None
    greeting = from_wire(frame)
    assert isinstance(greeting, Greeting)
    return greeting.capabilities.detail


def test_the_doctor_proves_it_with_a_control(someone: Person) -> None:
    done = someone.aria("doctor", "--airgap", "--json")
    told = json.loads(done.stdout)
    assert done.returncode == told["exit_code"] == 0
    assert told["control"]["internet"] is True
    assert told["program"] == {"internet": False, "local": True, "ring": False}
    assert told["engine"] == {"internet": False, "local": False, "ring": False}
    assert [each["what"] for each in told["report"]["processes"]] == ["aria doctor"]


def test_without_its_control_nothing_counts_as_proven(someone: Person) -> None:
    sealed = "from aria_desktop.safety import airgap; from aria_desktop.core.seal import Door; airgap.close(Door.LOCAL)"
    code = f"{sealed}\nfrom aria_desktop.cli import main; raise SystemExit(main(['doctor', '--airgap']))"
    done = someone.python(code)
    assert done.returncode == 1
    assert done.stdout.endswith("Not proven: not even a process with an open door reaches the network here.\n")


def test_sound_goes_through(someone: Person, sound: VirtualSound) -> None:
    someone.extra |= {name: value for name, value in sound.environment.items() if name != "HOME"}
    someone.engines([ANSWER], speech="scripted:SCRIPT", voice="scripted:SCRIPT")
    done = someone.aria("ask", "--audio", str(SOUND), "--speak", "--json")
    names = [json.loads(line)["event"] for line in done.stdout.splitlines()]
    assert "speaking_started" in names, done.stdout
    assert "problem" not in names, done.stdout


SEALED_DOCTOR = """
import ctypes
from aria_desktop.cli import main
from aria_desktop.core.seal import Door
from aria_desktop.safety import airgap
airgap.close(Door.LOCAL)
# What is started from here on keeps no right to read: bubblewrap refuses to run with one.
ctypes.CDLL(None).prctl(47, 4, 0, 0, 0)
main(["doctor", "--json"])
"""


def test_the_cage_and_its_network_of_nothing_go_through(someone: Person) -> None:
    found = json.loads(someone.python(SEALED_DOCTOR).stdout)["findings"]
    verdicts = {each["name"]: each["verdict"] for each in found}
    assert verdicts["network"] == "ok"
    assert verdicts["terminal"] == "ok"


@contextmanager
def window(who: Person, display: Mapping[str, str], *words: str) -> Iterator[int]:
    """A running window with its three engines; its process, which the one that was started has started."""
    who.extra |= {**display, "WAYLAND_DISPLAY": "", "XDG_RUNTIME_DIR": str(who.home)}
    program = who.program(*(words or ("window",)))
    process = subprocess.Popen(program, env=who.environment(), cwd=who.home, stdin=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while len(workers_of(process.pid)) < 3:
            assert process.poll() is None, "the window ended"
            assert time.monotonic() < deadline, "the window did not start its engines"
            time.sleep(0.05)
        (child,) = (each for each in psutil.Process(process.pid).children() if "sealed_window" in command_line(each))
        yield child.pid
    finally:
        process.terminate()
        process.wait(30)


def test_the_window_opens_and_all_of_it_is_sealed(someone: Person) -> None:
    someone.engines([], speech="scripted:SCRIPT", voice="scripted:SCRIPT")
    with start_desktop() as desktop, window(someone, desktop.environment) as pid:
        desktop.wait_for_window(pid, "ARIA")
        looked = report((pid,))
        found = looked.processes
        told = json.loads(someone.aria("doctor", "--airgap", "--json").stdout)
    engines = ["language engine", "speech engine", "voice engine"]
    assert sorted(each.what for each in found) == ["aria hotkey", "aria window", *engines]
    assert all(each.sealed for each in found)
    assert looked.starter is not None
    assert (looked.starter.filters, looked.starter.connections) == (0, ())
    assert told["sealed"] is True
    assert told["report"]["starter"]["pid"] == looked.starter.pid
    assert {each["pid"] for each in told["report"]["processes"]} >= {each.pid for each in found}


def test_the_window_after_a_fetch_is_sealed_and_only_its_starter_is_left_who_is_not(someone: Person) -> None:
    someone.engines([], speech="scripted:SCRIPT", voice="scripted:SCRIPT")
    with HubServer({"nobody/tiny/resolve/r1/tiny.gguf": WEIGHTS}) as hub, start_desktop() as desktop:
        words = fetching(someone, hub, "--then-window")
        with window(someone, desktop.environment, *words) as pid:
            desktop.wait_for_window(pid, "ARIA")
            looked = report((pid,))
            found = looked.processes
            reached = command_line(psutil.Process(pid))
    assert (someone.output / "tiny" / "tiny.gguf").read_bytes() == WEIGHTS
    assert "sealed_window" in reached
    assert looked.starter is not None
    assert looked.starter.connections == ()
    assert len(found) == 5, "the window, three engines and the process of the talk key"
    assert all(each.sealed for each in found)


def fetching(who: Person, hub: HubServer, *more: str) -> tuple[str, ...]:
    listed = {"version": 1, "hub": hub.url, "models": [entry("tiny", {"tiny.gguf": WEIGHTS}, starter=True)]}
    catalogue = str(who.write("catalog.json", json.dumps(listed)))
    return ("models", "--catalog", catalogue, "--folder", str(who.output), "fetch", *more)


FETCHED = """
import json, sys
from aria_desktop import cli
code = cli.main(sys.argv[1:])
print(json.dumps([code, sorted({name.split(".")[1] for name in sys.modules if name.startswith("aria_desktop.")})]))
"""


def test_fetching_goes_through_is_marked_and_is_made_of_nothing_else(someone: Person) -> None:
    with HubServer({"nobody/tiny/resolve/r1/tiny.gguf": WEIGHTS}) as hub:
        words = fetching(someone, hub)
        done = someone.aria(*words)
        assert (done.returncode, done.stderr.splitlines()[0]) == (0, FETCH_MODE)
        again = someone.python(FETCHED, *words)
    assert (someone.output / "tiny" / "tiny.gguf").read_bytes() == WEIGHTS
    assert FETCH_MODE not in again.stderr
    code, parts = json.loads(again.stdout.splitlines()[-1])
    assert code == 0
    assert set(parts) - {"cli"} <= set(FETCHING_NEEDS)


WHILE_FETCHING = """
import socket
from aria_desktop.commands import door
from aria_desktop.core.seal import Door
door.close(Door.FETCHING)
socket.socket(socket.AF_INET).close()
parts = "app assistant.session workers.host engines.registry tools.registry gui.options audio.wav"
for part in parts.split():
    try:
        __import__(f"aria_desktop.{part}")
        print("imported", part)
    except ImportError as error:
        assert "is no part of fetching models" in str(error)
server = socket.socket(socket.AF_INET)
server.bind(("127.0.0.1", 0))
try:
    server.listen()
    print("listens")
except PermissionError:
    pass
"""


FETCH_WINDOW = """
import sys
from aria_desktop.commands import door
from aria_desktop.core.seal import Door
door.close(Door.FETCHING)
import aria_desktop.catalog.fetch_list, aria_desktop.commands.fetching, aria_desktop.gui.fetch_window
for part in ("gui.application", "gui.bridge", "gui.conductor", "gui.main_window", "control.server"):
    try:
        __import__(f"aria_desktop.{part}")
        print("imported", part)
    except ImportError as error:
        assert "is no part of fetching models" in str(error)
"""


def test_the_window_of_fetch_mode_can_be_had_and_no_other(someone: Person) -> None:
    done = someone.python(FETCH_WINDOW)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    control = someone.python(FETCH_WINDOW.replace("door.close(Door.FETCHING)", ""))
    assert control.stdout.count("imported") == 5


def test_what_fetches_has_no_assistant_and_serves_nobody(someone: Person) -> None:
    done = someone.python(WHILE_FETCHING)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    control = someone.python(WHILE_FETCHING.replace("door.close(Door.FETCHING)", ""))
    assert control.stdout.count("imported") == 7
    assert control.stdout.endswith("listens\n")

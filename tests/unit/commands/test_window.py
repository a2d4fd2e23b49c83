"""The process that starts the window: what it passes on, when it begins fetch mode, and what it has no code for."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from aria_desktop.commands import window
from aria_desktop.core.fetch_mode import WANTED
from tests.conftest import REPOSITORY

PART = """
import json, os, signal, sys, time
told = os.environ["TOLD"]
with open(told, "a") as file:
    file.write(json.dumps(sys.argv[1:]) + chr(10))
codes = json.loads(os.environ["CODES"])
number = sum(1 for _ in open(told)) - 1
if codes[number] == "wait":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(3))
    signal.signal(signal.SIGINT, lambda *_: sys.exit(4))
    print("ready", flush=True)
    time.sleep(60)
if codes[number] == "killed":
    os.kill(os.getpid(), signal.SIGKILL)
sys.exit(codes[number])
"""
"""Stands for each part of the program in turn: writes its words down and ends as it is told."""

STARTER = """
import sys
from aria_desktop import cli
from aria_desktop.storage import program
program.own_command = lambda *words: [sys.executable, "-c", PART, *words]
sys.argv[1:] = ["window", *sys.argv[1:]]
code = cli.main()
loaded = [name for name in ("socket", "ssl", "http", "urllib.request", "PySide6", "pydantic") if name in sys.modules]
print("loaded", loaded, file=sys.stderr)
sys.exit(code)
""".replace("PART", repr(PART))


def started(tmp_path: Path, codes: list[object], *words: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "TOLD": str(tmp_path / "told"), "CODES": json.dumps(codes)}
    return subprocess.Popen(
        [sys.executable, "-c", STARTER, *words],
        env=environment,
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def parts(tmp_path: Path, starter: int) -> list[list[str]]:
    """The words that each part was started with; the starter's own number is the last of them."""
    told = [json.loads(line) for line in (tmp_path / "told").read_text().splitlines()]
    assert all(words[-2:] == ["--starter", str(starter)] for words in told)
    return [words[:-2] for words in told]


def test_it_ends_as_the_window_does_and_has_no_code_for_the_network(tmp_path: Path) -> None:
    with started(tmp_path, [9], "--workspace", "/w") as process:
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 9
    assert errors == "loaded []\n"
    assert parts(tmp_path, process.pid) == [["sealed_window", "--workspace", "/w"]]


def test_a_window_that_asks_for_it_gets_fetch_mode_and_comes_back_each_time(tmp_path: Path) -> None:
    with started(tmp_path, [WANTED, 0, WANTED, "killed", 0]) as process:
        process.communicate(timeout=60)
    assert process.returncode == 0
    assert parts(tmp_path, process.pid) == [
        *(["sealed_window"], ["fetching"], ["sealed_window", "--returning"]),
        *(["fetching"], ["sealed_window", "--returning"]),
    ]


def test_a_window_that_is_killed_is_not_started_again(tmp_path: Path) -> None:
    with started(tmp_path, ["killed"]) as process:
        process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGKILL


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 3), (signal.SIGINT, 4)], ids=["term", "int"])
def test_a_request_to_end_is_passed_on(tmp_path: Path, number: signal.Signals, code: int) -> None:
    with started(tmp_path, ["wait"]) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(number)
        process.communicate(timeout=60)
    assert process.returncode == code


def test_what_it_started_ends_with_it_however_it_ends(tmp_path: Path) -> None:
    code = """
import os, subprocess, sys
inner = "import os, sys, time; from aria_desktop.storage.parent import end_with; end_with(int(sys.argv[1]));" \\
    "print(os.getpid(), flush=True); time.sleep(60)"
subprocess.Popen([sys.executable, "-c", inner, str(os.getpid())]).wait()
"""
    del tmp_path
    with subprocess.Popen([sys.executable, "-c", code], cwd=REPOSITORY, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        process.kill()
    deadline = time.monotonic() + 30
    while _runs(child):
        assert time.monotonic() < deadline, "it goes on"
        time.sleep(0.02)


def _runs(pid: int) -> bool:
    try:
        return "zombie" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def test_a_request_to_end_that_comes_while_a_part_is_started_is_passed_on_to_it() -> None:
    with window.passed_on() as begun:
        os.kill(os.getpid(), signal.SIGTERM)
        with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as part:
            begun(part)
            assert part.wait(60) == -signal.SIGTERM

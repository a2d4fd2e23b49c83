"""From the sealed window into fetch mode by keys, and back: the real program, with a hub on this machine.

The window is sealed before and after, and the fetch program is not: it reaches the hub. Whatever ends it, ARIA comes
back.
"""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from aria_desktop.catalog.store import STAGING_NAME
from aria_desktop.core.errors import ExitCode
from aria_desktop.safety.airgap_report import STARTER, report
from aria_desktop.storage.fetch_request import NAME as REQUEST
from aria_desktop.storage.lock import read_owner
from tests.unit.catalog.hub_server import HubServer, Serve
from tests.unit.catalog.makers import WEIGHTS, entry
from tests.window.desktop import Desktop
from tests.window.program_copy import FETCH_TITLE, ProgramCopy, part_of, wait_until

PATH = "nobody/tiny/resolve/r1/tiny.gguf"


@pytest.fixture
def hub() -> Iterator[HubServer]:
    with HubServer({PATH: WEIGHTS}) as server:
        yield server


@pytest.fixture
def program(tmp_path: Path, hub: HubServer) -> ProgramCopy:
    made = ProgramCopy.make(tmp_path)
    made.write_catalogue(hub.url, [entry("tiny", {"tiny.gguf": WEIGHTS})])
    return made


def sealed_window(desktop: Desktop, process: subprocess.Popen[str]) -> psutil.Process:
    """The window on the screen, after it was found sealed, with all that it started."""
    window = part_of(process.pid, "sealed_window")
    desktop.wait_for_window(window.pid, "ARIA")
    found = report((window.pid,))
    assert found.processes
    assert all(each.sealed for each in found.processes), found
    assert found.starter is not None
    assert (found.starter.what, found.starter.pid, found.starter.connections) == (STARTER, process.pid, ())
    return window


def ask_for_fetch(desktop: Desktop, window: psutil.Process, question: str = "Fetch tiny[?]") -> None:
    """By keys alone, from any page up to the question, and yes."""
    desktop.act("windowactivate", "--sync", desktop.wait_for_window(window.pid, "ARIA"))

    def asked() -> bool:
        # The list may not have come yet; then this presses what does nothing without a model.
        desktop.key("ctrl+1", "ctrl+3", "Tab", "Tab", "space")
        return desktop.appears(question)

    wait_until(asked, "nothing was asked")
    desktop.key("shift+Tab", "space")


def in_fetch_mode(desktop: Desktop, process: subprocess.Popen[str]) -> psutil.Process:
    fetching = part_of(process.pid, "fetching")
    desktop.wait_for_window(fetching.pid, FETCH_TITLE)
    return fetching


def part(program: ProgramCopy) -> Path:
    return program.models / "tiny" / STAGING_NAME / "tiny.gguf.part"


def test_a_model_is_fetched_by_keys_and_the_window_is_sealed_before_and_after(
    desktop: Desktop, program: ProgramCopy, hub: HubServer
) -> None:
    with program.window(desktop.environment) as process:
        first = sealed_window(desktop, process)
        ask_for_fetch(desktop, first)
        wait_until(lambda: (program.models / "tiny" / "tiny.gguf").exists(), "nothing was fetched")
        wait_until(lambda: not first.is_running(), "the first window did not end")
        second = sealed_window(desktop, process)
        assert second.pid != first.pid
        owner = read_owner(program.home / "data" / "aria.lock")
        assert owner is not None
        assert (owner.pid, owner.kind) == (second.pid, "window")
        listed = json.loads(program.run("models", "list", "--json", display=desktop.environment).stdout)
        # The local socket answers again: a second start finds the window and ends.
        again = program.run("window", display=desktop.environment)
    assert (again.returncode, again.stderr) == (0, "")
    assert listed["models"][0]["state"] == "installed"
    assert (program.models / "tiny" / "tiny.gguf").read_bytes() == WEIGHTS
    assert hub.asked == [(PATH, "")]
    assert not (program.home / "data" / REQUEST).exists()


def test_in_fetch_mode_nothing_else_runs_and_stopping_keeps_what_arrived(
    desktop: Desktop, program: ProgramCopy, hub: HubServer
) -> None:
    hub.then(Serve(stall_after=4000))
    with program.window(desktop.environment) as process:
        ask_for_fetch(desktop, sealed_window(desktop, process))
        fetching = in_fetch_mode(desktop, process)
        wait_until(lambda: part(program).exists() and part(program).stat().st_size == 4000, "nothing arrived")
        (told,) = report((fetching.pid,)).processes
        assert told.what == "fetch mode"
        # The control: this one does reach out, and the sealed window is gone with all that belonged to it.
        assert any("established" in each for each in told.connections), told
        assert psutil.Process(process.pid).children(recursive=True) == [fetching]
        busy = program.run("ask", "hello", display=desktop.environment)
        assert busy.returncode == ExitCode.BUSY
        assert "fetch mode" in busy.stderr
        desktop.act("windowactivate", "--sync", desktop.wait_for_window(fetching.pid, FETCH_TITLE))
        desktop.key("Escape")
        window = sealed_window(desktop, process)
        assert part(program).read_bytes() == WEIGHTS[:4000]
        ask_for_fetch(desktop, window)
        wait_until(lambda: (program.models / "tiny" / "tiny.gguf").exists(), "it did not go on")
        sealed_window(desktop, process)
    assert hub.asked == [(PATH, ""), (PATH, "bytes=4000-")]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=["killed", "asked to end"])
def test_however_fetch_mode_ends_the_sealed_window_comes_back(
    desktop: Desktop, program: ProgramCopy, hub: HubServer, number: signal.Signals
) -> None:
    hub.then(Serve(stall_after=4000))
    with program.window(desktop.environment) as process:
        ask_for_fetch(desktop, sealed_window(desktop, process))
        fetching = in_fetch_mode(desktop, process)
        wait_until(lambda: part(program).exists() and part(program).stat().st_size == 4000, "nothing arrived")
        fetching.send_signal(number)
        sealed_window(desktop, process)
    assert part(program).exists()


def test_wrong_bytes_are_told_and_not_kept(desktop: Desktop, program: ProgramCopy, hub: HubServer) -> None:
    hub.then(Serve(flip=9000))
    with program.window(desktop.environment) as process:
        ask_for_fetch(desktop, sealed_window(desktop, process))
        fetching = in_fetch_mode(desktop, process)
        # It stays, with the reason; without wrong bytes it would have closed itself.
        wait_until(lambda: len(hub.asked) == 1 and not part(program).exists(), "it was not fetched")
        assert fetching.is_running()
        desktop.act("windowactivate", "--sync", desktop.wait_for_window(fetching.pid, FETCH_TITLE))
        desktop.key("Escape")
        sealed_window(desktop, process)
    assert not (program.models / "tiny" / "tiny.gguf").exists()


@pytest.mark.parametrize(
    "content",
    ['{"models": ["../../etc/passwd"]}', '{"models": ["tiny", "other"]}', '{"models": "tiny"}', "x" * 70_000, "[]"],
    ids=["a path", "another name", "no list", "too long", "no names"],
)
def test_only_names_of_the_catalogue_are_taken(
    desktop: Desktop, program: ProgramCopy, hub: HubServer, content: str
) -> None:
    request = program.home / "data" / REQUEST
    request.parent.mkdir()
    request.write_text(content)
    done = program.run("fetching", display=desktop.environment)
    assert done.returncode == ExitCode.USAGE
    assert done.stderr.startswith("aria: ")
    assert "Traceback" not in done.stderr
    assert hub.asked == []
    assert not request.exists()


def test_the_open_conversation_is_there_again(desktop: Desktop, program: ProgramCopy, hub: HubServer) -> None:
    del hub
    with program.window(desktop.environment) as process:
        window = sealed_window(desktop, process)
        desktop.act("windowactivate", "--sync", desktop.wait_for_window(window.pid, "ARIA"))
        desktop.key("ctrl+l")
        desktop.type("what is tea")
        desktop.key("Return")
        wait_until(lambda: list(turns(program, desktop).values()) == [1], "the turn did not begin")
        ask_for_fetch(desktop, window)
        wait_until(lambda: (program.models / "tiny" / "tiny.gguf").exists(), "nothing was fetched")
        again = sealed_window(desktop, process)
        desktop.act("windowactivate", "--sync", desktop.wait_for_window(again.pid, "ARIA"))
        desktop.key("ctrl+1", "ctrl+l")
        desktop.type("what is tea")
        desktop.key("Return")
        wait_until(lambda: sum(turns(program, desktop).values()) == 2, "the second turn did not begin")
        assert len(turns(program, desktop)) == 1, "the second turn is in another conversation"


def turns(program: ProgramCopy, desktop: Desktop) -> dict[str, int]:
    """How many each conversation has, as the open window tells."""
    told = program.run("sessions", "list", "--json", display=desktop.environment)
    assert told.returncode == 0, told.stderr
    return {each["session_id"]: each["turns"] for each in json.loads(told.stdout)["sessions"]}

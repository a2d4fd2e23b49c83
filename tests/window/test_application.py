"""The window as a process: it opens, comes to the front, ends by its own close box, by Ctrl+C, or says why it can't."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest

from aria_desktop.core.errors import DisplayMissing, ExitCode
from aria_desktop.gui.display import require_display
from tests.conftest import REPOSITORY
from tests.window.desktop import Desktop

PROGRAM = [sys.executable, "-m", "tests.window.program"]


@contextmanager
def _running(environment: Mapping[str, str]) -> Iterator[subprocess.Popen[str]]:
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    process = subprocess.Popen(
        PROGRAM,
        cwd=REPOSITORY,
        env={**kept, **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def test_it_opens_and_ends_with_its_close_box(desktop: Desktop) -> None:
    began = time.monotonic()
    with _running(desktop.environment) as process:
        window = desktop.wait_for_window(process.pid, "ARIA")
        print(f"on the screen {time.monotonic() - began:.2f} s after the start of the process")
        desktop.act("windowactivate", "--sync", window, "key", "alt+F4")
        output, errors = process.communicate(timeout=20)
    assert process.returncode == ExitCode.OK
    assert output == "listening\npainted\nunsubscribed\n"
    assert errors == ""


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, ExitCode.CANCELLED), (signal.SIGTERM, ExitCode.OK)], ids=["ctrl-c", "term"]
)
def test_signals_close_it_in_the_ordinary_way(desktop: Desktop, number: signal.Signals, code: ExitCode) -> None:
    with _running(desktop.environment) as process:
        desktop.wait_for_window(process.pid, "ARIA")
        process.send_signal(number)
        output, errors = process.communicate(timeout=20)
    assert process.returncode == code
    assert output == "listening\npainted\nunsubscribed\n"
    assert errors == ""


def test_a_second_start_brings_it_to_the_front(desktop: Desktop) -> None:
    with _running(desktop.environment) as first, _running(desktop.environment) as second:
        wanted = desktop.wait_for_window(first.pid, "ARIA")
        other = desktop.wait_for_window(second.pid, "ARIA")
        desktop.act("windowactivate", "--sync", other)
        desktop.act("windowminimize", "--sync", wanted)
        assert first.stdin is not None
        first.stdin.write("\n")
        first.stdin.flush()
        deadline = time.monotonic() + 20
        while desktop.active_window != wanted:
            assert time.monotonic() < deadline, "the first window did not come to the front"


def test_without_a_display_it_says_so_and_does_not_abort() -> None:
    with _running({"QT_QPA_PLATFORM": ""}) as process:
        output, errors = process.communicate(timeout=20)
    assert process.returncode == ExitCode.NO_DISPLAY
    assert output == (
        "display_missing: There is no display: DISPLAY and WAYLAND_DISPLAY are not set. "
        "Start ARIA from a desktop session, or use the command line: aria ask, aria demo.\n"
    )
    assert errors == ""


@pytest.mark.parametrize(
    ("environment", "reason"),
    [
        ({}, "DISPLAY and WAYLAND_DISPLAY are not set"),
        ({"DISPLAY": ":7654"}, "The X display :7654 does not answer"),
        ({"DISPLAY": "nonsense"}, "The X display nonsense does not answer"),
        ({"WAYLAND_DISPLAY": "gone", "XDG_RUNTIME_DIR": "/nowhere"}, "DISPLAY and WAYLAND_DISPLAY are not set"),
        (
            {"QT_QPA_PLATFORM": "wayland", "WAYLAND_DISPLAY": "gone", "XDG_RUNTIME_DIR": "/nowhere"},
            "The Wayland display gone does not answer: No such file or directory",
        ),
        ({"QT_QPA_PLATFORM": "wayland"}, "WAYLAND_DISPLAY is not set"),
        ({"QT_QPA_PLATFORM": "xcb", "WAYLAND_DISPLAY": "gone"}, "There is no display"),
    ],
)
def test_displays_that_are_none(environment: dict[str, str], reason: str) -> None:
    with pytest.raises(DisplayMissing, match=reason) as caught:
        require_display(environment)
    assert "aria ask" in caught.value.hint


def test_displays_that_are_there(desktop: Desktop) -> None:
    require_display(desktop.environment)
    require_display({"DISPLAY": desktop.display})
    require_display({"DISPLAY": desktop.display, "WAYLAND_DISPLAY": "gone", "XDG_RUNTIME_DIR": "/nowhere"})
    require_display({"QT_QPA_PLATFORM": "offscreen"})

"""The talk key on a real X server: real presses by XTest, with auto-repeat on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import psutil
import pytest

from aria_desktop.cli import main
from aria_desktop.hotkey.lines import Ready
from aria_desktop.hotkey.moves import Move, What
from tests.key.conftest import Heard, wait_until
from tests.window.desktop import Desktop

Hear = Callable[..., AbstractContextManager[Heard]]


def ready(heard: Heard) -> Ready:
    told = heard.next()
    assert isinstance(told, Ready)
    return told


@contextmanager
def repeats(desktop: Desktop) -> Iterator[list[str]]:
    """What a window in front is told while the body runs: the control that the keyboard really repeats."""
    environment = {**os.environ, **desktop.environment}
    watcher = subprocess.Popen(
        ["xev", "-event", "keyboard", "-name", "control"], env=environment, stdout=subprocess.PIPE, text=True
    )
    lines: list[str] = []
    try:
        assert watcher.stdout is not None
        window = desktop.wait_for_title("control")
        desktop.act("windowfocus", "--sync", window)
        yield lines
    finally:
        watcher.terminate()
        out, _ = watcher.communicate(timeout=10)
        lines += out.splitlines()


def test_the_keyboard_of_these_tests_repeats(desktop: Desktop) -> None:
    with repeats(desktop) as lines:
        desktop.act("keydown", "F9")
        time.sleep(1.0)
        desktop.act("keyup", "F9")
    assert sum("KeyPress" in line for line in lines) > 5


def test_three_seconds_held_are_one_press_and_one_release(desktop: Desktop, hear: Hear) -> None:
    with hear(key="ctrl+alt+space") as heard:
        assert ready(heard).way == "x11"
        desktop.act("keydown", "ctrl", "keydown", "alt", "keydown", "space")
        assert heard.next() == Move(What.PRESS)
        time.sleep(3.0)
        assert heard.silent
        desktop.act("keyup", "space", "keyup", "alt", "keyup", "ctrl")
        release = heard.next()
        assert isinstance(release, Move)
        assert release.what is What.RELEASE
        assert release.held_s >= 2.9
        assert heard.silent


def test_the_modifiers_may_be_let_go_first_and_a_lock_makes_it_not_deaf(desktop: Desktop, hear: Hear) -> None:
    with hear(key="ctrl+f9") as heard:
        ready(heard)
        desktop.act("key", "Caps_Lock")
        try:
            desktop.act("keydown", "ctrl", "keydown", "F9", "keyup", "ctrl", "keyup", "F9")
            assert [heard.next().what for _ in range(2)] == [What.PRESS, What.RELEASE]  # type: ignore[union-attr]
        finally:
            desktop.act("key", "Caps_Lock")
        desktop.act("key", "F9")
        desktop.act("key", "ctrl+F9")
        assert [heard.next().what for _ in range(2)] == [What.PRESS, What.RELEASE]  # type: ignore[union-attr]
        assert heard.silent


def test_the_cancel_key_is_heard_only_while_the_microphone_is_open(desktop: Desktop, hear: Hear) -> None:
    with hear(key="f9") as heard:
        ready(heard)
        desktop.act("key", "Escape")
        heard.helper.listening(True)
        # The order is carried out once a later press was told.
        desktop.act("key", "F9")
        assert [heard.next().what for _ in range(2)] == [What.PRESS, What.RELEASE]  # type: ignore[union-attr]
        desktop.act("key", "Escape")
        assert heard.next() == Move(What.CANCEL)
        heard.helper.listening(False)
        desktop.act("key", "F9")
        assert [heard.next().what for _ in range(2)] == [What.PRESS, What.RELEASE]  # type: ignore[union-attr]
        desktop.act("key", "Escape")
        assert heard.silent


def test_a_key_of_another_program_is_a_conflict_that_is_named(desktop: Desktop, hear: Hear) -> None:
    with hear(key="f9") as first:
        assert ready(first).way == "x11"
        with hear(key="f9") as second:
            assert any("another program has the key f9" in one.reason for one in ready(second).refused)
    with core_grab(desktop), hear(key="f9") as third:
        assert any("another program has the key f9" in one.reason for one in ready(third).refused)


@contextmanager
def core_grab(desktop: Desktop) -> Iterator[None]:
    """Another program that took the key in the old way."""
    code = (
        "from Xlib import display, X, XK\nd = display.Display()\n"
        "d.screen().root.grab_key(d.keysym_to_keycode(XK.XK_F9), 0, True, X.GrabModeAsync, X.GrabModeAsync)\n"
        "d.sync()\nprint('taken', flush=True)\ninput()\n"
    )
    environment = {**os.environ, **desktop.environment}
    other = subprocess.Popen(
        [sys.executable, "-c", code], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with other:
        assert other.stdout is not None
        assert "taken" in other.stdout.readline()
        yield
        other.kill()


def test_a_killed_process_lets_the_key_go_and_hears_it_again(desktop: Desktop, hear: Hear) -> None:
    with hear(key="f9") as heard:
        ready(heard)
        desktop.act("keydown", "F9")
        assert heard.next() == Move(What.PRESS)
        (child,) = [one for one in psutil.Process().children() if "hotkey" in one.cmdline()]
        child.kill()
        release = heard.next()
        assert isinstance(release, Move)
        assert release.what is What.RELEASE
        desktop.act("keyup", "F9")
        assert ready(heard).way == "x11"
        desktop.act("key", "F9")
        assert heard.next() == Move(What.PRESS)


def test_the_process_ends_with_the_program(hear: Hear) -> None:
    with hear(key="f9") as heard:
        ready(heard)
        (child,) = [one for one in psutil.Process().children() if "hotkey" in one.cmdline()]
        assert child.is_running()
    wait_until(lambda: not child.is_running())


def test_the_page_for_trying_it_shows_the_press(desktop: Desktop) -> None:
    page = subprocess.Popen(
        [sys.executable, "-m", "aria_desktop", "key", "test", "--key", "f9", "--seconds", "30"],
        stdout=subprocess.PIPE,
        text=True,
    )
    with page:
        assert page.stdout is not None
        assert "heard by the X server" in page.stdout.readline()
        page.stdout.readline()
        desktop.act("key", "F9")
        assert "down" in page.stdout.readline()
        assert "up after" in page.stdout.readline()
        page.terminate()


def test_the_doctor_says_which_way_works_and_why_not_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    main(["doctor", "--json"])
    findings = {one["name"]: one for one in json.loads(capsys.readouterr().out)["findings"]}
    words = findings["talk key"]["words"]
    assert findings["talk key"]["verdict"] == "ok"
    assert "ctrl+alt+space, heard by the X server" in words
    assert "not by the desktop's own shortcuts: there is no session bus" in words
    assert "not by the keyboard's device files: " in words


def test_an_unknown_key_is_refused_with_a_way_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["key", "test", "--key", "ctrl+spcae"]) == 2
    assert "spcae" in capsys.readouterr().err

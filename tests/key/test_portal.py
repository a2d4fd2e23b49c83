"""The desktop portal's shortcuts over a real session bus; the portal behind it is a double: no desktop runs here."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from aria_desktop.core.keys import combination
from aria_desktop.hotkey import portal
from aria_desktop.hotkey.lines import Ready
from aria_desktop.hotkey.moves import Move, What
from aria_desktop.hotkey.ways import Keys, WayMissing
from tests.key.conftest import Heard

Hear = Callable[..., AbstractContextManager[Heard]]
REPOSITORY = Path(__file__).resolve().parents[2]
KEYS = Keys(combination("ctrl+alt+space"), combination("ctrl+alt+escape"))


@pytest.fixture(autouse=True)
def bus(on_the_desktop: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    assert shutil.which("dbus-daemon"), "dbus-daemon is missing: run `make setup`"
    daemon = subprocess.Popen(
        ["dbus-daemon", "--session", "--print-address", "--nofork"], stdout=subprocess.PIPE, text=True
    )
    assert daemon.stdout is not None
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", daemon.stdout.readline().strip())
    with daemon:
        yield on_the_desktop
        daemon.kill()


class Desktop:
    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def said(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def tell(self, signal: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{signal}\n")
        self._process.stdin.flush()


@contextmanager
def desktop_with(behaviour: str) -> Iterator[Desktop]:
    command = [sys.executable, "-m", "tests.key.portal_double", behaviour]
    process = subprocess.Popen(command, cwd=REPOSITORY, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with process:
        try:
            desktop = Desktop(process)
            assert desktop.said() == "ready"
            yield desktop
        finally:
            process.kill()


def test_the_portal_comes_first_and_tells_of_press_and_release(hear: Hear) -> None:
    with desktop_with("good") as desktop, hear(cancel="ctrl+alt+escape") as heard:
        assert heard.next() == Ready("portal", ())
        assert desktop.said() == "talk=CTRL+ALT+space cancel=CTRL+ALT+Escape"
        desktop.tell("Activated talk")
        assert heard.next() == Move(What.PRESS)
        desktop.tell("Activated talk")
        desktop.tell("Deactivated talk")
        release = heard.next()
        assert isinstance(release, Move)
        assert release.what is What.RELEASE
        desktop.tell("Activated cancel")
        assert heard.next() == Move(What.CANCEL)
        assert heard.silent


def test_a_cancel_key_without_modifiers_is_not_taken_from_the_desktop(hear: Hear) -> None:
    with desktop_with("good") as desktop, hear() as heard:
        heard.next()
        assert desktop.said() == "talk=CTRL+ALT+space"


def test_without_a_portal_the_next_way_is_taken_and_the_reason_told(hear: Hear) -> None:
    with hear() as heard:
        told = heard.next()
    assert isinstance(told, Ready)
    assert told.way == "x11"
    assert "no portal for shortcuts" in told.refused[0].reason


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [("no leave", "not given leave"), ("no shortcuts", "bound no key"), ("dumb", "did not answer CreateSession")],
)
def test_what_the_desktop_refuses_is_told(behaviour: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portal, "ANSWER_S", 1.0)
    with desktop_with(behaviour), pytest.raises(WayMissing, match=words):
        portal.watch(KEYS)


def test_looking_asks_nobody_for_leave() -> None:
    with desktop_with("no leave"):
        portal.look(KEYS)
    with pytest.raises(WayMissing, match="no portal"):
        portal.look(KEYS)


def test_a_bus_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus")
    with pytest.raises(WayMissing, match="can't be reached"):
        portal.look(KEYS)

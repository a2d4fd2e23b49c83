"""A real X server with a keyboard that repeats, and the key's process on it."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest

from aria_desktop.app_audio import TalkKeyListening
from aria_desktop.hotkey.lines import Ended, Ready
from aria_desktop.hotkey.moves import Move
from aria_desktop.hotkey.process import TalkKeyProcess
from aria_desktop.storage.declarations import TalkKeySettings
from tests.window.desktop import Desktop, start_desktop

WAIT_S = 20
Told = Ready | Ended | Move


class Heard:
    """The key's process and all that it tells."""

    def __init__(self, settings: TalkKeySettings) -> None:
        self._told: queue.SimpleQueue[Told] = queue.SimpleQueue()
        self.helper: TalkKeyProcess = TalkKeyListening.helper(settings, self._told.put, self._told.put)
        self.helper.start()

    def next(self) -> Told:
        return self._told.get(timeout=WAIT_S)

    @property
    def silent(self) -> bool:
        return self._told.empty()


@pytest.fixture(scope="module")
def desktop() -> Iterator[Desktop]:
    with start_desktop() as desktop:
        yield desktop


@pytest.fixture(autouse=True)
def on_the_desktop(desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("DISPLAY", desktop.display)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    yield
    desktop.act("keyup", "F9", "keyup", "space", "keyup", "ctrl", "keyup", "alt", "keyup", "Escape")


@pytest.fixture
def hear() -> Callable[..., AbstractContextManager[Heard]]:
    """Starts the key's process with settings that differ from the defaults."""

    @contextmanager
    def started(**changed: str) -> Iterator[Heard]:
        heard = Heard(TalkKeySettings(**changed))  # type: ignore[arg-type]
        try:
            yield heard
        finally:
            heard.helper.close()

    return started


def wait_until(state: Callable[[], bool]) -> None:
    until = time.monotonic() + WAIT_S
    while not state():
        assert time.monotonic() < until, "the state never came"
        time.sleep(0.01)

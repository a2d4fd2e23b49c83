"""The callbacks of pynput, as a double calls them: it has no way of its own to be held against here."""

from __future__ import annotations

import select
import threading
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from aria_desktop.core.keys import combination
from aria_desktop.hotkey.moves import Move, What
from aria_desktop.hotkey.pynput_keys import PynputWatch
from aria_desktop.hotkey.ways import Keys, WayMissing


class Keyboard:
    """Stands for the module `pynput.keyboard`; its only listener is the last one made."""

    def Listener(self, on_press: Callable[[Any], None], on_release: Callable[[Any], None]) -> Keyboard:  # noqa: N802
        self.press, self.release = on_press, on_release
        self.alive = False
        return self

    def start(self) -> None:
        self.alive = True

    def wait(self) -> None:
        assert self.alive

    def is_alive(self) -> bool:
        return self.alive

    def stop(self) -> None:
        self.alive = False

    def join(self) -> None:
        assert not self.alive


def named(name: str) -> Any:
    return SimpleNamespace(name=name)


@pytest.fixture
def keyboard() -> Keyboard:
    return Keyboard()


@pytest.fixture
def watch(keyboard: Keyboard) -> Iterator[PynputWatch]:
    watch = PynputWatch(Keys(combination("ctrl+space"), combination("escape")), keyboard)
    yield watch
    watch.close()
    assert not keyboard.alive


def test_a_held_key_is_one_press_and_one_release_and_wakes_the_loop(keyboard: Keyboard, watch: PynputWatch) -> None:
    def hold() -> None:
        keyboard.press(named("ctrl_l"))
        for _ in range(90):
            keyboard.press(named("space"))
        keyboard.release(named("space"))
        keyboard.release(named("ctrl_l"))

    thread = threading.Thread(target=hold)
    thread.start()
    thread.join()
    assert select.select([watch], [], [], 5)[0] == [watch]
    moves = watch.read()
    assert [move.what for move in moves] == [What.PRESS, What.RELEASE]
    assert moves[1].held_s < 5
    assert select.select([watch], [], [], 0)[0] == []


def test_without_its_modifiers_it_is_another_key(keyboard: Keyboard, watch: PynputWatch) -> None:
    keyboard.press(named("space"))
    keyboard.release(named("space"))
    keyboard.press(SimpleNamespace(char="x", name=None))
    keyboard.press(SimpleNamespace(char=None))
    assert watch.read() == []


def test_the_cancel_key_counts_once_while_it_is_held(keyboard: Keyboard, watch: PynputWatch) -> None:
    for _ in range(3):
        keyboard.press(named("esc"))
    assert watch.read() == [Move(What.CANCEL)]


def test_a_listener_that_ended_is_told(keyboard: Keyboard, watch: PynputWatch) -> None:
    assert watch.check() == []
    keyboard.alive = False
    with pytest.raises(WayMissing, match="ended"):
        watch.check()

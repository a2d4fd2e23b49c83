"""The kernel's key events, written by the test into pipes that stand for keyboards: none can be made here."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from aria_desktop.core.keys import combination
from aria_desktop.hotkey import evdev
from aria_desktop.hotkey.key_codes import EVDEV_CODES
from aria_desktop.hotkey.moves import Move, What
from aria_desktop.hotkey.ways import Keys, WayMissing
from tests.safety.users import UIDS, acting_as, folder_for

UP, DOWN, REPEAT = 0, 1, 2


class Keyboard:
    def __init__(self, folder: Path, name: str = "event3") -> None:
        self.path = folder / name
        os.mkfifo(self.path)
        self._number = os.open(self.path, os.O_RDWR)

    def send(self, at: float, key: str, value: int, kind: int = 1) -> None:
        os.write(self._number, struct.pack("llHHi", int(at), round(at % 1 * 1e6), kind, EVDEV_CODES[key], value))

    def unplug(self) -> None:
        os.close(self._number)
        self.path.unlink()


@pytest.fixture
def keyboard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Keyboard:
    """A pipe can't be asked which keys it has."""
    monkeypatch.setattr(evdev, "has_key", lambda _number, _code: True)
    return Keyboard(tmp_path)


@pytest.fixture
def watch(keyboard: Keyboard) -> Iterator[evdev.EvdevWatch]:
    keys = Keys(combination("ctrl+space"), combination("escape"))
    watch = evdev.EvdevWatch(keys, keyboard.path.parent)
    yield watch
    watch.close()


def test_a_held_combination_is_one_press_and_one_release(keyboard: Keyboard, watch: evdev.EvdevWatch) -> None:
    keyboard.send(100.0, "ctrl_right", DOWN)
    keyboard.send(100.1, "space", DOWN)
    for n in range(60):
        keyboard.send(100.5 + n / 30, "space", REPEAT)
    keyboard.send(103.0, "ctrl_right", UP)
    keyboard.send(103.1, "space", UP)
    assert watch.read() == [Move(What.PRESS), Move(What.RELEASE, 3.0)]
    assert watch.read() == []


@pytest.mark.parametrize("held", [(), ("shift_left",), ("ctrl_left", "alt_right")])
def test_other_modifiers_are_another_key(keyboard: Keyboard, watch: evdev.EvdevWatch, held: tuple[str, ...]) -> None:
    for key in held:
        keyboard.send(1.0, key, DOWN)
    keyboard.send(1.1, "space", DOWN)
    keyboard.send(1.2, "space", UP)
    assert watch.read() == []


def test_the_cancel_key_is_heard_and_other_events_are_not(keyboard: Keyboard, watch: evdev.EvdevWatch) -> None:
    keyboard.send(1.0, "escape", DOWN)
    keyboard.send(1.1, "escape", REPEAT)
    keyboard.send(1.2, "escape", UP)
    keyboard.send(1.3, "space", DOWN, kind=4)
    assert watch.read() == [Move(What.CANCEL)]


def test_a_keyboard_that_goes_ends_the_press_and_one_that_comes_is_heard(
    keyboard: Keyboard, watch: evdev.EvdevWatch
) -> None:
    second = Keyboard(keyboard.path.parent, "event7")
    assert watch.check() == []
    keyboard.send(1.0, "ctrl_left", DOWN)
    keyboard.send(1.1, "space", DOWN)
    assert watch.read() == [Move(What.PRESS)]
    keyboard.unplug()
    assert [move.what for move in watch.read()] == [What.RELEASE]
    second.send(2.0, "ctrl_left", DOWN)
    second.send(2.1, "space", DOWN)
    assert watch.read() == [Move(What.PRESS)]
    second.unplug()
    with pytest.raises(WayMissing, match="unplugged"):
        watch.read()


def test_where_there_is_no_keyboard_it_says_so(tmp_path: Path) -> None:
    (tmp_path / "event0").write_bytes(b"no keyboard")
    with pytest.raises(WayMissing, match="no keyboard"):
        evdev.EvdevWatch(Keys(combination("f9"), None), tmp_path)


def test_keyboards_that_may_not_be_read_are_told_apart_from_none() -> None:
    with folder_for(UIDS[-1]) as folder, acting_as(UIDS[-1]):
        (folder / "event0").touch(mode=0o000)
        with pytest.raises(WayMissing, match="may not be read") as missing:
            evdev.EvdevWatch(Keys(combination("f9"), None), folder)
    assert "group input" in missing.value.hint

"""Ways are tried in order, and each that does not work says why."""

from __future__ import annotations

import pytest

from aria_desktop.core.keys import combination
from aria_desktop.hotkey.moves import Move
from aria_desktop.hotkey.ways import MODULES, WORDS, Keys, Refusal, Watch, Way, WayMissing, look_at, open_first, order

KEYS = Keys(combination("f9"), None)


class OneWay:
    def __init__(self, trouble: Exception | None = None) -> None:
        self.trouble = trouble
        self.opened = 0

    def look(self, keys: Keys) -> None:
        self.watch(keys).close()

    def watch(self, keys: Keys) -> Watch:
        assert keys == KEYS
        if self.trouble:
            raise self.trouble
        self.opened += 1
        return self

    def fileno(self) -> int:
        raise AssertionError("nobody waits for it here")

    def read(self) -> list[Move]:
        raise AssertionError("nobody reads it here")

    check = read

    def listening(self, now: bool) -> None:
        raise AssertionError(f"nobody listens here: {now}")

    def close(self) -> None:
        self.opened -= 1


def test_the_first_that_works_is_opened_and_those_before_it_say_why_not() -> None:
    there: dict[str, Way] = {
        "portal": OneWay(WayMissing("there is no bus", "Start one.")),
        "x11": OneWay(ImportError("no module named Xlib")),
        "evdev": (good := OneWay()),
    }
    name, watch, refused = open_first(KEYS, tuple(there), there.__getitem__)
    assert (name, watch, good.opened) == ("evdev", good, 1)
    assert refused[0] == Refusal("portal", "there is no bus", "Start one.")
    assert "no module named Xlib" in refused[1].reason


def test_where_none_works_there_is_no_way() -> None:
    name, watch, refused = open_first(KEYS, ("x11",), lambda _: OneWay(WayMissing("no X server")))
    assert (name, watch) == ("", None)
    assert [one.reason for one in refused] == ["no X server"]


def test_looking_tries_all_and_leaves_none_open() -> None:
    there: dict[str, Way] = {"x11": (good := OneWay()), "evdev": OneWay(WayMissing("no right"))}
    assert look_at(KEYS, tuple(there), there.__getitem__) == (Refusal("x11", ""), Refusal("evdev", "no right"))
    assert good.opened == 0


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_every_system_has_ways_that_exist_and_have_words(platform: str) -> None:
    assert order(platform)
    assert set(order(platform)) <= set(MODULES) & set(WORDS)

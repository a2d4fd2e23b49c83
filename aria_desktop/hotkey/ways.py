"""The ways a key can be heard, in the order in which they are tried, and why one is not there.

A way is a module with `look(keys)`, which changes nothing and says why it would not work, and `watch(keys)`, which
opens it. Both raise `WayMissing`. They are imported when they are tried: none is needed where another works.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from aria_desktop.core.keys import Combination
from aria_desktop.hotkey.moves import Move

MODULES = {
    "portal": "aria_desktop.hotkey.portal",
    "x11": "aria_desktop.hotkey.x11",
    "evdev": "aria_desktop.hotkey.evdev",
    "pynput": "aria_desktop.hotkey.pynput_keys",
}
WORDS = {
    "portal": "the desktop's own shortcuts",
    "x11": "the X server",
    "evdev": "the keyboard's device files",
    "pynput": "the system's key events",
}


@dataclass(frozen=True, slots=True)
class Keys:
    """What is to be heard."""

    talk: Combination
    cancel: Combination | None
    """Heard only while the microphone is open, or where hearing takes it from nobody; None: no such key."""


class WayMissing(Exception):
    """Says why this way does not work here, and what would help."""

    def __init__(self, reason: str, hint: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.hint = hint


class Watch(Protocol):
    """Open from its making to `close`; for one thread."""

    def fileno(self) -> int:
        """Readable when there is something to read."""

    def read(self) -> list[Move]:
        """What has happened since; never blocks. Raises WayMissing when the way has ended."""

    def check(self) -> list[Move]:
        """Called about once a second: finds what no event told, such as the end of a press."""

    def listening(self, now: bool) -> None:
        """The microphone was opened or closed."""

    def close(self) -> None: ...


class Way(Protocol):
    def look(self, keys: Keys) -> None: ...

    def watch(self, keys: Keys) -> Watch: ...


@dataclass(frozen=True, slots=True)
class Refusal:
    way: str
    reason: str
    hint: str = ""


def order(platform: str = sys.platform) -> tuple[str, ...]:
    """The names of the ways of this system, the best first."""
    return ("portal", "x11", "evdev") if platform.startswith("linux") else ("pynput",)


def way(name: str) -> Way:
    module: Way = importlib.import_module(MODULES[name])
    return module


def open_first(
    keys: Keys, names: Sequence[str], find: Callable[[str], Way] = way
) -> tuple[str, Watch | None, tuple[Refusal, ...]]:
    """The first way that works, opened, with its name; empty and None when none does. And why those before it don't."""
    refused: list[Refusal] = []
    for name in names:
        try:
            return name, find(name).watch(keys), tuple(refused)
        except WayMissing as missing:
            refused.append(Refusal(name, missing.reason, missing.hint))
        except ImportError as error:
            refused.append(Refusal(name, f"a part of ARIA is not installed: {error}"))
    return "", None, tuple(refused)


def look_at(keys: Keys, names: Sequence[str], find: Callable[[str], Way] = way) -> tuple[Refusal, ...]:
    """Every way, with an empty reason where it works."""

    def one(name: str) -> Refusal:
        try:
            find(name).look(keys)
        except WayMissing as missing:
            return Refusal(name, missing.reason, missing.hint)
        except ImportError as error:
            return Refusal(name, f"a part of ARIA is not installed: {error}")
        return Refusal(name, "")

    return tuple(one(name) for name in names)

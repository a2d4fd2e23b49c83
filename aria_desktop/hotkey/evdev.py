"""The key by Linux's device files: works under every desktop and on none, for users who may read keyboards.

Who may do that can read all that is typed, so it is the last way, and is taken only where the system grants it already.
The kernel marks repeats. The key is heard, not taken: windows see it too.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import struct
import time
from pathlib import Path

from aria_desktop.core.keys import MODIFIERS, Combination
from aria_desktop.hotkey.key_codes import EVDEV_CODES
from aria_desktop.hotkey.moves import HeldKey, Move, What
from aria_desktop.hotkey.ways import Keys, WayMissing

DEVICES = Path("/dev/input")
_EVENT = struct.Struct("llHHi")
"""Seconds, microseconds, type, code, value."""
_KEY = 1
"""EV_KEY."""
_UP, _DOWN = 0, 1
"""2 is a repeat."""
_KEY_BITS = 96
"""Bytes that hold a bit for each of KEY_CNT keys."""
_HINT = "A member of the group input may read them; every program of that user can then read all that is typed."


def look(keys: Keys) -> None:
    """Raises WayMissing."""
    watch(keys).close()


def watch(keys: Keys) -> EvdevWatch:
    """Raises WayMissing."""
    return EvdevWatch(keys, DEVICES)


class EvdevWatch:
    def __init__(self, keys: Keys, folder: Path) -> None:
        self._folder = folder
        self._talk = keys.talk
        self._cancel = keys.cancel
        self._held = HeldKey()
        self._down: set[int] = set()
        self._open: dict[str, int] = {}
        self._poll = select.epoll()
        denied = self._find()
        if not self._open:
            self.close()
            if denied:
                raise WayMissing(f"{denied} keyboards may not be read by this user", _HINT)
            raise WayMissing(f"there is no keyboard in {folder}")

    def fileno(self) -> int:
        return self._poll.fileno()

    def read(self) -> list[Move]:
        moves: list[Move] = []
        for number, _ in self._poll.poll(0):
            moves += self._read_one(number)
        if not self._open:
            raise WayMissing("the last keyboard was unplugged")
        return moves

    def check(self) -> list[Move]:
        """Keyboards that were plugged in since are heard, too."""
        self._find()
        return []

    def listening(self, now: bool) -> None:
        """The cancel key is taken from nobody, so it is always heard."""

    def close(self) -> None:
        for number in self._open.values():
            os.close(number)
        self._open.clear()
        self._poll.close()

    def _find(self) -> int:
        """Open the keyboards that are not open yet; how many may not be."""
        denied = 0
        for path in sorted(self._folder.glob("event*")):
            if str(path) in self._open:
                continue
            try:
                number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            except PermissionError:
                denied += 1
                continue
            except OSError:
                continue
            if not has_key(number, EVDEV_CODES[self._talk.key]):
                os.close(number)
                continue
            self._open[str(path)] = number
            self._poll.register(number, select.EPOLLIN)
        return denied

    def _read_one(self, number: int) -> list[Move]:
        try:
            data = os.read(number, _EVENT.size * 64)
        except BlockingIOError:
            return []
        except OSError:
            data = b""
        if not data:
            return self._unplugged(number)
        moves: list[Move] = []
        for seconds, micros, kind, code, value in _EVENT.iter_unpack(data[: len(data) - len(data) % _EVENT.size]):
            if kind == _KEY:
                moves += self._moves(code, value, seconds + micros / 1e6)
        return moves

    def _unplugged(self, number: int) -> list[Move]:
        self._open = {path: other for path, other in self._open.items() if other != number}
        with contextlib.suppress(OSError):
            self._poll.unregister(number)
        os.close(number)
        self._down.clear()
        return self._held.released(time.time())

    def _moves(self, code: int, value: int, at: float) -> list[Move]:
        if value == _UP:
            self._down.discard(code)
            return self._held.released(at) if code == EVDEV_CODES[self._talk.key] else []
        if value != _DOWN:
            return []
        pressed = [move for move in (self._is(self._talk, code), self._is(self._cancel, code)) if move]
        self._down.add(code)
        if not pressed:
            return []
        return self._held.pressed(at) if pressed[0] == self._talk else [Move(What.CANCEL)]

    def _is(self, keys: Combination | None, code: int) -> Combination | None:
        """The combination, when `code` completes it: with exactly its modifiers held."""
        if keys is None or EVDEV_CODES[keys.key] != code:
            return None
        return keys if held_modifiers(self._down) == keys.modifiers else None


def held_modifiers(down: set[int]) -> frozenset[str]:
    """Either side counts. Pure."""
    return frozenset(name for name in MODIFIERS if down & {EVDEV_CODES[f"{name}_left"], EVDEV_CODES[f"{name}_right"]})


def has_key(number: int, code: int) -> bool:
    """Whether the device can send this key; no for what is no input device."""
    bits = bytearray(_KEY_BITS)
    request = (2 << 30) | (len(bits) << 16) | (ord("E") << 8) | (0x20 + _KEY)  # EVIOCGBIT(EV_KEY, ...)
    try:
        fcntl.ioctl(number, request, bits)
    except OSError:
        return False
    return bool(bits[code // 8] & (1 << code % 8))

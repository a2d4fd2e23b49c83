"""The key by pynput: macOS and Windows.

pynput calls back on a thread of its own; what it tells goes through a pair of sockets, so that a loop can wait for it.
macOS asks the user for leave ("Input Monitoring") and tells nothing until it is given.
"""

from __future__ import annotations

import contextlib
import queue
import socket
import time
from typing import Any

from aria_desktop.core.keys import MODIFIERS
from aria_desktop.hotkey.key_codes import pynput_name
from aria_desktop.hotkey.moves import HeldKey, Move, What
from aria_desktop.hotkey.ways import Keys, WayMissing


def look(keys: Keys) -> None:
    """Raises WayMissing."""
    watch(keys).close()


def watch(keys: Keys) -> PynputWatch:
    """Raises WayMissing, and ImportError where pynput is not installed."""
    from pynput import keyboard

    return PynputWatch(keys, keyboard)


class PynputWatch:
    def __init__(self, keys: Keys, keyboard: Any) -> None:
        """`keyboard`: the module `pynput.keyboard`."""
        self._keys = keys
        self._held = HeldKey()
        self._down: set[str] = set()
        self._told: queue.SimpleQueue[tuple[str, bool, float]] = queue.SimpleQueue()
        self._bell, self._rope = socket.socketpair()
        self._rope.setblocking(False)
        self._bell.setblocking(False)
        self._listener = keyboard.Listener(
            on_press=lambda key: self._tell(key, True), on_release=lambda key: self._tell(key, False)
        )
        self._listener.start()
        self._listener.wait()

    def fileno(self) -> int:
        return self._bell.fileno()

    def read(self) -> list[Move]:
        with contextlib.suppress(BlockingIOError):
            self._bell.recv(4096)
        moves: list[Move] = []
        while not self._told.empty():
            moves += self._moves(*self._told.get())
        return moves

    def check(self) -> list[Move]:
        if not self._listener.is_alive():
            raise WayMissing("the system has ended the key events")
        return self.read()

    def listening(self, now: bool) -> None:
        """The cancel key is taken from nobody, so it is always heard."""

    def close(self) -> None:
        self._listener.stop()
        self._listener.join()
        self._bell.close()
        self._rope.close()

    def _tell(self, key: Any, down: bool) -> None:
        """On pynput's thread."""
        name = getattr(key, "char", None) or getattr(key, "name", "") or ""
        self._told.put((name.lower(), down, time.monotonic()))
        with contextlib.suppress(OSError):
            self._rope.send(b"!")

    def _moves(self, name: str, down: bool, at: float) -> list[Move]:
        talk, cancel = self._keys.talk, self._keys.cancel
        if not down:
            self._down.discard(name)
            return self._held.released(at) if name == pynput_name(talk.key) else []
        held, repeated = held_modifiers(self._down), name in self._down
        self._down.add(name)
        if name == pynput_name(talk.key) and held == talk.modifiers:
            return self._held.pressed(at)
        if cancel and not repeated and name == pynput_name(cancel.key) and held == cancel.modifiers:
            return [Move(What.CANCEL)]
        return []


def held_modifiers(down: set[str]) -> frozenset[str]:
    """pynput names the left one with or without its side, by the system. Pure."""

    def names(modifier: str) -> set[str]:
        base = pynput_name(modifier)
        return {base, f"{base}_l", f"{base}_r", *({"alt_gr"} if modifier == "alt" else ())}

    return frozenset(modifier for modifier in MODIFIERS if down & names(modifier))

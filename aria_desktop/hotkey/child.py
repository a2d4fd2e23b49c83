"""The key's process: opens the first way that works and tells what it hears, until its input ends."""

from __future__ import annotations

import contextlib
import os
import selectors
import socket
import sys
import threading
from collections.abc import Sequence
from io import FileIO

from aria_desktop.hotkey import lines
from aria_desktop.hotkey.ways import Keys, Watch, WayMissing, open_first

CHECK_S = 1.0


def serve(keys: Keys, names: Sequence[str]) -> int:
    """Ends with 0 when it was told to end, with 1 when the way ended by itself or none works."""
    out = _own_output()
    with contextlib.suppress(BrokenPipeError):
        name, watch, refused = open_first(keys, names)
        _tell(out, lines.Ready(name, refused))
        if watch is None:
            return 1
        try:
            _hear(watch, out)
        except WayMissing as missing:
            _tell(out, lines.Ended(missing.reason))
            return 1
        finally:
            watch.close()
    return 0


def _own_output() -> FileIO:
    """Standard output becomes standard error for whatever a library prints; the lines keep the pipe."""
    kept = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return FileIO(kept, "w")


def _tell(out: FileIO, told: lines.Told) -> None:
    out.write(lines.line(told))


def _hear(watch: Watch, out: FileIO) -> None:
    orders = _Orders()
    with selectors.DefaultSelector() as selector:
        selector.register(watch.fileno(), selectors.EVENT_READ)
        selector.register(orders.bell, selectors.EVENT_READ)
        while True:
            ready = selector.select(CHECK_S)
            moves = watch.read() if ready else watch.check()
            if (listening := orders.newest()) is not None:
                watch.listening(listening)
                moves += watch.read()
            for move in moves:
                _tell(out, move)
            if orders.ended:
                return


class _Orders:
    """The program's lines. A thread reads them: on some systems only sockets can be waited for together."""

    def __init__(self) -> None:
        self.bell, self._rope = socket.socketpair()
        self.bell.setblocking(False)
        self.ended = False
        self._lines: list[bytes] = []
        threading.Thread(target=self._read, name="orders", daemon=True).start()

    def newest(self) -> bool | None:
        """Whether the microphone is open, when that was told since the last call."""
        with contextlib.suppress(BlockingIOError):
            self.bell.recv(4096)
        taken, self._lines = self._lines, []
        return lines.read_listening(taken)

    def _read(self) -> None:
        for line in sys.stdin.buffer:
            self._lines = [*self._lines, line]
            self._rope.send(b"!")
        self.ended = True
        self._rope.send(b"!")

"""Lines on their way to one client. Never makes the sender wait: a client that does not read is given up."""

from __future__ import annotations

import threading
from collections import deque

from aria_desktop.control.wire import LINE_LIMIT

CAPACITY = 2 * LINE_LIMIT
"""Bytes that may wait for a client that does not read."""


class Outbox:
    """One thread takes, any number put."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._lines: deque[bytes] = deque()
        self._waiting_bytes = 0
        self._finished = False
        self._changed = threading.Condition()

    def put(self, line: bytes) -> bool:
        """False when it does not fit; the outbox is finished then. After `finish`, lines are dropped."""
        with self._changed:
            if self._finished:
                return True
            fits = self._waiting_bytes + len(line) <= self._capacity
            if fits:
                self._lines.append(line)
                self._waiting_bytes += len(line)
            else:
                self._finished = True
                self._lines.clear()
            self._changed.notify_all()
            return fits

    def take(self) -> bytes | None:
        """The next line, waited for; None after the last one of a finished outbox."""
        with self._changed:
            self._changed.wait_for(lambda: self._lines or self._finished)
            if not self._lines:
                return None
            line = self._lines.popleft()
            self._waiting_bytes -= len(line)
            return line

    def finish(self) -> None:
        """No more lines come; those that wait are still taken."""
        with self._changed:
            self._finished = True
            self._changed.notify_all()

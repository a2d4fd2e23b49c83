"""The one place where threads meet: events of the assistant's threads reach the Qt main thread here.

Events are handed over in batches, at most one every 33 ms, in order and without loss: a flood of streamed
words costs one repaint a batch. Requests go the other way; `Assistant.submit` returns at once.
"""

from __future__ import annotations

import threading
import time

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from aria_desktop.core.events import Event
from aria_desktop.core.interfaces import Assistant
from aria_desktop.core.requests import Request

BATCH = 0.033
"""Seconds between two batches."""


class Bridge(QObject):
    events = Signal(list)
    """A batch of `core.events.Event`, oldest first, on the Qt main thread."""

    _woken = Signal()

    def __init__(self, assistant: Assistant, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._assistant = assistant
        self._lock = threading.Lock()
        self._waiting: list[Event] = []
        self._wake_sent = False
        self._open = True
        self._delivered = 0.0
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._deliver)
        self._woken.connect(self._wake, Qt.ConnectionType.QueuedConnection)
        self._unsubscribe = assistant.subscribe(self._arrived)

    def submit(self, request: Request) -> None:
        self._assistant.submit(request)

    def close(self) -> None:
        """No event arrives after this."""
        with self._lock:
            self._open = False
            self._waiting.clear()
        self._unsubscribe()
        self._timer.stop()

    def _arrived(self, event: Event) -> None:
        """On a thread of the assistant."""
        with self._lock:
            if not self._open:
                return
            self._waiting.append(event)
            if not self._wake_sent:
                self._wake_sent = True
                # Inside the lock: after `close` has had it, this object may be gone.
                self._woken.emit()

    def _wake(self) -> None:
        rest = self._delivered + BATCH - time.monotonic()
        if rest <= 0:
            self._deliver()
        else:
            self._timer.start(max(1, round(rest * 1000)))

    def _deliver(self) -> None:
        with self._lock:
            batch, self._waiting = self._waiting, []
            self._wake_sent = False
        self._delivered = time.monotonic()
        if batch:
            self.events.emit(batch)

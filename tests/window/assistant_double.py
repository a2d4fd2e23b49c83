"""A scripted assistant for the window: it publishes what a test tells it to, from a thread of its own, as the
real one does, and fails the test when the window asks for something that no test step expects."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

from aria_desktop.core.events import Event
from aria_desktop.core.requests import ListFiles, ListSessions, Request

LOOKS = (ListFiles, ListSessions)
"""What the right panel asks for by itself, whenever it may have changed. The History page's own are expected."""


class ScriptedAssistant:
    """Implements `core.interfaces.Assistant`. `expect` and `publish` are called by the test on its own thread."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[Event], None]] = []
        self._events: queue.SimpleQueue[Event | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self.unexpected: list[Request] = []
        self.received: list[Request] = []
        self.looks: list[Request] = []
        self._allowed: list[type[Request]] = []
        self._thread = threading.Thread(target=self._run, name="scripted-assistant")
        self._thread.start()

    def submit(self, request: Request) -> None:
        with self._lock:
            if isinstance(request, LOOKS) and not request.request_id.startswith("history-"):
                self.looks.append(request)
                return
            self.received.append(request)
            if type(request) in self._allowed:
                self._allowed.remove(type(request))
            else:
                self.unexpected.append(request)

    def subscribe(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def close(self) -> None:
        self._events.put(None)
        self._thread.join(timeout=10)

    def expect(self, *kinds: type[Request]) -> None:
        """Each of these will be asked for once, in any order."""
        with self._lock:
            self._allowed += kinds

    def publish(self, *events: Event) -> None:
        for event in events:
            self._events.put(event)

    def last(self, kind: type[Request]) -> Request:
        with self._lock:
            return next(request for request in reversed(self.received) if isinstance(request, kind))

    @property
    def missing(self) -> list[type[Request]]:
        """Expected requests that never came."""
        with self._lock:
            return list(self._allowed)

    @property
    def listeners(self) -> int:
        return len(self._listeners)

    def _run(self) -> None:
        while (event := self._events.get()) is not None:
            for listener in list(self._listeners):
                listener(event)

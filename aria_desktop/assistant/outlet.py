"""Who listens to the assistant. Subscribing may come from any thread; sending belongs to the session's."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from aria_desktop.core.events import Event

log = logging.getLogger(__name__)

Subscriber = Callable[[Event], None]


class Outlet:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._subscribers: dict[object, Subscriber] = {}

    @property
    def anybody(self) -> bool:
        return bool(self._subscribers)

    def add(self, subscriber: Subscriber) -> object:
        """Returns what `remove` and `send` know this subscription by."""
        key = object()
        with self._lock:
            self._subscribers[key] = subscriber
        return key

    def remove(self, key: object) -> bool:
        """True when nobody is left."""
        with self._lock:
            self._subscribers.pop(key, None)
            return not self._subscribers

    def send(self, event: Event, only: object = None) -> None:
        """To all, or to one. A subscriber that fails is no reason to keep an event from the others."""
        with self._lock:
            found = list(self._subscribers.items())
        for key, subscriber in found:
            if only not in (None, key):
                continue
            try:
                subscriber(event)
            except Exception:
                log.exception("a subscriber failed on %s", type(event).__name__)

"""One token per job says "stop"; whoever works looks at it, whoever wants to stop it sets it."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Cancelled(Exception):
    """The work was stopped on request. An outcome, not an error: never shown as a failure."""


class CancelToken:
    """May be set from any thread, once and for good; may be read and waited on from any thread."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._callbacks: list[Callable[[], None]] = []

    @property
    def cancelled(self) -> bool:
        return self._event.is_set()

    def cancel(self) -> None:
        """Set the token and run each callback once, on this thread."""
        with self._lock:
            if self._event.is_set():
                return
            self._event.set()
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback()

    def raise_if_cancelled(self) -> None:
        if self._event.is_set():
            raise Cancelled

    def wait(self, seconds: float) -> bool:
        """Sleep for at most `seconds`; True as soon as the token is set."""
        return self._event.wait(seconds)

    def on_cancel(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` when the token is set, at once if it is set already.

        It runs on the cancelling thread and must not block. Returns a function that forgets it again.
        """
        with self._lock:
            if not self._event.is_set():
                self._callbacks.append(callback)
                return lambda: self._forget(callback)
        callback()
        return lambda: None

    def _forget(self, callback: Callable[[], None]) -> None:
        with self._lock:
            if callback in self._callbacks:
                self._callbacks.remove(callback)

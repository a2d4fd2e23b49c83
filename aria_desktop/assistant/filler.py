"""A few words of code while a tool takes its time, when nothing of the answer was said yet.

Once in a turn, and never from the model: a prompt can't be relied on to say it, and what it says is no answer.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

PATIENCE_S = 0.7
"""A silence that is shorter needs no words."""


class Filler:
    """All but `say` belong to one thread; `say` is called on another one, at most once."""

    def __init__(self, say: Callable[[], None], patience_s: float = PATIENCE_S) -> None:
        self._say = say
        self._patience_s = patience_s
        self._timers: list[threading.Timer] = []
        self._over = threading.Event()

    def tool_began(self) -> None:
        if not self._over.is_set():
            self._timers.append(threading.Timer(self._patience_s, self._late))
            self._timers[-1].start()

    def tool_ended(self) -> None:
        for timer in self._timers:
            timer.cancel()

    def answer_began(self) -> None:
        """Nothing has to be filled any more in this turn."""
        self._over.set()
        self.tool_ended()

    def close(self) -> None:
        """Waits until `say` has returned, if it runs."""
        self.answer_began()
        for timer in self._timers:
            timer.join()

    def _late(self) -> None:
        if not self._over.is_set():
            self._over.set()
            self._say()

"""What the user has told ARIA to remember."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable

from aria_desktop.core.interfaces import Fact


class MemoryFacts:
    """A `FactStore` that ends with the program: for a demonstration, an evaluation, a test."""

    def __init__(self, told: Iterable[str] = ()) -> None:
        """`told`: facts that are there from the start, oldest first."""
        self._lock = threading.Lock()
        self._given = 0
        self._facts: list[Fact] = []
        for text in told:
            self.keep(text, "")

    def facts(self) -> tuple[Fact, ...]:
        with self._lock:
            return tuple(reversed(self._facts))

    def keep(self, text: str, turn_id: str) -> Fact:
        with self._lock:
            self._given += 1
            fact = Fact(self._given, text, time.time(), turn_id)
            self._facts.append(fact)
        return fact

    def forget(self, number: int) -> bool:
        with self._lock:
            before = len(self._facts)
            self._facts = [fact for fact in self._facts if fact.number != number]
            return len(self._facts) < before

    def clear(self) -> int:
        with self._lock:
            count, self._facts = len(self._facts), []
        return count

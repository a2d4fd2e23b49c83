"""When a dead engine is started again, and when that has no sense any more. Arithmetic on times."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RestartPlan:
    pauses: tuple[float, ...] = (1.0, 2.0, 4.0)
    """Seconds before a restart: the first after a death, the next after each further one in a row; the last
    stands for all that follow."""
    limit: int = 3
    """This many deaths within the window and the engine is given up."""
    window: float = 60.0
    """Seconds."""


class Restarts:
    """Counts one engine's deaths. `now` is any clock in seconds that never goes back."""

    def __init__(self, plan: RestartPlan) -> None:
        self._plan = plan
        self._deaths: deque[float] = deque(maxlen=plan.limit)
        self._in_a_row = 0

    def died(self, now: float) -> float | None:
        """Seconds to wait before the next start; None: give up."""
        self._deaths.append(now)
        self._in_a_row += 1
        if len(self._deaths) == self._plan.limit and now - self._deaths[0] <= self._plan.window:
            return None
        return self._plan.pauses[min(self._in_a_row, len(self._plan.pauses)) - 1]

    def worked(self) -> None:
        """A job was done: the next pause is the shortest again. Deaths still count until they are old."""
        self._in_a_row = 0

    def forget(self) -> None:
        self._deaths.clear()
        self._in_a_row = 0

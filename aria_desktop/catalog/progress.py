"""How far a long piece of work with bytes is: what is done, how fast, how long it still takes."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

REPORT_EVERY_S = 0.2
SPEED_WINDOW_S = 5.0
"""Speed is that of the last seconds: a long start-up or a pause must not spoil the time left for good."""


class Stage(StrEnum):
    DOWNLOADING = "downloading"
    JOINING = "joining"
    COPYING = "copying"
    CHECKING = "checking"


@dataclass(frozen=True, slots=True)
class Progress:
    model_id: str
    stage: Stage
    source: str
    """Host, package or folder the bytes come from; empty when they are here already."""
    done: int
    """Bytes."""
    total: int | None
    """Bytes; None: not known."""
    bytes_per_s: float
    seconds_left: float | None


ProgressListener = Callable[[Progress], None]


def no_progress(_: Progress) -> None:
    """For callers who don't watch."""


class Meter:
    """Counts one stage of one model and reports it a few times a second. For one thread.

    Args:
        start: bytes that are there already, from an earlier run. They count as done, not as speed.
    """

    def __init__(
        self,
        report: ProgressListener,
        model_id: str,
        stage: Stage,
        source: str,
        total: int | None,
        start: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._report = report
        self._model_id, self._stage, self._source, self._total = model_id, stage, source, total
        self._clock = clock
        self._done = start
        self._past = deque([(clock(), start)])
        self._reported = -REPORT_EVERY_S

    @property
    def done(self) -> int:
        return self._done

    def add(self, count: int) -> None:
        self.at(self._done + count)

    def at(self, done: int) -> None:
        """So many bytes are done now; fewer than before when something has to be done again."""
        now = self._clock()
        if done < self._done:
            self._past.clear()
        self._done = done
        self._past.append((now, done))
        while len(self._past) > 2 and now - self._past[0][0] > SPEED_WINDOW_S:
            self._past.popleft()
        if now - self._reported >= REPORT_EVERY_S:
            self._reported = now
            self._report(self._now())

    def finish(self) -> None:
        """Report the last state whatever the time."""
        self._report(self._now())

    def _now(self) -> Progress:
        (since, before), (now, done) = self._past[0], self._past[-1]
        speed = (done - before) / (now - since) if now > since else 0.0
        left = (self._total - done) / speed if self._total is not None and speed > 0 else None
        return Progress(self._model_id, self._stage, self._source, done, self._total, speed, left)

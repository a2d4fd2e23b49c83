"""The last stretch of the microphone's level: a fixed number of bars, the newest last."""

from __future__ import annotations

import math
from collections import deque

TICKS = 72
"""Bars that the ring shows, about 40 ms each."""
BARS = 160
"""Bars that are kept, and shown by the wave."""
QUIETEST = -48.0
"""dB of full scale that show as nothing."""
TOO_LOUD = 0.92
"""Part of the meter from which speech begins to be cut off."""


class Levels:
    def __init__(self) -> None:
        self._bars: deque[float] = deque([0.0] * BARS, maxlen=BARS)
        self.peak = 0.0
        """The highest of the last `TICKS` bars, 0 to 1."""
        self.speech = False
        self.heard = 0
        """Measurements since `clear`."""

    def add(self, level: float, speech: bool) -> None:
        """`level`: peak, 0 to 1 of full scale."""
        self._bars.append(height(level))
        self.peak = max(list(self._bars)[-TICKS:])
        self.speech = speech
        self.heard += 1

    def clear(self) -> None:
        self._bars.extend([0.0] * BARS)
        self.peak, self.speech, self.heard = 0.0, False, 0

    @property
    def latest(self) -> float:
        return self._bars[-1]

    def bars(self) -> tuple[float, ...]:
        """`BARS` heights, each 0 to 1, oldest first."""
        return tuple(self._bars)


def height(level: float) -> float:
    """A level as part of the meter: even steps in dB, as ears count."""
    if not level > 0:
        return 0.0
    return min(1.0, max(0.0, 1 - 20 * math.log10(min(level, 1.0)) / QUIETEST))

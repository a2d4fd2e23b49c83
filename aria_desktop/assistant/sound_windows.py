"""A long recording cut into stretches that a recogniser takes at once, while it is being read. Pure.

Memory is bounded by `MOST_S`, however long the recording is. A stretch ends in a pause, so that no word is cut; where
nobody pauses it ends in the last short one, and only where there is none, anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

LEAST_S = 20.0
"""From here on the next pause ends the stretch."""
MOST_S = 28.0
"""Below the 30 s that recognisers of Whisper's kind look at."""
PAUSE_S = 0.3
SHORT_PAUSE_S = 0.1


@dataclass(frozen=True, slots=True)
class Window:
    start: float
    """Seconds from the beginning of the recording."""
    end: float
    pcm: bytes
    speech: bool
    """Whether anybody speaks in it."""


class SoundWindows:
    """Push frames in order; then `end` once. For one thread."""

    def __init__(self, frame_s: float, start: float = 0.0) -> None:
        """`start`: where the first frame lies in the recording, in seconds."""
        self._frame_s = frame_s
        self._start = start
        self._frames: list[bytes] = []
        self._speech: list[bool] = []
        self._quiet = 0
        """Frames without speech at the end."""
        self._short_pause = 0
        """Frames up to the end of the last short pause; 0: there was none."""

    def push(self, frame: bytes, speech: bool) -> Window | None:
        """The stretch that ends with this frame or before it, if one does."""
        self._frames.append(frame)
        self._speech.append(speech)
        self._quiet = 0 if speech else self._quiet + 1
        seconds = len(self._frames) * self._frame_s
        if self._quiet * self._frame_s >= SHORT_PAUSE_S and seconds >= LEAST_S / 2:
            self._short_pause = len(self._frames)
        if seconds >= LEAST_S and self._quiet * self._frame_s >= PAUSE_S:
            return self._cut(len(self._frames))
        if seconds >= MOST_S:
            return self._cut(self._short_pause or len(self._frames))
        return None

    def end(self) -> Iterator[Window]:
        """What is left."""
        if self._frames:
            yield self._cut(len(self._frames))

    def _cut(self, frames: int) -> Window:
        start, self._start = self._start, self._start + frames * self._frame_s
        pcm, speech = b"".join(self._frames[:frames]), any(self._speech[:frames])
        del self._frames[:frames], self._speech[:frames]
        self._short_pause = 0
        return Window(start, self._start, pcm, speech)

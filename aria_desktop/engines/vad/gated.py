"""A cheap detector that lets a good one sleep while nothing stirs.

The cheap one is asked about every frame; only while it has heard something within `HANG_S` is the good one asked, and
its word is what counts. A network that slept has forgotten where it was, so on waking it is first told the last
`WARM_S` again: what woke it is judged with what led to it.
"""

from __future__ import annotations

from collections import deque

from aria_desktop.core.audio import SAMPLE_WIDTH, SPEECH
from aria_desktop.core.interfaces import VoiceActivityDetector

HANG_S = 0.5
WARM_S = 0.32


class GatedDetector:
    """One recording at a time; not for two threads at once."""

    def __init__(self, gate: VoiceActivityDetector, judge: VoiceActivityDetector) -> None:
        """`gate` may have shorter frames than `judge`; 0 from it means silence."""
        self._gate = gate
        self._judge = judge
        self._gate_bytes = gate.frame_samples * SAMPLE_WIDTH
        frame_s = judge.frame_samples / SPEECH.rate
        self._hang = round(HANG_S / frame_s)
        self._before: deque[bytes] = deque(maxlen=round(WARM_S / frame_s))
        self.judged = 0
        """Frames that the judge was asked about, also for warming up; what the gate saves is counted by it."""
        self.reset()

    @property
    def frame_samples(self) -> int:
        return self._judge.frame_samples

    def speech_probability(self, frame: bytes) -> float:
        if self._stirs(frame):
            self._awake = self._hang
        elif self._awake:
            self._awake -= 1
        if not self._awake:
            self._before.append(frame)
            return 0.0
        if self._before:
            self._warm()
        self.judged += 1
        return self._judge.speech_probability(frame)

    def reset(self) -> None:
        self._gate.reset()
        self._judge.reset()
        self._before.clear()
        self._rest = b""
        self._awake = 0

    def _stirs(self, frame: bytes) -> bool:
        """Whether the gate hears something in any of its frames that end in this one."""
        heard, self._rest = False, self._rest + frame
        while len(self._rest) >= self._gate_bytes:
            heard |= self._gate.speech_probability(self._rest[: self._gate_bytes]) > 0
            self._rest = self._rest[self._gate_bytes :]
        return heard

    def _warm(self) -> None:
        self._judge.reset()
        for frame in self._before:
            self._judge.speech_probability(frame)
        self.judged += len(self._before)
        self._before.clear()

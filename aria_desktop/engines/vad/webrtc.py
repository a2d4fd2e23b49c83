"""Is this frame speech? WebRTC's detector: a few microseconds a frame, no model file, runs anywhere.

It judges by energy in speech bands, so it is cheap and quick but takes music and clatter for speech now and
then. The segmenter behind it asks for several frames in a row before it believes in speech.
"""

from __future__ import annotations

import webrtcvad

from aria_desktop.core.audio import SAMPLE_WIDTH, SPEECH

FRAME_S = 0.02
"""WebRTC takes frames of 10, 20 or 30 ms; 20 ms keeps the end of speech sharp."""

AGGRESSIVENESS = 2
"""0 lets the most through, 3 the least. 0 and 1 take the first breath of a room for speech; 3 misses soft
beginnings."""


class WebRtcDetector:
    """One recording at a time; not for two threads at once."""

    def __init__(self, aggressiveness: int = AGGRESSIVENESS) -> None:
        self._aggressiveness = aggressiveness
        self._vad = webrtcvad.Vad(aggressiveness)

    @property
    def frame_samples(self) -> int:
        return SPEECH.frames_in(FRAME_S)

    def speech_probability(self, frame: bytes) -> float:
        """1.0 or 0.0: this detector knows no doubt."""
        if len(frame) != self.frame_samples * SAMPLE_WIDTH:
            raise ValueError(f"{len(frame)} bytes are not one frame of {self.frame_samples} samples")
        return 1.0 if self._vad.is_speech(frame, SPEECH.rate) else 0.0

    def reset(self) -> None:
        """The noise level it has adapted to is forgotten with the old detector."""
        self._vad = webrtcvad.Vad(self._aggressiveness)

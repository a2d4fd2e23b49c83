"""Sounds made from arithmetic."""

from __future__ import annotations

import array
import math
import sys

from aria_desktop.core.audio import AudioChunk, AudioFormat


def tone(seconds: float, sound: AudioFormat, hertz: float = 440.0, level: float = 0.3) -> AudioChunk:
    """A sine on all channels. `level`: its peak, 0 to 1 of full scale."""
    step = 2 * math.pi * hertz / sound.rate
    peak = level * 32767
    samples = array.array("h")
    for frame in range(sound.frames_in(seconds)):
        samples.extend([round(peak * math.sin(step * frame))] * sound.channels)
    if sys.byteorder == "big":
        samples.byteswap()
    return AudioChunk(sound, samples.tobytes())


def silence(seconds: float, sound: AudioFormat) -> AudioChunk:
    return AudioChunk(sound, bytes(sound.frames_in(seconds) * sound.frame_bytes))

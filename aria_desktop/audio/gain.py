"""Sound made quieter. Pure."""

from __future__ import annotations


def gain_of(percent: int) -> float:
    """The factor for a volume from 0 to 100: halfway sounds about half as loud, which is a quarter of the amplitude."""
    return (percent / 100) ** 2


def scaled(pcm: bytes, gain: float) -> bytes:
    """Every sample times `gain`, which is 0 to 1; whole frames of 16-bit samples in and out."""
    if gain >= 1.0:
        return pcm
    import numpy as np

    samples = np.frombuffer(pcm, dtype="<i2").astype(np.float32) * gain
    return bytes(samples.round().astype("<i2"))

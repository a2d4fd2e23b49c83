"""Sounds in which nobody speaks, and speech in the middle of them: recordings at three levels, and noise by arithmetic.

The same each time: what is drawn comes from a generator with a fixed seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aria_desktop.core.audio import SPEECH, AudioChunk
from aria_desktop.evaluation.speech_clips import SpeechClip

LEVELS_DB = (-20.0, -30.0, -40.0)
"""Root mean square, below full scale: beside the machine, in the room, next door."""
PIECE_S = 10.0
"""As long as a button may be held. The last piece of a recording may be shorter."""
_COLOURS = {"white": 0.0, "pink": 0.5, "brown": 1.0}
"""By how much each octave's amplitude falls, as a power of the frequency."""
_SEED = 20260323

Samples = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Piece:
    name: str
    sound: AudioChunk


def recorded(clips: Sequence[SpeechClip]) -> Iterator[Piece]:
    """Each recording at each level, in pieces. Raises AudioUnreadable."""
    for clip in clips:
        samples = _samples(clip.read())
        for level in LEVELS_DB if samples.any() else (0.0,):
            yield from _pieces(f"{clip.name} {level:g} dB", _at(samples, level))


def generated() -> Iterator[Piece]:
    """Noise of three colours at three levels, a hum, clicks, and nothing at all: two and a half minutes."""
    draw = np.random.default_rng(_SEED)
    size = SPEECH.frames_in(PIECE_S)
    for name, fall in _COLOURS.items():
        for level in LEVELS_DB:
            yield Piece(f"{name} noise {level:g} dB", _sound(_at(_coloured(draw, size, fall), level)))
    moments = np.arange(2 * size) / SPEECH.rate
    hum = sum(np.sin(2 * np.pi * 50 * harmonic * moments) / harmonic for harmonic in (1, 2, 3, 5))
    yield from _pieces("hum", _at(np.asarray(hum), -30.0))
    clicks = np.zeros(2 * size)
    for place in draw.integers(0, len(clicks) - 400, 60):
        clicks[place : place + 400] += draw.standard_normal(400) * np.exp(-np.arange(400) / 60)
    yield from _pieces("clicks", clicks / np.abs(clicks).max() * 0.5)
    yield from _pieces("nothing", np.zeros(2 * size))


def seconds_of(pieces: Sequence[Piece]) -> float:
    return sum(piece.sound.seconds for piece in pieces)


def within(speech: AudioChunk, noise: AudioChunk, ratio_db: float) -> AudioChunk:
    """`speech` with `noise` under it, repeated as often as needed, so many dB below its loudest quarter."""
    said, under = _samples(speech), np.resize(_samples(noise), speech.frames)
    loud = np.sort(np.abs(said))[-max(1, len(said) // 4) :]
    return _sound(said + under * _level(loud) / max(_level(under), 1e-9) * 10 ** (-ratio_db / 20))


def _coloured(draw: np.random.Generator, size: int, fall: float) -> Samples:
    spectrum = np.fft.rfft(draw.standard_normal(size))
    octaves = np.maximum(np.arange(len(spectrum)), 1) ** fall
    return np.fft.irfft(spectrum / octaves, size)


def _pieces(name: str, samples: Samples) -> Iterator[Piece]:
    size = SPEECH.frames_in(PIECE_S)
    for number, start in enumerate(range(0, len(samples), size), start=1):
        yield Piece(f"{name}, {number}", _sound(samples[start : start + size]))


def _at(samples: Samples, level_db: float) -> Samples:
    now = _level(samples)
    return samples / now * 10 ** (level_db / 20) if now else samples


def _level(samples: Samples) -> float:
    return float(np.sqrt(np.mean(samples**2)))


def _samples(sound: AudioChunk) -> Samples:
    return np.frombuffer(sound.pcm, "<i2").astype(np.float64) / 32768


def _sound(samples: Samples) -> AudioChunk:
    return AudioChunk(SPEECH, np.round(np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())

"""Sound as it moves through the program: signed 16-bit little-endian PCM bytes with their format."""

from __future__ import annotations

from dataclasses import dataclass

SAMPLE_WIDTH = 2
"""Bytes in one sample of one channel."""


@dataclass(frozen=True, slots=True)
class AudioFormat:
    rate: int
    """Frames per second, 8,000 to 192,000."""
    channels: int = 1

    @property
    def frame_bytes(self) -> int:
        return SAMPLE_WIDTH * self.channels

    def frames_in(self, seconds: float) -> int:
        return round(seconds * self.rate)


SPEECH = AudioFormat(rate=16_000)
"""What recognisers and voice activity detectors are given: 16 kHz, mono."""


@dataclass(frozen=True, slots=True)
class AudioChunk:
    format: AudioFormat
    pcm: bytes
    """Whole frames, channels interleaved."""

    def __post_init__(self) -> None:
        if len(self.pcm) % self.format.frame_bytes:
            raise ValueError(f"{len(self.pcm)} bytes are not whole frames of {self.format.frame_bytes} bytes")

    @property
    def frames(self) -> int:
        return len(self.pcm) // self.format.frame_bytes

    @property
    def seconds(self) -> float:
        return self.frames / self.format.rate

    def cut(self, start: float, end: float) -> AudioChunk:
        """The part from `start` to `end`, both in seconds; what lies outside is left out."""
        width = self.format.frame_bytes
        first = max(0, self.format.frames_in(start))
        last = max(first, self.format.frames_in(end))
        return AudioChunk(self.format, self.pcm[first * width : last * width])


def joined(chunks: list[AudioChunk]) -> AudioChunk:
    """All chunks in a row; at least one, all of one format."""
    formats = {chunk.format for chunk in chunks}
    if len(formats) != 1:
        raise ValueError(f"can't join chunks of {len(formats)} formats")
    return AudioChunk(formats.pop(), b"".join(chunk.pcm for chunk in chunks))

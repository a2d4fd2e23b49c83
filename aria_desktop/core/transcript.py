"""What a recogniser heard."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    start: float
    """Seconds from the start of the audio."""
    end: float
    probability: float
    """0 to 1, as the recogniser states it."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of speech, usually a sentence."""

    text: str
    start: float
    end: float
    words: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class Transcript:
    segments: tuple[Segment, ...]
    language: str
    """ISO 639-1 code; empty when nothing was recognised."""
    seconds: float
    """Length of the audio, not of the speech in it."""

    @property
    def text(self) -> str:
        return " ".join(segment.text.strip() for segment in self.segments).strip()

    @property
    def words(self) -> tuple[Word, ...]:
        return tuple(word for segment in self.segments for word in segment.words)

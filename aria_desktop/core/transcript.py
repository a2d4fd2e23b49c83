"""What a recogniser heard."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


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


class Nothing(StrEnum):
    """Why a recognition has no words."""

    NONE = ""
    """It has some."""
    TOO_SHORT = "too short"
    ZEROS = "zeros"
    """Not a single sample differs from zero."""
    QUIET = "quiet"
    """Hardly any sound."""
    NOISE = "noise"
    """Sound without speech."""
    UNCLEAR = "unclear"
    """Something like speech, of which no words could be made that can be believed."""


@dataclass(frozen=True, slots=True)
class Transcript:
    segments: tuple[Segment, ...]
    language: str
    """ISO 639-1 code; empty when nothing was recognised."""
    seconds: float
    """Length of the audio, not of the speech in it."""
    nothing: Nothing = Nothing.NONE
    """Why there are no words."""

    @property
    def text(self) -> str:
        return " ".join(segment.text.strip() for segment in self.segments).strip()

    @property
    def words(self) -> tuple[Word, ...]:
        return tuple(word for segment in self.segments for word in segment.words)


@dataclass(frozen=True, slots=True)
class RecognitionEnd:
    """The last thing a recognition yields."""

    nothing: Nothing = Nothing.NONE
    speech_s: float = 0.0
    """Without the longest pauses of a recording that was cut there."""
    passes: int = 0
    """Through the model: one for each part, more where a short window's result was not believed."""
    encoder_frames: int = 0
    """Of 10 ms, over all passes."""
    tokens: int = 0
    """Decoded, over all passes."""

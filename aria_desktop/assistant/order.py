"""What one turn is to do, as the session hands it over."""

from __future__ import annotations

from dataclasses import dataclass

from aria_desktop.assistant.early import EarlyHearing
from aria_desktop.core.audio import AudioChunk
from aria_desktop.core.interfaces import WaitingTurn
from aria_desktop.core.records import Source


@dataclass(frozen=True, slots=True)
class Order:
    """Exactly one of `words`, `path` and `audio` is given. Moments are of `time.monotonic()`."""

    turn_id: str
    session_id: str
    request_id: str
    source: Source
    workspace: str
    """Absolute, or empty for the default."""
    speak: bool
    began: float
    """The request came in, or the recording started."""
    speech_ended: float
    """The last speech of `audio`; for words, when they came in."""
    words: str = ""
    path: str = ""
    """Of the sound file to recognise."""
    audio: AudioChunk | None = None
    """The utterance to recognise."""
    early: EarlyHearing | None = None
    """What was, or is being, recognised of `audio` since before its end."""
    listen_s: float = 0.0
    """How long the recording of `audio` took."""
    foreign: str = ""
    """Where `words` come from when they are not the user's own; empty when they are."""
    resume: WaitingTurn | None = None
    """The stored turn to go on with, instead of beginning one."""

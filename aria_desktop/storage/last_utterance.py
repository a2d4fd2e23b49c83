"""The sound of what was said last, kept until its words are stored: no crash and no failed recogniser loses it.

One file, readable by the user alone, replaced by the next utterance and removed as soon as its words are accepted. It
outlives a killed process; it is not synced, so a power cut may take it.
"""

from __future__ import annotations

import contextlib
import io
import logging
import os
import threading
import wave
from pathlib import Path

from aria_desktop.core.audio import SAMPLE_WIDTH, AudioChunk

log = logging.getLogger(__name__)

NAME = "last-utterance.wav"


class LastUtterance:
    """Any thread. What goes wrong here is logged, and holds up nobody."""

    def __init__(self, folder: Path) -> None:
        """`folder`: where it lies, as NAME."""
        self._path = folder / NAME
        self._turn_id = ""
        self._lock = threading.Lock()

    def keep(self, turn_id: str, sound: AudioChunk) -> None:
        """From now on until `accepted` of the same turn, or the next `keep`."""
        with self._lock:
            try:
                self._write(_wav(sound))
                self._turn_id = turn_id
            except OSError as error:
                log.warning("what was said could not be kept: %s", error)

    def accepted(self, turn_id: str) -> None:
        """Its words are stored. Of an utterance that is not the last one any more there is nothing left to remove."""
        with self._lock:
            if turn_id == self._turn_id:
                forget(self._path)

    def _write(self, content: bytes) -> None:
        part = self._path.with_name(f"{NAME}.part")
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(content)
        part.replace(self._path)


def forget(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)


def _wav(sound: AudioChunk) -> bytes:
    whole = io.BytesIO()
    with wave.open(whole, "wb") as file:
        file.setnchannels(sound.format.channels)
        file.setsampwidth(SAMPLE_WIDTH)
        file.setframerate(sound.format.rate)
        file.writeframes(sound.pcm)
    return whole.getvalue()

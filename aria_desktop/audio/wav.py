"""Sound files out: WAV, whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
import wave
from pathlib import Path

from aria_desktop.core.audio import SAMPLE_WIDTH, AudioChunk, AudioFormat
from aria_desktop.core.errors import SpeakerMissing


def write_wav(path: Path, sound: AudioChunk) -> None:
    """Replaces an existing file in one step; on any failure the old one, or none, is left.

    Raises SpeakerMissing when the file can't be written.
    """
    try:
        _write(path, sound)
    except OSError as error:
        text = f"The speech can't be written to {path}: {error.strerror or error}."
        raise SpeakerMissing(text, "Check that the folder exists and that the disk has room.") from error


def _write(path: Path, sound: AudioChunk) -> None:
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-", suffix=".part")
    try:
        with os.fdopen(descriptor, "wb") as file:
            with wave.open(file, "wb") as container:
                container.setnchannels(sound.format.channels)
                container.setsampwidth(SAMPLE_WIDTH)
                container.setframerate(sound.format.rate)
                container.writeframes(sound.pcm)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            Path(temporary).unlink()
        raise


class WavSink:
    """Speech for a file: kept in memory until `finish` writes it. Nothing is heard, so nothing has to wait."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._format: AudioFormat | None = None
        self._pcm = bytearray()

    @property
    def name(self) -> str:
        return str(self._path)

    def play(self, chunk: AudioChunk) -> None:
        if self._format not in (None, chunk.format):
            raise ValueError(f"a chunk of {chunk.format} after one of {self._format}")
        self._format = chunk.format
        self._pcm += chunk.pcm

    def finish(self) -> float:
        """The seconds written. Without any speech there is no file."""
        if self._format is None:
            return 0.0
        sound = AudioChunk(self._format, bytes(self._pcm))
        self._forget()
        write_wav(self._path, sound)
        return sound.seconds

    def stop_now(self) -> float:
        """What was not finished is not written."""
        self._forget()
        return 0.0

    def _forget(self) -> None:
        self._format = None
        self._pcm = bytearray()


class NullSink:
    """For a computer without a loudspeaker: takes speech and drops it."""

    name = "no loudspeaker"

    def __init__(self) -> None:
        self._seconds = 0.0

    def play(self, chunk: AudioChunk) -> None:
        self._seconds += chunk.seconds

    def finish(self) -> float:
        seconds, self._seconds = self._seconds, 0.0
        return seconds

    def stop_now(self) -> float:
        return self.finish()

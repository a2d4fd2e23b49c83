"""One sound file that is written down: cut into stretches while it is read, each heard, stored and told."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from aria_desktop.assistant.parts import SessionParts
from aria_desktop.assistant.recognition import SPEECH_FROM, Progress, recognised
from aria_desktop.assistant.sound_windows import SoundWindows, Window
from aria_desktop.core.audio import SAMPLE_WIDTH, SPEECH, AudioChunk
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.events import Event, RecognitionProgress
from aria_desktop.core.interfaces import RecognitionHints, StoredTranscript
from aria_desktop.core.transcript import Transcript

TOLD_CHARACTERS = 2000
"""Of what was heard, with each progress."""


class FileHearing:
    """For one file and one thread. `windows` gives what to `hear`, in order; `transcript` is the whole after that."""

    def __init__(
        self,
        parts: SessionParts,
        request_id: str,
        language: str,
        stored: StoredTranscript,
        publish: Callable[[Event], None],
    ) -> None:
        """`stored`: what was heard of it before; hearing goes on after that."""
        self._parts = parts
        self._request_id = request_id
        self._publish = publish
        self._number = stored.number
        self._from = self._done = stored.done
        self._segments = list(stored.segments)
        self._language = language or stored.language
        """Once it is known it stays: a stretch with few words is no reason to take it for another one."""
        self._heard = stored.language
        self._total = 0.0
        self._told = (-1.0, "")
        self._began = time.monotonic()

    @property
    def transcript(self) -> Transcript:
        return Transcript(tuple(self._segments), self._heard if self._segments else "", round(self._done, 3))

    def windows(self, path: str, cancel: CancelToken) -> Iterator[Window]:
        """What was not heard before. Raises like `audio.files.decoded`."""
        vad = self._parts.make_vad()
        vad.reset()
        size = vad.frame_samples * SAMPLE_WIDTH
        cut = SoundWindows(vad.frame_samples / SPEECH.rate, self._from)
        for frame in self._frames(path, size, cancel):
            whole = frame.ljust(size, b"\0")
            if window := cut.push(frame, vad.speech_probability(whole) >= SPEECH_FROM):
                yield window
        yield from cut.end()

    def hear(self, window: Window, cancel: CancelToken) -> None:
        """Raises like `SpeechToText.transcribe`."""
        found = Transcript((), "", 0.0)
        if window.speech:
            sound = AudioChunk(SPEECH, window.pcm)
            hints = RecognitionHints(self._language)
            found = recognised(self._parts.speech, sound, hints, cancel, self._tell_within, window.start)
        self._heard = self._heard or found.language
        self._language = self._language or found.language
        self._segments += found.segments
        self._done = min(window.end, window.start + len(window.pcm) / SAMPLE_WIDTH / SPEECH.rate)
        self._parts.transcripts.keep(self._number, self._done, self._heard, found.segments)
        self._tell(self._done, "")

    def _frames(self, path: str, size: int, cancel: CancelToken) -> Iterator[bytes]:
        """From where it was heard before; the last one may be shorter."""
        rest, skip = b"", SPEECH.frames_in(self._from) * SPEECH.frame_bytes
        for piece in self._parts.stream_audio(path, cancel, self._is_of):
            dropped = min(skip, len(piece))
            skip -= dropped
            rest += piece[dropped:]
            if self._total and self._told[0] < 0:
                self._tell(self._from, "")
            while len(rest) >= size:
                yield rest[:size]
                rest = rest[size:]
        if rest:
            yield rest

    def _is_of(self, _done: float, total: float | None) -> None:
        self._total = total or 0.0

    def _tell_within(self, progress: Progress) -> None:
        self._tell(progress.done, progress.text)

    def _tell(self, done: float, more: str) -> None:
        done = min(done, self._total) if self._total else done
        text = " ".join([*(segment.text.strip() for segment in self._segments[-100:]), more]).strip()
        heard, took = done - self._from, time.monotonic() - self._began
        left = took * (self._total - done) / heard if self._total and heard > 0 else None
        remaining = None if left is None else max(0.0, left)
        text = text[-TOLD_CHARACTERS:]
        if (done, text) != self._told:
            self._told = (done, text)
            self._publish(RecognitionProgress(self._request_id, done, self._total, text, remaining))

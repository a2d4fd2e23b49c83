"""One recording: microphone, detector, segmenter, on a thread of its own, to one utterance or a reason for none.

What must stay true: the thread reports its end exactly once, on every path, and the microphone is closed by then.

When the button is let go, the last sound is still on its way, so a released recording goes on until a piece of sound
arrives that was taken `AFTER_RELEASE_S` later: by then all that was said before has come, also on a busy machine.

A recording that waits for the first word without end outlives its microphone: that is told, and it goes on by itself
with the next one. When it goes in the middle of what is said, that is lost, and the recording ends: half a sentence is
no command.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from aria_desktop.assistant.frames import LOST, Frames, why_nothing
from aria_desktop.assistant.segmenter import Rules, Segmenter
from aria_desktop.core.audio import SPEECH, AudioChunk
from aria_desktop.core.errors import AriaError, MicrophoneMissing
from aria_desktop.core.events import Event, ListeningDoubted, ListeningEnded, ListeningStarted
from aria_desktop.core.interfaces import AudioSource, VoiceActivityDetector

log = logging.getLogger(__name__)

AFTER_RELEASE_S = 0.15
RETRY_S = 1.0
"""Between looks for a microphone that is gone."""


class Stop(StrEnum):
    """Why a recording ends; the values are the reasons of `ListeningEnded`."""

    RELEASED = "released"
    SILENCE = "silence"
    LIMIT = "limit"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Recording:
    """How it ended."""

    stop: Stop | None
    """None when the device failed; then `error` says why."""
    audio: AudioChunk | None
    """The utterance; None when nothing was said, or it is not wanted."""
    seconds: float
    """All that was recorded."""
    speech_ended: float
    """`time.monotonic()` of the last speech."""
    nothing: str = ""
    """Why there is no utterance, in words."""
    error: AriaError | None = None


class Listener:
    """Records from `start` on. `release` and `drop` may come from any thread, any number of times."""

    def __init__(
        self,
        open_source: Callable[[], AudioSource],
        make_vad: Callable[[], VoiceActivityDetector],
        rules: Rules,
        publish: Callable[[Event], None],
        done: Callable[[Recording], None],
        watch: Callable[[Segmenter], None] = lambda _: None,
    ) -> None:
        """All of these are called on the listener's thread and must not block: `watch` after each frame, `done` as its
        last deed.

        The detector is made once the microphone is open: it may take its time, and what is said meanwhile is kept.
        """
        self._open_source = open_source
        self._make_vad = make_vad
        self._rules = rules
        self._publish = publish
        self._done = done
        self._watch = watch
        self._wanted_stop: Stop | None = None
        self._stopping = threading.Event()
        self._released_at = 0.0
        self._source: AudioSource | None = None
        self._frames: Frames | None = None
        self._began = time.monotonic()
        self._thread = threading.Thread(target=self._run, name="listener")

    def start(self) -> None:
        self._thread.start()

    def release(self) -> None:
        """End the recording and send what was said."""
        self._released_at = self._released_at or time.monotonic()
        self._wanted_stop = self._wanted_stop or Stop.RELEASED
        self._stopping.set()

    def drop(self) -> None:
        """End the recording and forget what was said."""
        self._wanted_stop = Stop.DROPPED
        self._stopping.set()

    def close(self) -> None:
        """Drop, and don't wait for the next sound."""
        self.drop()
        if self._source is not None:
            self._source.close()

    def join(self) -> None:
        self._thread.join()

    def _run(self) -> None:
        try:
            recording = self._recorded()
        except AriaError as error:
            recording = self._failed(error)
        except Exception:
            log.exception("listening failed")
            recording = self._failed(AriaError("Listening failed.", "The log tells more."))
        self._done(recording)

    def _failed(self, error: AriaError) -> Recording:
        seconds = self._frames.seconds if self._frames else 0.0
        speech_at = self._frames.speech_at if self._frames else self._began
        if self._source is not None:
            self._publish(ListeningEnded(round(seconds, 3), error.text))
        return Recording(None, None, seconds, speech_at, error=error)

    def _recorded(self) -> Recording:
        stop = self._heard()
        if self._frames is None:
            return Recording(stop, None, 0.0, self._began)
        frames = self._frames
        self._publish(ListeningEnded(round(frames.seconds, 3), stop))
        utterance = None if stop is Stop.DROPPED else frames.utterance()
        audio = AudioChunk(SPEECH, utterance.pcm) if utterance else None
        nothing = "" if audio else why_nothing(frames.seconds, frames.loudest)
        return Recording(stop, audio, frames.seconds, frames.speech_at, nothing)

    def _heard(self) -> Stop:
        told = ""
        while True:
            try:
                return self._one_microphone()
            except MicrophoneMissing as gone:
                if not self._may_wait():
                    raise
                if gone.text != told:
                    self._publish(ListeningDoubted(gone.text))
                    told = gone.text
            self._stopping.wait(RETRY_S)
            if self._wanted_stop is not None:
                return self._wanted_stop

    def _may_wait(self) -> bool:
        """For another microphone: nothing that was said would be torn apart."""
        return self._rules.waits and (self._frames is None or self._frames.utterance() is None)

    def _one_microphone(self) -> Stop:
        source = self._source = self._open_source()
        try:
            self._publish(ListeningStarted(source.name))
            if self._frames is None:
                self._frames = Frames(self._make_vad(), self._rules, self._publish, self._watch)
            return self._listen(source, self._frames)
        finally:
            source.close()

    def _listen(self, source: AudioSource, frames: Frames) -> Stop:
        for chunk in source:
            arrived = time.monotonic()
            if self._wanted_stop is Stop.DROPPED:
                break
            if ending := frames.take(chunk.pcm):
                return Stop(ending.value)
            if source.lost:
                frames.doubt(LOST)
            if self._wanted_stop is Stop.RELEASED and arrived >= self._released_at + AFTER_RELEASE_S:
                break
        return self._wanted_stop or Stop.RELEASED

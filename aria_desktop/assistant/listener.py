"""One recording: microphone, detector, segmenter, on a thread of its own, to one utterance or a reason for none.

What must stay true: the thread reports its end exactly once, on every path, and the microphone is closed by then.
When the button is let go, the last sound is still on its way, so a released recording goes on until a piece of sound
arrives that was taken `AFTER_RELEASE_S` later: by then all that was said before has come, also on a busy machine.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from aria_desktop.assistant.recognition import SPEECH_FROM
from aria_desktop.assistant.segmenter import Ending, Phase, Rules, Segmenter
from aria_desktop.core.audio import SAMPLE_WIDTH, SPEECH, AudioChunk
from aria_desktop.core.errors import AriaError
from aria_desktop.core.events import Event, LevelMeasured, ListeningEnded, ListeningStarted
from aria_desktop.core.interfaces import AudioSource, VoiceActivityDetector

log = logging.getLogger(__name__)

AFTER_RELEASE_S = 0.15
LEVEL_S = 0.04
"""A level is told so often."""
SHORT_S = 0.4
"""Less was a slip of the finger."""
QUIET = 0.004
"""Peaks below this (-48 dB of full scale) are no voice near a microphone that works."""


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
        vad: VoiceActivityDetector,
        rules: Rules,
        publish: Callable[[Event], None],
        done: Callable[[Recording], None],
        watch: Callable[[Segmenter], None] = lambda _: None,
    ) -> None:
        """`publish`, `watch` (after each frame) and `done`, its last deed, are called on the listener's thread and must
        not block."""
        self._open_source = open_source
        self._vad = vad
        self._frame_bytes = vad.frame_samples * SAMPLE_WIDTH
        self._segmenter = Segmenter(vad.frame_samples / SPEECH.rate, rules)
        self._publish = publish
        self._done = done
        self._watch = watch
        self._wanted_stop: Stop | None = None
        self._released_at = 0.0
        self._source: AudioSource | None = None
        self._peak = 0
        self._loudest = 0
        self._level_frames = 0
        self._speech_at = time.monotonic()
        self._thread = threading.Thread(target=self._run, name="listener")

    def start(self) -> None:
        self._thread.start()

    def release(self) -> None:
        """End the recording and send what was said."""
        self._released_at = self._released_at or time.monotonic()
        self._wanted_stop = self._wanted_stop or Stop.RELEASED

    def drop(self) -> None:
        """End the recording and forget what was said."""
        self._wanted_stop = Stop.DROPPED

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
        if self._source is not None:
            self._publish(ListeningEnded(round(self._segmenter.seconds, 3), error.text))
        return Recording(None, None, self._segmenter.seconds, self._speech_at, error=error)

    def _recorded(self) -> Recording:
        self._vad.reset()
        self._source = self._open_source()
        try:
            self._publish(ListeningStarted(self._source.name))
            stop = self._listen(self._source)
        finally:
            self._source.close()
        seconds = self._segmenter.seconds
        self._publish(ListeningEnded(round(seconds, 3), stop))
        utterance = None if stop is Stop.DROPPED else self._segmenter.utterance()
        audio = AudioChunk(SPEECH, utterance.pcm) if utterance else None
        return Recording(stop, audio, seconds, self._speech_at, "" if audio else why_nothing(seconds, self._loudest))

    def _listen(self, source: AudioSource) -> Stop:
        rest = b""
        for chunk in source:
            arrived = time.monotonic()
            if self._wanted_stop is Stop.DROPPED:
                break
            rest += chunk.pcm
            while len(rest) >= self._frame_bytes:
                ending = self._take(rest[: self._frame_bytes])
                rest = rest[self._frame_bytes :]
                if ending:
                    return Stop(ending.value)
            if self._wanted_stop is Stop.RELEASED and arrived >= self._released_at + AFTER_RELEASE_S:
                break
        return self._wanted_stop or Stop.RELEASED

    def _take(self, frame: bytes) -> Ending | None:
        speech = self._vad.speech_probability(frame) >= SPEECH_FROM
        ending = self._segmenter.push(frame, speech)
        if speech and self._segmenter.phase is Phase.SPEECH:
            self._speech_at = time.monotonic()
        self._watch(self._segmenter)
        self._measure(frame)
        return ending

    def _measure(self, frame: bytes) -> None:
        self._peak = max(self._peak, peak(frame))
        self._loudest = max(self._loudest, self._peak)
        self._level_frames += 1
        if self._level_frames * self._vad.frame_samples >= SPEECH.frames_in(LEVEL_S):
            self._publish(LevelMeasured(round(self._peak / 32768, 4), self._segmenter.phase is Phase.SPEECH))
            self._peak = self._level_frames = 0


def peak(pcm: bytes) -> int:
    """The largest deviation from zero, 0 to 32,768."""
    samples = memoryview(pcm).cast("h")
    return max(max(samples), -min(samples))


def why_nothing(seconds: float, loudest: int) -> str:
    """What is probably wrong, in words, when a recording holds no speech. Pure."""
    if seconds < SHORT_S:
        return "The recording was too short: hold the button while you speak."
    if loudest == 0:
        return "The microphone delivers only zeros: it is muted, or it is the wrong one."
    if loudest / 32768 < QUIET:
        return "The microphone is nearly silent: it may be muted, far away or the wrong one."
    return "There was sound, but no speech in it."

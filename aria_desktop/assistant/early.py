"""What is being said, recognised while the microphone is still open: the words so far, and the end ahead of time.

When the speaker pauses, what was said is recognised at once. If nothing more comes, the turn takes that and has nothing
left to wait for; if speech goes on, it is thrown away. While speech lasts, the words so far are told now and then, as
often as the machine manages. What must stay true:

- The listener's thread never waits: it hands over sounds, and the newest one counts.
- The words of a turn come from all of its sound. What was recognised of less than that is shown, and never carried out.
- After the recording its thread ends by itself, with what it has to do for the turn or at once.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from aria_desktop.assistant.recognition import recognised
from aria_desktop.assistant.segmenter import Phase, Rules, Segmenter
from aria_desktop.core.audio import SPEECH, AudioChunk
from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.errors import AriaError
from aria_desktop.core.interfaces import RecognitionHints, SpeechToText
from aria_desktop.core.transcript import Transcript

log = logging.getLogger(__name__)

PAUSE_S = 0.16
"""A pause this long may be the end."""
EVERY_S = 1.0
"""The words so far are told after so much more speech, or later where recognising takes longer than half of that."""


class Early(Enum):
    """What is recognised of a recording before it ends."""

    NOT = 0
    IN_PAUSES = 1
    ALL_THE_TIME = 2


@dataclass(frozen=True, slots=True)
class Progress:
    """The words so far."""

    text: str
    seconds: float
    """Of the sound they come from."""
    pausing: bool
    """The speaker has paused: these may be all the words."""


@dataclass(slots=True)
class _Attempt:
    sound: AudioChunk
    pausing: bool
    cancel: CancelToken = field(default_factory=CancelToken)
    ended: threading.Event = field(default_factory=threading.Event)
    transcript: Transcript | None = None
    """None as long as there is none, and for good when it was cancelled or went wrong."""


class EarlyHearing:
    """For one recording. `watch` is for the listener's thread; the rest may come from any thread."""

    def __init__(
        self,
        speech: SpeechToText,
        hints: RecognitionHints,
        tell: Callable[[Progress], None],
        when: Early,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`tell` is called on a thread of its own and must not block."""
        self._speech = speech
        self._hints = hints
        self._tell = tell
        self._when = when
        self._clock = clock
        self._lock = threading.Condition()
        self._next: _Attempt | None = None
        self._running: _Attempt | None = None
        self._at_pause: _Attempt | None = None
        """Of the pause that lasts; None while somebody speaks."""
        self._told_s = 0.0
        """Seconds of the recording when the words so far were wanted last."""
        self._took_s = 0.0
        """How long recognising took last."""
        self._closed = False
        self._thread: threading.Thread | None = None

    def watch(self, segmenter: Segmenter) -> None:
        """After each frame."""
        if self._when is Early.NOT:
            return
        match segmenter.phase:
            case Phase.PAUSE if self._at_pause is None and segmenter.pause_s >= PAUSE_S:
                self._at_pause = self._attempt(segmenter, pausing=True)
            case Phase.SPEECH:
                if self._at_pause is not None:
                    self._at_pause.cancel.cancel()
                    self._at_pause, self._told_s = None, segmenter.seconds
                wait = max(EVERY_S, 2 * self._took_s)
                if self._when is Early.ALL_THE_TIME and segmenter.seconds >= self._told_s + wait and self._idle():
                    self._told_s = segmenter.seconds
                    self._attempt(segmenter, pausing=False)
            case Phase.WAITING:
                self._at_pause, self._told_s = None, segmenter.seconds
            case _:
                pass

    def recorded(self, audio: AudioChunk | None) -> None:
        """The recording is over, and `watch` is not called again. What does not belong to `audio` is dropped; what does
        goes on to its end."""
        if audio is None or self._at_pause is None or not is_the_same(self._at_pause.sound, audio):
            self._at_pause = None
        with self._lock:
            self._closed = True
            for attempt in (self._next, self._running):
                if attempt is not None and attempt is not self._at_pause:
                    attempt.cancel.cancel()
            self._lock.notify_all()

    def result(self, cancel: CancelToken) -> Transcript | None:
        """What was heard in the whole recording, where that was begun before its end; waits until it is done.
        Raises Cancelled."""
        attempt = self._at_pause
        if attempt is None:
            return None
        forget = cancel.on_cancel(attempt.cancel.cancel)
        attempt.ended.wait()
        forget()
        cancel.raise_if_cancelled()
        return attempt.transcript

    def join(self) -> None:
        """After `recorded`: until its thread has ended."""
        if self._thread is not None:
            self._thread.join()

    def _idle(self) -> bool:
        return self._next is None and self._running is None

    def _attempt(self, segmenter: Segmenter, *, pausing: bool) -> _Attempt | None:
        utterance = segmenter.utterance()
        if utterance is None:
            return None
        attempt = _Attempt(AudioChunk(SPEECH, utterance.pcm), pausing)
        with self._lock:
            if self._closed:
                return None
            for older in (self._next, self._running):
                if older is not None:
                    older.cancel.cancel()
            if self._next is not None:
                self._next.ended.set()
            self._next = attempt
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="early hearing")
                self._thread.start()
            self._lock.notify_all()
        return attempt

    def _run(self) -> None:
        while (attempt := self._taken()) is not None:
            started = self._clock()
            try:
                attempt.transcript = self._heard(attempt)
            except Cancelled:
                pass
            except AriaError as error:
                # The turn recognises the whole sound itself, and tells what goes wrong then.
                log.info("the words so far could not be recognised: %s", error.text)
            except Exception:
                log.exception("the words so far could not be recognised")
            self._took_s = self._clock() - started
            with self._lock:
                self._running = None
            attempt.ended.set()

    def _taken(self) -> _Attempt | None:
        with self._lock:
            while self._next is None and not self._closed:
                self._lock.wait()
            self._running, self._next = self._next, None
            return self._running

    def _heard(self, attempt: _Attempt) -> Transcript:
        transcript = recognised(self._speech, attempt.sound, self._hints, attempt.cancel, lambda _: None)
        attempt.cancel.raise_if_cancelled()
        if transcript.text:
            self._tell(Progress(transcript.text, attempt.sound.seconds, attempt.pausing))
        return transcript


def is_the_same(early: AudioChunk, whole: AudioChunk) -> bool:
    """Whether `whole` is `early` with nothing but the rest of a pause behind it: speech that goes on after a pause adds
    more than a tail. Pure."""
    more = (len(whole.pcm) - len(early.pcm)) / SPEECH.frame_bytes / SPEECH.rate
    return 0 <= more < Rules(None).tail_s and whole.pcm.startswith(early.pcm)

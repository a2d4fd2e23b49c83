"""The open microphone: at most one recording at a time. Part of the session's state: for its thread only."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from aria_desktop.assistant.early import EarlyHearing, Progress
from aria_desktop.assistant.listener import Listener, Recording
from aria_desktop.assistant.order import Order
from aria_desktop.assistant.parts import SessionParts
from aria_desktop.assistant.segmenter import Rules
from aria_desktop.assistant.turns import never_begun
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.errors import Busy
from aria_desktop.core.events import Event, TurnEnded, WordsSoFar
from aria_desktop.core.interfaces import RecognitionHints, VoiceActivityDetector
from aria_desktop.core.records import Source
from aria_desktop.core.requests import ListenMode, StartListening


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recording has ended."""

    request: StartListening
    session_id: str
    began: float
    """`time.monotonic()`."""
    recording: Recording


class Ear:
    def __init__(
        self, parts: SessionParts, publish: Callable[[Event], None], recorded: Callable[[Recorded], None]
    ) -> None:
        """`publish` and `recorded` are called on the listener's thread; the session then calls `ended` on its own."""
        self._parts = parts
        self._publish = publish
        self._recorded = recorded
        self._listener: Listener | None = None
        self._dropped = False
        self._request_id = ""
        self._early: EarlyHearing | None = None

    @property
    def open(self) -> bool:
        return self._listener is not None

    def start(self, request: StartListening, session_id: str) -> None:
        """Raises Busy when the microphone is open already."""
        if self._listener is not None:
            raise Busy("The microphone is open already.", "Send what is being said first, or drop it.")
        began, self._dropped, self._request_id = time.monotonic(), False, request.request_id
        self._early = self._hearing(request.request_id)
        self._listener = Listener(
            self._parts.open_microphone,
            self._detector(request.mode),
            self._rules(request.mode),
            self._publish,
            lambda recording: self._recorded(Recorded(request, session_id, began, recording)),
            self._early.watch,
        )
        self._listener.start()

    def release(self) -> None:
        if self._listener is not None:
            self._listener.release()

    def drop(self) -> None:
        """Counts also when the recording has just ended by itself and the session does not know it yet."""
        self._dropped = True
        if self._listener is not None:
            self._listener.drop()

    def drop_if(self, request_id: str) -> None:
        """Drop the recording of that request, and no other."""
        if request_id == self._request_id:
            self.drop()

    def close(self) -> None:
        self._dropped = True
        if self._listener is not None:
            self._listener.close()

    def ended(self, recorded: Recorded, turn_id: str) -> Order | TurnEnded:
        """The recording is over and its thread has nothing left to do. Returns what becomes of it."""
        if self._listener is not None:
            self._listener.join()
            self._listener = None
        dropped = self._dropped and recorded.recording.error is None
        if self._early is not None:
            self._early.recorded(None if dropped else recorded.recording.audio)
        if dropped:
            return never_begun(recorded.session_id, recorded.request.request_id, TurnOutcome.CANCELLED)
        return outcome_of(recorded, turn_id, self._early)

    def join(self) -> None:
        """After the last recording: until nothing of it is being recognised any more."""
        if self._early is not None:
            self._early.join()

    def _hearing(self, request_id: str) -> EarlyHearing:
        def tell(progress: Progress) -> None:
            self._publish(WordsSoFar(request_id, progress.text, progress.seconds, progress.pausing))

        parts = self._parts
        now = parts.preferences()
        hints = RecognitionHints(now.language, now.own_words)
        return EarlyHearing(parts.speech, hints, tell, now.hear_early)

    def _detector(self, mode: ListenMode) -> Callable[[], VoiceActivityDetector]:
        strict = self._parts.make_strict_vad
        return self._parts.make_vad if mode is ListenMode.HOLD or strict is None else strict

    def _rules(self, mode: ListenMode) -> Rules:
        now = self._parts.preferences()
        match mode:
            case ListenMode.HOLD:
                return Rules(silence_s=None, cap_s=now.max_s)
            case ListenMode.UNTIL_SILENCE:
                return Rules(silence_s=now.silence_s, cap_s=now.max_s)
            case ListenMode.HANDS_FREE:
                return Rules(silence_s=now.silence_s, cap_s=now.max_s, waits=True)


def outcome_of(recorded: Recorded, turn_id: str, early: EarlyHearing | None = None) -> Order | TurnEnded:
    """What becomes of a recording: a turn, or the end of the request. Pure."""
    request, recording, session_id = recorded.request, recorded.recording, recorded.session_id
    if recording.error is not None:
        error = recording.error
        return never_begun(session_id, request.request_id, TurnOutcome.FAILED, error.code, error.text, error.hint)
    if recording.audio is None:
        return never_begun(session_id, request.request_id, TurnOutcome.NOTHING_HEARD, text=recording.nothing)
    return Order(
        turn_id,
        session_id,
        request.request_id,
        Source.MICROPHONE,
        request.workspace,
        request.speak,
        recorded.began,
        recording.speech_ended,
        audio=recording.audio,
        early=early,
        listen_s=recording.seconds,
    )

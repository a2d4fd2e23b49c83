"""From a turn's order to what was said: read the file, find the speech in it, recognise it.

The user waits from the end of speech on. In a recording that is known; a file has all been said when it is read.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from aria_desktop.assistant.order import Order
from aria_desktop.assistant.parts import SessionParts
from aria_desktop.assistant.recognition import NO_SPEECH, WHY_NOTHING, Progress, recognised, speech_in
from aria_desktop.assistant.timings import Timings
from aria_desktop.core.audio import AudioChunk
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import NothingHeard
from aria_desktop.core.events import Event, Heard, RecognitionProgress
from aria_desktop.core.interfaces import RecognitionHints


def heard(
    order: Order, parts: SessionParts, timings: Timings, cancel: CancelToken, publish: Callable[[Event], None]
) -> Heard:
    """Raises NothingHeard, AudioUnreadable and what the recogniser raises."""
    audio, offset = _utterance(order, parts, timings, cancel)
    started = time.monotonic()

    def tell(progress: Progress) -> None:
        done = progress.done - offset
        publish(RecognitionProgress(order.turn_id, done, audio.seconds, progress.text, progress.remaining))

    transcript = order.early.result(cancel) if order.early else None
    if transcript is None:
        now = parts.preferences()
        hints = RecognitionHints(now.language, now.own_words)
        transcript = recognised(parts.speech, audio, hints, cancel, tell, offset)
    timings.spent("recognise", time.monotonic() - started)
    if not transcript.text:
        raise NothingHeard(WHY_NOTHING[transcript.nothing])
    return Heard(order.turn_id, transcript.text, transcript.language, transcript.words, audio.seconds)


def _utterance(order: Order, parts: SessionParts, timings: Timings, cancel: CancelToken) -> tuple[AudioChunk, float]:
    """The sound to recognise and where it begins in the recording, in seconds."""
    if order.audio is not None:
        timings.spent("listen", order.listen_s)
        if parts.last_utterance is not None:
            parts.last_utterance.keep(order.turn_id, order.audio)
        return order.audio, 0.0
    whole = parts.read_audio(order.path, cancel)
    now = time.monotonic()
    timings.spent("listen", now - order.began)
    timings.speech_ended(now)
    speech = speech_in(whole, parts.make_vad())
    if speech is None:
        raise NothingHeard(NO_SPEECH)
    return AudioChunk(whole.format, speech.pcm), speech.start

"""From sound to words: what is speech in it goes to the recogniser, and what comes back is told as it comes.

Recognisers invent words for silence, so nothing is sent to them in which the detector finds no speech.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from aria_desktop.assistant.segmenter import Rules, Segmenter, Utterance
from aria_desktop.core.audio import SAMPLE_WIDTH, AudioChunk
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.interfaces import RecognitionHints, SpeechToText, VoiceActivityDetector
from aria_desktop.core.transcript import Nothing, RecognitionEnd, Segment, Transcript

SPEECH_FROM = 0.5
"""From this probability on a frame counts as speech."""

NO_SPEECH = "There is no speech in the recording."
WHY_NOTHING = {
    Nothing.NONE: "No words were recognised.",
    Nothing.TOO_SHORT: "The recording was too short: hold the button while you speak.",
    Nothing.ZEROS: "The microphone delivers only zeros: it is muted, or it is the wrong one.",
    Nothing.QUIET: "The microphone is nearly silent: it may be muted, far away or the wrong one.",
    Nothing.NOISE: "There was nothing but noise, and no speech in it.",
    Nothing.UNCLEAR: "Something was said, but no words could be made out. Come nearer, or say it again.",
}
"""What to tell the user."""


@dataclass(frozen=True, slots=True)
class Progress:
    done: float
    """Seconds of audio."""
    text: str
    remaining: float | None
    """Estimated seconds."""


def frames_of(pcm: bytes, vad: VoiceActivityDetector) -> Iterator[bytes]:
    """Whole frames for the detector; what is left at the end is too short to hold anything."""
    size = vad.frame_samples * SAMPLE_WIDTH
    for at in range(0, len(pcm) - size + 1, size):
        yield pcm[at : at + size]


def speech_in(audio: AudioChunk, vad: VoiceActivityDetector) -> Utterance | None:
    """The part of a whole recording from its first to its last speech, with a margin; None without any."""
    segmenter = Segmenter(vad.frame_samples / audio.format.rate, Rules(silence_s=None, cap_s=audio.seconds + 1))
    vad.reset()
    for frame in frames_of(audio.pcm, vad):
        segmenter.push(frame, vad.speech_probability(frame) >= SPEECH_FROM)
    return segmenter.utterance()


def recognised(
    speech: SpeechToText,
    audio: AudioChunk,
    hints: RecognitionHints,
    cancel: CancelToken,
    on_progress: Callable[[Progress], None],
    offset: float = 0.0,
) -> Transcript:
    """The words in `audio`, which begins `offset` seconds into the recording that the times count from.

    Raises like `SpeechToText.transcribe`.
    """
    started = time.monotonic()
    language, segments, end = "", list[Segment](), RecognitionEnd()
    for item in speech.transcribe(audio, hints, cancel):
        if isinstance(item, str):
            language = item
            continue
        if isinstance(item, RecognitionEnd):
            end = item
            continue
        segments.append(_shifted(item, offset))
        took = time.monotonic() - started
        remaining = took * (audio.seconds - item.end) / item.end if item.end > 0 else None
        text = " ".join(segment.text.strip() for segment in segments)
        on_progress(Progress(segments[-1].end, text, None if remaining is None else max(0.0, remaining)))
    return Transcript(tuple(segments), language if segments else "", audio.seconds, end.nothing)


def _shifted(segment: Segment, by: float) -> Segment:
    if not by:
        return segment
    words = tuple(replace(word, start=word.start + by, end=word.end + by) for word in segment.words)
    return replace(segment, start=segment.start + by, end=segment.end + by, words=words)

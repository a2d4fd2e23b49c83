"""The sound of one recording, frame by frame: judged, segmented, its level told, and what looks wrong with it.

For one thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from aria_desktop.assistant.recognition import SPEECH_FROM
from aria_desktop.assistant.segmenter import Ending, Phase, Rules, Segmenter, Utterance
from aria_desktop.core.audio import SAMPLE_WIDTH, SPEECH
from aria_desktop.core.events import Event, LevelMeasured, ListeningDoubted
from aria_desktop.core.interfaces import VoiceActivityDetector

LEVEL_S = 0.03
"""A level is told when at least so much has come since the last one."""
SHORT_S = 0.4
"""Less was a slip of the finger."""
QUIET = 0.004
"""Peaks below this (-48 dB of full scale) are no voice near a microphone that works."""
DEAD_S = 1.5
"""So much of nothing but zeros is told while it lasts: no room is that silent."""
ZEROS = "The microphone delivers only zeros: it is muted, or it is the wrong one."
LOST = "Some of what was said was lost: the computer was too busy to take it from the microphone."


class Frames:
    def __init__(
        self,
        vad: VoiceActivityDetector,
        rules: Rules,
        publish: Callable[[Event], None],
        watch: Callable[[Segmenter], None] = lambda _: None,
    ) -> None:
        """`watch` is called after each frame."""
        self._vad = vad
        self._frame_bytes = vad.frame_samples * SAMPLE_WIDTH
        self._segmenter = Segmenter(vad.frame_samples / SPEECH.rate, rules)
        self._publish = publish
        self._watch = watch
        self._rest = b""
        self._peak = self._level_frames = 0
        self._zeros = 0
        self._doubts: set[str] = set()
        self.loudest = 0
        """The largest peak so far, 0 to 32,768."""
        self.speech_at = time.monotonic()
        """`time.monotonic()` of the last speech."""
        vad.reset()

    @property
    def seconds(self) -> float:
        return self._segmenter.seconds

    def utterance(self) -> Utterance | None:
        return self._segmenter.utterance()

    def take(self, pcm: bytes) -> Ending | None:
        """Says so when the utterance ends in it; what comes after that is dropped."""
        self._rest += pcm
        while len(self._rest) >= self._frame_bytes:
            frame, self._rest = self._rest[: self._frame_bytes], self._rest[self._frame_bytes :]
            if ending := self._take_one(frame):
                return ending
        return None

    def doubt(self, reason: str) -> None:
        """Tell it, once."""
        if reason not in self._doubts:
            self._doubts.add(reason)
            self._publish(ListeningDoubted(reason))

    def _take_one(self, frame: bytes) -> Ending | None:
        speech = self._vad.speech_probability(frame) >= SPEECH_FROM
        ending = self._segmenter.push(frame, speech)
        if speech and self._segmenter.phase is Phase.SPEECH:
            self.speech_at = time.monotonic()
        self._watch(self._segmenter)
        self._measure(frame)
        return ending

    def _measure(self, frame: bytes) -> None:
        now = peak(frame)
        self._peak = max(self._peak, now)
        self.loudest = max(self.loudest, now)
        self._zeros = 0 if now else self._zeros + self._vad.frame_samples
        if self._zeros >= SPEECH.frames_in(DEAD_S):
            self.doubt(ZEROS)
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
        return ZEROS
    if loudest / 32768 < QUIET:
        return "The microphone is nearly silent: it may be muted, far away or the wrong one."
    return "There was sound, but no speech in it."

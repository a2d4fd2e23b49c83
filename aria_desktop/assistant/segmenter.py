"""Frames and verdicts in, one utterance out. Pure arithmetic: no clock, no device, no model.

Detecting speech and deciding where an utterance begins and ends are different things. This file does the
second: it counts frames. What must stay true:

- A click is not speech: only `onset_s` of speech within a short window starts an utterance, and only as much
  again takes back a pause that has begun.
- A noise that passed for speech does not end the recording before the speaker has begun.
- No first and no last sound is lost: the utterance reaches from `pre_roll_s` before the speech to `tail_s`
  after it.
- Memory is bounded: before speech only the pre-roll is kept, after it at most `cap_s` are.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Rules:
    """All in seconds of audio."""

    silence_s: float | None
    """So much silence after speech ends the utterance; None: silence never does."""
    cap_s: float = 30.0
    """The recording ends here, whatever is being said."""
    waits: bool = False
    """Whether the cap counts from the first word on: before it the wait has no end."""
    onset_s: float = 0.08
    """So much speech within twice this time is the beginning of an utterance."""
    least_s: float = 0.2
    """Silence ends no utterance with less speech in it: that was a noise, and the wait goes on."""
    pre_roll_s: float = 0.3
    tail_s: float = 0.24


class Phase(StrEnum):
    WAITING = "waiting"
    """Nothing was said yet."""
    SPEECH = "speech"
    PAUSE = "pause"
    """Something was said, and it is quiet now."""


class Ending(StrEnum):
    SILENCE = "silence"
    LIMIT = "limit"


@dataclass(frozen=True, slots=True)
class Utterance:
    pcm: bytes
    """The speech with pre-roll and tail."""
    start: float
    """Where `pcm` begins, seconds from the first frame."""
    speech_start: float
    """Where the speech begins, seconds from the first frame."""
    speech_end: float
    """Where the last speech ends, seconds from the first frame."""


class Segmenter:
    """Push frames of one recording in order; ask for the `utterance` at any time. For one thread."""

    def __init__(self, frame_s: float, rules: Rules) -> None:
        self._frame_s = frame_s
        self._rules = rules
        self._onset = max(1, round(rules.onset_s / frame_s))
        self._window: deque[bool] = deque(maxlen=2 * self._onset)
        self._kept: deque[bytes] = deque()
        self._kept_from = 0
        self._pushed = 0
        self._first_speech = 0
        self._after_speech = 0
        self._speech_frames = 0
        self._phase = Phase.WAITING

    @property
    def phase(self) -> Phase:
        return self._phase

    @property
    def seconds(self) -> float:
        """Of all frames pushed."""
        return self._pushed * self._frame_s

    @property
    def pause_s(self) -> float:
        """Since the last speech; 0 when nothing was said."""
        return 0.0 if self._phase is Phase.WAITING else (self._pushed - self._after_speech) * self._frame_s

    def push(self, frame: bytes, speech: bool) -> Ending | None:
        """Take the next frame; says so when the utterance ends with it."""
        self._kept.append(frame)
        self._window.append(speech)
        self._pushed += 1
        self._judge(speech)
        if self._phase is Phase.WAITING:
            self._forget_all_but_the_pre_roll()
        if self._phase is Phase.PAUSE and self._pause_is_over():
            if self._speech_frames >= self._frames(self._rules.least_s):
                return Ending.SILENCE
            self._phase, self._speech_frames = Phase.WAITING, 0
        return Ending.LIMIT if self._counted() >= self._frames(self._rules.cap_s) else None

    def utterance(self) -> Utterance | None:
        """What was said so far; None when nothing was."""
        if self._phase is Phase.WAITING:
            return None
        start = max(self._kept_from, self._first_speech - self._frames(self._rules.pre_roll_s))
        end = min(self._pushed, self._after_speech + self._frames(self._rules.tail_s))
        kept = list(self._kept)[start - self._kept_from : end - self._kept_from]
        frame_s = self._frame_s
        return Utterance(b"".join(kept), start * frame_s, self._first_speech * frame_s, self._after_speech * frame_s)

    def _judge(self, speech: bool) -> None:
        convinced = sum(self._window) >= self._onset
        self._speech_frames += speech and self._phase is not Phase.WAITING
        if self._phase is Phase.SPEECH:
            if speech:
                self._after_speech = self._pushed
            elif not any(list(self._window)[-self._onset :]):
                self._phase = Phase.PAUSE
        elif speech and convinced:
            if self._phase is Phase.WAITING:
                self._first_speech = self._pushed - len(self._window) + list(self._window).index(True)
                self._speech_frames = sum(self._window)
            self._phase = Phase.SPEECH
            self._after_speech = self._pushed

    def _counted(self) -> int:
        """Frames that the cap counts."""
        if not self._rules.waits:
            return self._pushed
        return 0 if self._phase is Phase.WAITING else self._pushed - self._first_speech

    def _pause_is_over(self) -> bool:
        silence_s = self._rules.silence_s
        return silence_s is not None and self._pushed - self._after_speech >= self._frames(silence_s)

    def _forget_all_but_the_pre_roll(self) -> None:
        keep = self._frames(self._rules.pre_roll_s) + 2 * self._onset
        while len(self._kept) > keep:
            self._kept.popleft()
            self._kept_from += 1

    def _frames(self, seconds: float) -> int:
        return round(seconds / self._frame_s)

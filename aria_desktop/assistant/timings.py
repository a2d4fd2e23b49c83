"""Where the time of one turn went, added up from its events. Pure: whoever calls hands in the time.

While the agent runs, every moment belongs to exactly one of think, approve and act, so that the three add up.
"""

from __future__ import annotations

from collections.abc import Mapping

from aria_desktop.core.events import (
    AnswerGiven,
    ApprovalDecided,
    ApprovalRequested,
    CallEnded,
    CallStarted,
    Event,
    SpeakingEnded,
    SpeakingStarted,
    TranscriptOffered,
    TranscriptSettled,
)


class Timings:
    """All times are of one monotonic clock, in seconds. For one thread at a time."""

    def __init__(self, began: float, speech_ended: float) -> None:
        """`began`: the request came in, or the recording started. `speech_ended`: the user waits from here on."""
        self._began = began
        self._seconds: dict[str, float] = {}
        self._speech_ended = speech_ended
        self._running = 0
        self._stage = ""
        self._since = began
        self._speaking_since = 0.0

    def speech_ended(self, now: float) -> None:
        """Known only now: the user waits from here on."""
        self._speech_ended = now

    def spent(self, stage: str, seconds: float) -> None:
        self._seconds[stage] = self._seconds.get(stage, 0.0) + seconds

    def agent_started(self, now: float) -> None:
        self._enter("think", now)

    def agent_ended(self, now: float) -> None:
        self._enter("", now)

    def note(self, event: Event, now: float) -> None:
        """Take an event of the turn at the moment it happened."""
        match event:
            case ApprovalRequested() | TranscriptOffered():
                self._enter("approve", now)
            case TranscriptSettled():
                self._enter("", now)
            case ApprovalDecided():
                self._enter("think", now)
            case CallStarted():
                self._running += 1
                self._enter("act", now)
            case CallEnded() if self._running:
                self._running -= 1
                self._enter("act" if self._running else "think", now)
            case AnswerGiven():
                self._enter("", now)
            case SpeakingStarted():
                self._speaking_since = now
                self._seconds["first_audio"] = now - self._speech_ended - self._approving(now)
            case SpeakingEnded():
                self.spent("speak", now - self._speaking_since)
            case _:
                pass

    def ended(self, now: float) -> Mapping[str, float]:
        """All of it, once the turn is over."""
        self._enter("", now)
        seconds = {**self._seconds, "total": now - self._began}
        return {stage: round(spent, 4) for stage, spent in seconds.items()}

    def _enter(self, stage: str, now: float) -> None:
        if self._stage:
            self.spent(self._stage, now - self._since)
        self._stage, self._since = stage, now

    def _approving(self, now: float) -> float:
        open_question = now - self._since if self._stage == "approve" else 0.0
        return self._seconds.get("approve", 0.0) + open_question

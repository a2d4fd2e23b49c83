"""Said alone while somebody listens: faster, slower. The voice's speed is set so from then on, and a reading that this
broke off goes on.
"""

from __future__ import annotations

from collections.abc import Callable

from aria_desktop.assistant.agent import AgentResult
from aria_desktop.assistant.parts import SessionParts
from aria_desktop.assistant.reading_aloud import Asked, Passage, Wish, read_aloud
from aria_desktop.assistant.so_far import Events
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.events import AnswerGiven
from aria_desktop.tools.languages.wording import wording_in

STEP = 1.25
SLOWEST, FASTEST = 0.5, 2.0
"""As `voice.speed` has them."""


def stepped(speed: float, wish: Wish) -> float:
    """The speed after `Wish.FASTER` or `Wish.SLOWER`. Pure."""
    wanted = speed * STEP if wish is Wish.FASTER else speed / STEP
    return round(min(FASTEST, max(SLOWEST, wanted)), 2)


def paced(turn_id: str, wanted: Asked, reading: Passage | None, parts: SessionParts) -> Events[AgentResult]:
    """The turn. Raises SettingsError and StorageError; then the voice is as it was."""
    text = changed(wanted, parts.preferences().pace, parts.change_setting)
    if reading is not None:
        return (yield from read_aloud(turn_id, reading))
    yield AnswerGiven(turn_id, text)
    return AgentResult(TurnOutcome.ANSWERED, text, ())


def changed(wanted: Asked, now: float, change: Callable[[str, float], None]) -> str:
    """Sets the speed, and says so."""
    say, speed = wording_in(wanted.language).say, stepped(now, wanted.wish)
    if speed == now:
        return say("no_faster" if wanted.wish is Wish.FASTER else "no_slower")
    change("voice.speed", speed)
    return say("faster" if wanted.wish is Wish.FASTER else "slower")

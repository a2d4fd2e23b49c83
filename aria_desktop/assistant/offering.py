"""What was heard is put before the user, who takes it, corrects it or drops it, before anything is done about it.

When that happens is a setting. "Stop" and the other words that code itself carries out are never held up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from aria_desktop.assistant.doubts import UNSURE_ON_AVERAGE, hearing_of
from aria_desktop.assistant.said_alone import said_alone
from aria_desktop.assistant.waiting import Waiting
from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.events import Event, Heard, TranscriptOffered, TranscriptSettled

Confirm = Literal["never", "unsure", "always"]


@dataclass(frozen=True, slots=True)
class Accepted:
    """What the user makes of it."""

    words: str
    """As they are to be carried out; empty: nothing is to be done."""
    by: str


NOBODY = Accepted("", "nobody there to ask")


class Offers(Waiting[Accepted]):
    def __init__(self, somebody_there: Callable[[], bool]) -> None:
        super().__init__(somebody_there, NOBODY)


def has_to_be_offered(heard: Heard, when: Confirm) -> bool:
    """Pure."""
    if when == "never" or said_alone(heard.text) is not None:
        return False
    hearing = hearing_of(heard.words)
    unsure = hearing is not None and bool(hearing.unsure or hearing.confidence < UNSURE_ON_AVERAGE)
    return when == "always" or unsure


def accepted(heard: Heard, offers: Offers, publish: Callable[[Event], None], cancel: CancelToken) -> Heard:
    """What is to be carried out; of corrected words there is no doubt left. Raises Cancelled when there is nothing."""
    hearing = hearing_of(heard.words)
    confidence, unsure = (hearing.confidence, hearing.unsure) if hearing else (1.0, ())
    offers.opened(heard.turn_id)
    publish(TranscriptOffered(heard.turn_id, heard.text, confidence, unsure))
    answer = offers.wait_for(heard.turn_id, cancel)
    words = answer.words.strip()
    publish(TranscriptSettled(heard.turn_id, words, answer.by))
    if not words:
        raise Cancelled
    return heard if words == heard.text else replace(heard, text=words, words=())

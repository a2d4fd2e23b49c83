"""How much of an answer was heard, in the words in which it was written. Pure.

A voice knows how long each clause took and a loudspeaker how long it played; where both meet in the middle of a
clause, its words are taken to be equally long, and only whole words count.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from aria_desktop.core.records import TurnRecord

_WORD = re.compile(r"\S+\s*")


@dataclass(frozen=True, slots=True)
class Spoken:
    """A clause that was handed to the loudspeaker."""

    seconds: float
    written: str
    """As it stands in the answer; empty for what is no part of it."""


def heard_part(spoken: Sequence[Spoken], seconds: float) -> str:
    """What `seconds` of playing let be heard of all that was spoken, in order."""
    heard = ""
    for clause in spoken:
        if seconds >= clause.seconds:
            heard += clause.written
            seconds -= clause.seconds
            continue
        words = _WORD.findall(clause.written)
        return (heard + "".join(words[: int(len(words) * seconds / clause.seconds)])).rstrip()
    return heard.rstrip()


def as_heard(turn: TurnRecord) -> str:
    """The answer of an earlier turn as far as the user has heard it."""
    return turn.answer if turn.heard is None else f"{turn.heard} … (interrupted)".lstrip()

"""What tells a recogniser's good result from a bad one, and words from what it writes where nobody speaks. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

NO_SPEECH = 0.6
"""From this probability on the model itself thinks that nobody spoke."""
UNLIKELY = -1.0
"""Mean log probability of a result's tokens."""
_DOUBTED = -0.5
"""The same, where the model thinks that nobody spoke, or the detector was not sure of speech."""
_REPETITIVE = 2.4
"""How many times smaller a text becomes when it is compressed."""


@dataclass(frozen=True, slots=True)
class Heard:
    text: str
    log_probability: float
    """Mean of its tokens'."""
    compression: float
    """How many times smaller the text becomes when it is compressed."""
    complete: bool = True
    """False when it was cut off at the most tokens it may have."""


def is_broken(heard: Heard) -> bool:
    """Whether a result of the whole window is worth another try."""
    return heard.compression > _REPETITIVE or heard.log_probability < UNLIKELY


def best_of(results: Sequence[Heard]) -> int:
    """The place of the one to tell: the last, unless it is broken and another one is likelier."""
    if not is_broken(results[-1]):
        return len(results) - 1
    return max(
        range(len(results)),
        key=lambda place: (results[place].compression <= _REPETITIVE, results[place].log_probability),
    )


def is_believed(heard: Heard, no_speech: float, *, sure_of_speech: bool = True) -> bool:
    """Whether these are words that somebody said, and not what a model writes where nobody speaks.

    Args:
        no_speech: how likely the model thinks it that nobody spoke, 0 to 1.
        sure_of_speech: the detector was; else the words have to convince.
    """
    if not any(map(str.isalnum, heard.text)):
        return False
    doubted = no_speech > NO_SPEECH or not sure_of_speech
    return not (doubted and heard.log_probability < _DOUBTED)

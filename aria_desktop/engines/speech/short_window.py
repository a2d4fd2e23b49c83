"""How much of Whisper's 30-second window a short recording needs, and when its result must not be trusted. Pure.

Whisper was trained on 30 seconds at a time, and encoding them is most of the work on a command of three. Given
only the speech and a margin it is several times as fast and nearly always as right. When it is not, it shows:
it says things twice, or much too much, or is unsure. Such a result is thrown away and made again in full.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from aria_desktop.engines.speech.trust import Heard

FRAMES_PER_SECOND = 100
FULL = 3000
"""Frames of the whole window."""
SHORT_S = 12.6
"""Longer sounds get the whole window: there is little to gain."""
_FLOOR_S = 8.0
_MARGIN_S = 4.0
_UNSURE = -0.9
"""Mean log probability of a result's tokens."""
_REPETITIVE = 1.9
"""How many times smaller a text becomes when it is compressed."""
_WORDS_PER_SECOND = 4.5
_WORDS_AT_ONCE = 3


def frames_for(speech_s: float) -> int:
    """The window for so many seconds with speech in them. An even number: the encoder halves it."""
    if speech_s > SHORT_S:
        return FULL
    return 2 * round(max(_FLOOR_S, speech_s + _MARGIN_S) * FRAMES_PER_SECOND / 2)


def tokens_for(speech_s: float) -> int:
    """More than anybody says in that time: where repeating itself ends."""
    return round(10 + 8 * speech_s)


def is_doubtful(heard: Heard, speech_s: float) -> bool:
    """Does the result of a short window have to be made again in full?"""
    words = re.findall(r"\w+", heard.text.lower())
    return (
        not words
        or not heard.complete
        or heard.log_probability < _UNSURE
        or heard.compression > _REPETITIVE
        or len(words) > _WORDS_PER_SECOND * speech_s + _WORDS_AT_ONCE
        or _says_twice(words)
        or _stammers(words)
    )


def _says_twice(words: Sequence[str]) -> bool:
    """Two words or more, and at once the same again."""
    return any(
        words[start : start + size] == words[start + size : start + 2 * size]
        for size in range(2, len(words) // 2 + 1)
        for start in range(len(words) - 2 * size + 1)
    )


def _stammers(words: Sequence[str]) -> bool:
    """One letter again and again: nobody spells like that."""
    return any(
        len(one) == 1 and one == two == three for one, two, three in zip(words, words[1:], words[2:], strict=False)
    )

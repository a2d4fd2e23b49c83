"""Which of several results is told, and which words nobody said."""

from __future__ import annotations

import pytest

from aria_desktop.engines.speech.trust import Heard, best_of, is_believed, is_broken

GOOD = Heard("Turn on the light.", -0.2, 1.1)
UNSURE = Heard("Turn on the lie.", -0.7, 1.1)
UNLIKELY = Heard("Torn.", -1.4, 0.8)
REPEATING = Heard("Turn on. " * 20, -0.1, 9.0)


@pytest.mark.parametrize(
    ("results", "told"),
    [
        ([GOOD], GOOD),
        ([UNSURE, GOOD], GOOD),
        ([REPEATING, UNSURE], UNSURE),
        ([UNSURE, UNLIKELY], UNSURE),
        ([UNLIKELY, REPEATING], UNLIKELY),
        ([UNLIKELY, REPEATING, GOOD], GOOD),
    ],
)
def test_the_last_result_is_told_unless_it_is_broken(results: list[Heard], told: Heard) -> None:
    assert results[best_of(results)] is told


def test_what_is_broken() -> None:
    assert [is_broken(heard) for heard in (GOOD, UNSURE, UNLIKELY, REPEATING)] == [False, False, True, True]


@pytest.mark.parametrize(
    ("heard", "no_speech", "sure_of_speech", "believed"),
    [
        (GOOD, 0.1, True, True),
        (GOOD, 0.9, True, True),
        (GOOD, 0.9, False, True),
        (UNSURE, 0.1, True, True),
        (UNSURE, 0.9, True, False),
        (UNSURE, 0.1, False, False),
        (Heard("", -0.1, 0.0), 0.1, True, False),
        (Heard(" ...", -0.1, 0.3), 0.1, True, False),
        (Heard("¿?", -0.1, 0.3), 0.1, True, False),
    ],
)
def test_doubted_words_have_to_be_likely(heard: Heard, no_speech: float, sure_of_speech: bool, believed: bool) -> None:
    assert is_believed(heard, no_speech, sure_of_speech=sure_of_speech) is believed

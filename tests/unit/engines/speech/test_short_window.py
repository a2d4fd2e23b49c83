"""How long a window is, and which results of a short one are made again."""

from __future__ import annotations

import pytest

from aria_desktop.engines.speech.short_window import FULL, frames_for, is_doubtful, tokens_for
from aria_desktop.engines.speech.trust import Heard


@pytest.mark.parametrize(
    ("speech_s", "frames"),
    [(0.0, 800), (3.0, 800), (4.5, 850), (7.333, 1134), (12.6, 1660), (12.7, FULL), (600.0, FULL)],
)
def test_the_window_is_the_speech_and_a_margin(speech_s: float, frames: int) -> None:
    assert frames_for(speech_s) == frames
    assert frames % 2 == 0


def test_a_second_of_speech_has_room_for_all_its_words() -> None:
    assert tokens_for(1.0) == 18


def sure(text: str) -> Heard:
    return Heard(text, -0.2, 1.1)


@pytest.mark.parametrize(
    "text",
    [
        "Create a file called shopping.txt with milk, eggs and bread.",
        "No, no, no.",
        "Turn it off. Turn it on.",
        "Stop",
    ],
)
def test_a_good_result_stands(text: str) -> None:
    assert not is_doubtful(sure(text), 3.0)


@pytest.mark.parametrize(
    "heard",
    [
        sure(""),
        sure("..."),
        Heard("Turn on the light.", -1.0, 1.1),
        Heard("Turn on the light.", -0.2, 2.5),
        Heard("Turn on the", -0.2, 1.1, complete=False),
        sure("Turn on the light. Turn on the light."),
        sure("Turn on the light turn on the light"),
        sure(" ".join(f"w{n}" for n in range(30))),
        sure("He was not an old-s-s-y-y-y-"),
    ],
    ids=["nothing", "no word", "unsure", "compressible", "cut off", "twice", "twice in one", "too much", "stammering"],
)
def test_a_bad_result_shows(heard: Heard) -> None:
    assert is_doubtful(heard, 3.0)


def test_the_same_words_are_fine_in_more_time() -> None:
    assert not is_doubtful(sure(" ".join(f"w{n}" for n in range(30))), 8.0)

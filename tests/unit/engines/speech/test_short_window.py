"""How long a window is, and which results of a short one are made again."""

from __future__ import annotations

import pytest

from aria_desktop.engines.speech.short_window import FULL, Heard, frames_for, is_doubtful, tokens_for


@pytest.mark.parametrize(
    ("speech_s", "frames"),
    [(0.0, 500), (3.0, 500), (4.5, 550), (7.333, 834), (12.0, 1300), (12.1, FULL), (600.0, FULL)],
)
def test_the_window_is_the_speech_and_a_margin(speech_s: float, frames: int) -> None:
    assert frames_for(speech_s) == frames
    assert frames % 2 == 0


def test_a_second_of_speech_has_room_for_all_its_words() -> None:
    assert tokens_for(1.0) == 18


def sure(text: str) -> Heard:
    return Heard(text, -0.2, 1.1)


@pytest.mark.parametrize(
    "segments",
    [
        [sure("Create a file called shopping.txt with milk, eggs and bread.")],
        [sure("No, no, no.")],
        [sure("Turn it off."), sure("Turn it on.")],
        [sure("Stop")],
    ],
)
def test_a_good_result_stands(segments: list[Heard]) -> None:
    assert not is_doubtful(segments, 3.0)


@pytest.mark.parametrize(
    "segments",
    [
        [],
        [sure("...")],
        [Heard("Turn on the light.", -1.0, 1.1)],
        [sure("Turn on"), Heard("the light.", -0.2, 2.5)],
        [sure("Turn on the light. Turn on the light.")],
        [sure("Turn on the light."), sure("turn on the light")],
        [sure(" ".join(f"w{n}" for n in range(30)))],
    ],
    ids=["nothing", "no word", "unsure", "compressible", "twice", "twice in two", "too much"],
)
def test_a_bad_result_shows(segments: list[Heard]) -> None:
    assert is_doubtful(segments, 3.0)


def test_the_same_words_are_fine_in_more_time() -> None:
    assert not is_doubtful([sure(" ".join(f"w{n}" for n in range(30)))], 8.0)

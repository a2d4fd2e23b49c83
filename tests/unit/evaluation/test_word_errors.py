"""Words wrong and slots found, however numbers and signs are written."""

from __future__ import annotations

import pytest

from aria_desktop.evaluation.word_errors import Scored, distance, scored, slots_found


@pytest.mark.parametrize(
    ("said", "heard", "errors"),
    [
        ("press one to call this number", "Press 1 to call this number.", 0),
        ("dial one two three", "Dial 123.", 0),
        ("room forty five", "Room 45!", 0),
        ("twelve hundred", "1200", 0),
        ("in nineteen ninety six", "In 1996", 0),
        ("two thousand and one nights", "2001 nights", 1),
        ("mister dashwood", "Mr. Dashwood", 0),
        ("the pound key", "the # key", 0),
        ("don't go", "Don\u2019t go", 0),
        ("eins zwei", "", 2),
        ("a b c", "a x c d", 2),
        ("", "hello there", 2),
        ("caf\u00e9", "CAFE", 0),
    ],
)
def test_words_wrong(said: str, heard: str, errors: int) -> None:
    assert scored(said, heard).errors == errors


def test_words_are_counted_once_however_they_are_read() -> None:
    assert scored("dial 123", "dial 123") == Scored(0, 4)


def test_distance() -> None:
    assert distance(["a", "b", "c", "d"], ["b", "c", "e"]) == 2
    assert distance([], ["a"]) == 1


def test_slots_are_found_as_words_in_a_row() -> None:
    heard = "Can I have an 8-ounce dark roast, with a lot of brown sugar?"
    assert slots_found(["eight ounce", "dark roast", "a lot of brown sugar"], heard) == 3
    assert slots_found(["brown", "lot sugar", "ounce dark"], heard) == 2

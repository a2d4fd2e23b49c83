"""Numbers in words and digits are the same number."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis.strategies import integers, text

from aria_desktop.evaluation.spoken_numbers import english, readings, spanish, with_digits


@given(integers(0, 999_999))
def test_what_is_put_in_words_is_read_back(value: int) -> None:
    assert with_digits(english(value)) == str(value)
    # "once", eleven, is left alone: in English it is a common word.
    if "once" not in spanish(value).split():
        assert with_digits(spanish(value)) == str(value)


@pytest.mark.parametrize(
    ("words", "digits"),
    [
        ("three hundred and sixty-six days", "366 days"),
        ("Twenty three parcels", "23 parcels"),
        ("four four one seven", "4 4 1 7"),
        ("forty-four seventeen", "44 17"),
        ("one and two", "1 and 2"),
        ("two thousand and five", "2005"),
        ("a hundred, none, someone", "a hundred, none, someone"),
        ("quinientos dos", "502"),
        ("mil", "1000"),
        ("cien mil", "100000"),
        ("", ""),
    ],
)
def test_words_to_digits(words: str, digits: str) -> None:
    assert with_digits(words) == digits


def test_all_readings_keep_the_text_as_it_is() -> None:
    assert readings("no numbers here") == ("no numbers here",)
    assert readings("5,521 of 7") == (
        "5,521 of 7",
        "five thousand five hundred twenty-one of seven",
        "cinco mil quinientos veintiuno de 7".replace("de 7", "of siete"),
    )


@pytest.mark.parametrize("kept", ["2.4.1", "v12", "0123456789", "10.5", "3rd"])
def test_what_is_no_whole_number_stays(kept: str) -> None:
    assert readings(kept) == (kept,)


@given(text(max_size=60))
def test_any_text_can_be_read(said: str) -> None:
    assert readings(said)[0] == said

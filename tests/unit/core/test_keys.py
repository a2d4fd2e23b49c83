"""Names of keys and combinations."""

from __future__ import annotations

import re

import pytest

from aria_desktop.core.keys import KEYS, PATTERN, Combination, combination


def test_a_combination_is_read_and_written_in_one_order() -> None:
    read = combination("Alt+CTRL+space")
    assert read == Combination("space", frozenset({"ctrl", "alt"}))
    assert str(read) == "ctrl+alt+space"


@pytest.mark.parametrize("key", KEYS)
def test_every_key_can_stand_alone_and_be_set(key: str) -> None:
    assert str(combination(key)) == key
    assert re.fullmatch(PATTERN, f"shift+{key}")


@pytest.mark.parametrize("text", ["", "spcae", "ctrl+", "space+ctrl", "fn+space", "ctrl space", "f25"])
def test_what_is_no_combination_is_refused_in_words(text: str) -> None:
    with pytest.raises(ValueError, match=r"key called|can't be held"):
        combination(text)
    assert not re.fullmatch(PATTERN, text)

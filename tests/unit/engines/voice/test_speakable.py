"""Whatever text comes, a voice is given pieces that it can speak."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aria_desktop.engines.voice.speakable import LONGEST, pieces

NOTHING = [
    "",
    "   ",
    "\n\n",
    "...",
    "?!",
    "—",
    "😀 👍🏽",
    "\x00\x07",
    "\u200b\u200d\ufeff",
    "\ud800",
    "[[]]",
    "<>",
    "``` ```",
]


@pytest.mark.parametrize("text", NOTHING)
def test_nothing_to_say(text: str) -> None:
    assert list(pieces(text)) == []


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("Done.", ["Done."]),
        ("I made it. Shall I go on? Yes!", ["I made it.", "Shall I go on?", "Yes!"]),
        ("one\ntwo\n\nthree", ["one", "two", "three"]),
        ('He said "stop." Then he left.', ['He said "stop.', "Then he left."]),
        ("It costs 3.5 euros at 10:30.", ["It costs 3.5 euros at 10:30."]),
        ("hello ..", ["hello .."]),
        ("a\x00b\x07c", ["a b c"]),
        ("[[ h@loU ]] there", ["h@loU there"]),
        ("<speak>hi <break time='3s'/></speak>", ["speak hi break time='3s'/ /speak"]),
        ("`shopping.txt` is *ready*", ["shopping.txt is ready"]),
        ("right \u202e left", ["right left"]),
        ("half \ud800 pair", ["half pair"]),
        ("great 😀 news", ["great news"]),
        ("20 °C", ["20 °C"]),
        ("你好。再见。", ["你好。再见。"]),
    ],
)
def test_what_is_spoken(text: str, spoken: list[str]) -> None:
    assert list(pieces(text)) == spoken


def test_a_long_sentence_is_cut_at_a_clause_then_at_a_space_then_anywhere() -> None:
    clause = "word " * 40
    assert next(pieces(f"{clause.strip()}, and {clause}")).endswith(",")
    assert next(pieces("word " * 100)).endswith("word")
    assert [len(piece) for piece in pieces("x" * (2 * LONGEST + 1))] == [LONGEST, LONGEST, 1]


def test_nothing_is_lost_by_cutting() -> None:
    words = [f"w{number}" for number in range(5000)]
    assert " ".join(pieces(" ".join(words))).split() == words


@given(st.text(st.characters(exclude_categories=[]), max_size=2000))
def test_every_piece_can_be_spoken(text: str) -> None:
    for piece in pieces(text):
        assert 0 < len(piece) <= LONGEST
        assert any(map(str.isalnum, piece))
        assert not {unicodedata.category(char) for char in piece} & {"Cc", "Cf", "Cs"}
        assert not set(piece) & set("[]<>{}")
        assert piece == piece.strip()

"""What would hide or reorder text is spelled out; what people write stays as it is."""

from __future__ import annotations

import json

import pytest

from aria_desktop.core.visible import spelled_out, visible, visible_json, visible_line


@pytest.mark.parametrize("text", ["plain", "größer\n\tñandú", "日本語 العربية", "emoji 🎉", ""])
def test_ordinary_text_stays(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u202egpj.exe", "a<U+202E>gpj.exe"),
        ("\x1b[2J", "<U+001B>[2J"),
        ("zero\u200bwidth", "zero<U+200B>width"),
        ("cr\rlf", "cr<U+000D>lf"),
        ("\ud800", "<U+D800>"),
        ("line\u2028sep", "line<U+2028>sep"),
    ],
)
def test_hidden_characters_are_spelled_out(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_one_line_stays_one_line() -> None:
    assert visible_line("a\nb\tc") == "a<U+000A>b<U+0009>c"


@pytest.mark.parametrize("character", ["\u00a0", "\u2003", "\u3164", "\ufe0f", "\u2800", "\U000e0100"])
def test_a_question_spells_out_what_looks_empty(character: str) -> None:
    assert spelled_out(f"rm{character}x") == f"rm<U+{ord(character):04X}>x"
    assert spelled_out("plain words") == "plain words"


@pytest.mark.parametrize(
    "text", ["\x1b[31m", "\x9b31m", "a\u202eb", "\u200b", "\udcff", "\U000e0041", "caf\u00e9 \u4e2d", '\n\t"\\']
)
def test_printed_json_hides_nothing_and_is_the_same_value(text: str) -> None:
    shown = visible_json(json.dumps(text, ensure_ascii=False))
    assert json.loads(shown) == text
    assert visible_line(shown) == shown

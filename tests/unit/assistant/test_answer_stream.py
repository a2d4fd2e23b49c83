"""The answer comes out of its JSON as it grows, and is the same however the text is cut."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aria_desktop.assistant.answer_stream import AnswerStream


def streamed(pieces: list[str]) -> list[str]:
    stream = AnswerStream()
    return [stream.feed(piece) for piece in pieces]


def test_text_comes_as_soon_as_it_is_there() -> None:
    assert streamed(['{"ans', 'wer": "Hel', "lo\\", "n you", '"}', "more"]) == ["", "Hel", "lo", "\n you", "", ""]


@pytest.mark.parametrize(
    "raw", ['{"calls": [{"tool": "answer"}], "then": ""}', "Hello", '{"answers": "x"}', '["answer"]', '{"answer": 3}']
)
def test_what_is_no_answer_gives_nothing(raw: str) -> None:
    assert "".join(streamed(list(raw))) == ""
    assert "".join(streamed([raw])) == ""


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ('{"answer":"a\\u00e9\\ud83d\\ude00b"}', "aé😀b"),
        ('{ "answer" : "a\\/\\"\\\\b" }', 'a/"\\b'),
        ('{"answer": "cut off', "cut off"),
        ('{"answer": "half \\ud83d', "half "),
        ('{"answer": "bad \\x rest"}', "bad "),
        ('{"answer": "bad \\ud83dxxxxxx rest"}', "bad "),
    ],
)
def test_escapes_are_decoded_and_never_half(raw: str, text: str) -> None:
    assert "".join(streamed([raw])) == text
    assert "".join(streamed(list(raw))) == text


@given(st.text(st.characters(exclude_categories=["Cs"])), st.booleans(), st.integers(1, 7))
def test_any_answer_comes_out_as_json_would_give_it(text: str, ascii_only: bool, size: int) -> None:
    raw = json.dumps({"answer": text}, ensure_ascii=ascii_only)
    pieces = [raw[start : start + size] for start in range(0, len(raw), size)]
    assert "".join(streamed(pieces)) == text

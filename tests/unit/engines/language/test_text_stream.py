"""Text from bytes: whole characters only, and nothing of a stop string or behind it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aria_desktop.engines.language.text_stream import TextStream


def read(chunks: list[bytes], stop: tuple[str, ...] = ()) -> tuple[list[str], bool]:
    stream = TextStream(stop)
    pieces = [stream.feed(chunk) for chunk in chunks]
    return [*pieces, stream.finish()], stream.stopped


def cut(raw: bytes, sizes: list[int]) -> list[bytes]:
    chunks = []
    for size in sizes:
        chunks.append(raw[:size])
        raw = raw[size:]
    return [*chunks, raw]


@given(st.text(), st.lists(st.integers(0, 5), max_size=30))
def test_however_it_is_cut_the_text_is_the_same(text: str, sizes: list[int]) -> None:
    pieces, stopped = read(cut(text.encode(), sizes))
    assert "".join(pieces) == text
    assert not stopped


@given(st.text("ab<>é😀", max_size=30), st.lists(st.integers(0, 5), max_size=30))
def test_however_it_is_cut_it_ends_before_the_first_stop_string(text: str, sizes: list[int]) -> None:
    stops = ("<b>", "aab", "é😀")
    pieces, stopped = read(cut(text.encode(), sizes), stops)
    ends = [text.find(stop) for stop in stops if stop in text]
    assert "".join(pieces) == (text[: min(ends)] if ends else text)
    assert stopped == bool(ends)


def test_a_character_comes_when_it_is_whole() -> None:
    pieces, _ = read([b"\xf0\x9f", b"\x98", b"\x80!"])
    assert pieces == ["", "", "😀!", ""]


def test_what_may_become_a_stop_string_is_held_back_and_no_more() -> None:
    stream = TextStream(("```",))
    assert [stream.feed(raw) for raw in (b"a`", b"`", b"b``", b"`")] == ["a", "", "``b", ""]
    assert (stream.stopped, stream.feed(b"more"), stream.finish()) == (True, "", "")


@pytest.mark.parametrize("raw", [b"\xff", b"a\xc3", b"\xed\xa0\x80"])
def test_bytes_that_are_no_text_become_replacement_characters(raw: bytes) -> None:
    pieces, _ = read([raw])
    assert "\ufffd" in "".join(pieces)


def test_empty_stop_strings_stop_nothing() -> None:
    assert read([b"abc"], ("",)) == (["abc", ""], False)

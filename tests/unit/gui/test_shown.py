from __future__ import annotations

import html
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aria_desktop.core.visible import visible, visible_line
from aria_desktop.gui.state.shown import Span, one_line, plain_tip, spans


def test_ordinary_text_is_one_span() -> None:
    assert spans("milk and eggs, naïve 日本") == (Span("milk and eggs, naïve 日本"),)
    assert spans("") == ()


def test_what_hides_is_told_apart() -> None:
    assert spans("a\u202e\u200bb") == (Span("a"), Span("<U+202E><U+200B>", spelled=True), Span("b"))


def test_what_looks_like_a_blank_or_like_nothing_is_told_apart() -> None:
    for character in "\u00a0\u2003\u3000\u3164\ufe0f\u2800\U000e0101":
        assert spans(f"rm{character}x") == (Span("rm"), Span(f"<U+{ord(character):04X}>", spelled=True), Span("x"))


def test_a_carriage_return_cannot_paint_over_what_stands_before_it() -> None:
    assert spans("rm -rf ~\rls") == (Span("rm -rf ~"), Span("<U+000D>", spelled=True), Span("ls"))


def test_long_gaps_are_counted_and_indentation_is_not() -> None:
    assert spans("ls" + " " * 5000 + "; rm") == (Span("ls"), Span("<5,000 spaces>", spelled=True), Span("; rm"))
    assert spans("x" + "\t" * 12) == (Span("x"), Span("<12 tabs>", spelled=True))
    assert spans(" " * 39 + "x") == (Span(" " * 39 + "x"),)


def test_one_line_stays_one_line() -> None:
    assert one_line("notes.txt\nRisk\tLow") == "notes.txt<U+000A>Risk<U+0009>Low"


@given(st.text())
def test_nothing_invisible_is_left_and_nothing_is_lost(text: str) -> None:
    line = text.replace("\n", "")
    shown = "".join(span.text for span in spans(line))
    assert visible(shown) == shown
    assert not any(unicodedata.category(c) == "Zs" and c != " " for c in shown)
    if not any(span.spelled for span in spans(line)):
        assert shown == line
    assert visible_line(one_line(text)) == one_line(text)


@pytest.mark.parametrize("text", ["<b>bold</b>", '<img src="file:///etc/passwd">', "a < b", "</qt><img src=x>"])
def test_a_tool_tip_shows_what_looks_like_a_page_as_it_is(text: str) -> None:
    tip = plain_tip(text)
    assert tip.count("<") == 2
    assert html.unescape(tip.removeprefix("<qt>").removesuffix("</qt>")) == text


def test_other_tool_tips_are_left_alone() -> None:
    assert plain_tip("Show notes & more in the folder") == "Show notes & more in the folder"

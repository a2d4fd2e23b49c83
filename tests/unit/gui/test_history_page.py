"""The History page as values: days, pins, hits with their marks, a preview that begins where the hit is."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from aria_desktop.core.chat import ToolCall, TurnOutcome
from aria_desktop.core.history import Place, SearchHit, SearchResult
from aria_desktop.core.records import CallRecord, SessionRecord, Source, TurnRecord
from aria_desktop.gui.state.history_page import (
    PREVIEWED,
    Entry,
    Heading,
    Since,
    all_items,
    deletion_words,
    found_items,
    found_words,
    is_search,
    place_count,
    preview,
)

GAP = "\N{NO-BREAK SPACE}"
NOW = time.mktime((2026, 12, 1, 12, 0, 0, 0, 0, -1))
TODAY = SessionRecord("s1", "Retry helper", NOW - 600, 4, waiting=False, began=NOW - 1200)
FRIDAY = SessionRecord("s2", "Convert \x1b the export", NOW - 4 * 86_400, 1, waiting=True, began=NOW - 4 * 86_400)
PINNED = replace(FRIDAY, session_id="s3", title="", pinned=True)
HIT = SearchHit(
    *("s1", "Retry helper", "t1", NOW - 600, Source.MICROPHONE, Place.WORDS, "that\nretries it", ((5, 12),)),
    *(("src/retry.py",), ("write_code",)),
)


def turn(number: int, words: str = "go", answer: str = "Done.") -> TurnRecord:
    calls = tuple(CallRecord(ToolCall(f"c{n}", "write_code", {}), "done", None, "") for n in range(2))
    return TurnRecord(f"t{number}", Source.TEXT, words, answer, TurnOutcome.ANSWERED, NOW, calls, {})


def test_pinned_ones_come_first_then_a_heading_for_each_day() -> None:
    items = all_items((TODAY, FRIDAY, PINNED), NOW)
    assert [item.text if isinstance(item, Heading) else item.session_id for item in items] == [
        *("Pinned", "s3", "Today", "s1", "Friday, 27 November", "s2"),
    ]
    pinned, today, friday = (item for item in items if isinstance(item, Entry))
    assert (pinned.title, pinned.icon) == ("No words", "pin")
    assert today.line.text == f"4{GAP}turns"
    assert (friday.title, friday.line.text) == ("Convert <U+001B> the export", f"1{GAP}turn · A question waits")
    assert all_items((), NOW) == ()


def test_a_hit_is_one_line_with_its_marks_files_and_tools() -> None:
    heading, entry = found_items(SearchResult((HIT,), 1, 1, {}, 0.0), NOW)
    assert heading == Heading("Today")
    assert isinstance(entry, Entry)
    assert list(entry.line.pieces()) == [("that ", False), ("retries", True), (" it", False)]
    assert (entry.icon, entry.badges) == ("mic", (("file-text", "src/retry.py"), ("wrench", "write_code")))
    assert "that retries it" in entry.spoken


def test_a_line_that_hides_something_is_spelled_out_and_loses_its_marks() -> None:
    _, entry = found_items(SearchResult((replace(HIT, line="a\u202eb"),), 1, 1, {}, 0.0), NOW)
    assert isinstance(entry, Entry)
    assert (entry.line.text, entry.line.hits) == ("a<U+202E>b", ())


def test_what_was_found_is_counted_in_words() -> None:
    result = SearchResult((HIT,), 14, 4, {"words": 1200}, 0.018)
    assert found_words(result, "retr") == f"14{GAP}turns in 4{GAP}conversations, 0.02{GAP}s"
    assert found_words(SearchResult((), 0, 0, {}, 0.0), " xyz\n") == (
        "Nothing found for 'xyz'. Search looks at words, replies, tool calls and file names."
    )
    assert place_count(result, Place.WORDS) == "1,200"
    assert place_count(result, Place.REPLY) == place_count(None, Place.WORDS) == ""


@pytest.mark.parametrize(
    ("text", "search"), [("", False), ("re", False), ("r-e!", False), ("ret", True), ("a b c", True)]
)
def test_below_three_letters_nothing_is_searched_for(text: str, search: bool) -> None:
    assert is_search(text) is search


def test_how_far_back() -> None:
    assert Since.ANY.from_when(NOW) == 0.0
    assert Since.WEEK.from_when(NOW) == NOW - 7 * 86_400


def test_a_preview_begins_with_the_turn_that_was_found() -> None:
    turns = [turn(number, f"retries {number}") for number in range(100)]
    found = preview(TODAY, turns, "t70", "retr", NOW)
    assert [each.turn_id for each in found.turns] == [f"t{number}" for number in range(70, 100)]
    assert found.turns[0].words.hits == ((0, 4),)
    assert found.turns[0].tools == ("write_code",)
    assert found.more == f"70{GAP}turns more"
    assert found.about == f"Today, 11:40 to 11:50 · 4{GAP}turns"
    last = preview(TODAY, turns, "", "re", NOW)
    assert [each.turn_id for each in last.turns] == [f"t{number}" for number in range(100 - PREVIEWED, 100)]
    assert last.turns[0].words.hits == ()
    assert preview(TODAY, turns[:2], "gone", "", NOW).more == ""


def test_before_deleting_it_says_what_goes() -> None:
    assert deletion_words(TODAY) == (f"4{GAP}turns are removed for good, also from search. Files that were made stay.")

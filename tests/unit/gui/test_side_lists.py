"""The rows of the right panel, and how a moment lately is named."""

from __future__ import annotations

import time

import pytest

from aria_desktop.core.records import FileRecord, SessionRecord
from aria_desktop.gui.state.side_lists import MOST_CONVERSATIONS, conversation_rows, file_rows, lately

NOW = time.mktime((2026, 12, 4, 15, 0, 0, 0, 0, -1))
"""A Friday afternoon."""


@pytest.mark.parametrize(
    ("then", "words"),
    [
        ((2026, 12, 4, 9, 5), "09:05"),
        ((2026, 12, 3, 23, 59), "yesterday"),
        ((2026, 12, 2, 0, 1), "Wednesday"),
        ((2026, 11, 28, 12, 0), "Saturday"),
        ((2026, 11, 27, 12, 0), "27 November"),
        ((2024, 3, 3, 12, 0), "3 March 2024"),
        ((2026, 12, 6, 12, 0), "6 December"),
    ],
)
def test_moments_lately(then: tuple[int, int, int, int, int], words: str) -> None:
    assert lately(time.mktime((*then, 0, 0, 0, -1)), NOW) == words


def test_a_file_tells_its_kind_size_and_time() -> None:
    (row,) = file_rows([FileRecord("a\u202e.py", 1_210, NOW)], NOW)
    assert (row.key, row.title, row.icon) == ("a\u202e.py", "a<U+202E>.py", "file-code")
    assert row.about == "Python · 1.2\N{NO-BREAK SPACE}kB · 15:00"


def test_the_newest_conversations_and_whether_one_waits() -> None:
    many = [SessionRecord(f"s{n}", f"Talk {n}", NOW, n + 1, waiting=n == 0) for n in range(MOST_CONVERSATIONS + 3)]
    rows = conversation_rows(many, NOW)
    assert len(rows) == MOST_CONVERSATIONS
    assert rows[0].about == "15:00 · 1\N{NO-BREAK SPACE}turn · waits for you"
    assert rows[1].about == "15:00 · 2\N{NO-BREAK SPACE}turns"

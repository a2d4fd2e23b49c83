"""Samples played, as words that were heard."""

from __future__ import annotations

import pytest

from aria_desktop.assistant.heard_part import Spoken, heard_part

ANSWER = [Spoken(0.5, ""), Spoken(2.0, "There are **2** files. "), Spoken(4.0, "One is a.txt, the other b.txt.")]


@pytest.mark.parametrize(
    ("seconds", "heard"),
    [
        (0.0, ""),
        (0.5, ""),
        (0.9, ""),
        (1.0, "There"),
        (2.49, "There are **2**"),
        (2.5, "There are **2** files."),
        (4.6, "There are **2** files. One is a.txt,"),
        (99.0, "There are **2** files. One is a.txt, the other b.txt."),
    ],
)
def test_only_whole_words_of_the_answer_count(seconds: float, heard: str) -> None:
    assert heard_part(ANSWER, seconds) == heard


def test_a_clause_without_sound_counts_as_heard() -> None:
    assert heard_part([Spoken(0.0, "One."), Spoken(1.0, " Two.")], 0.0) == "One."
    assert heard_part([], 1.0) == ""

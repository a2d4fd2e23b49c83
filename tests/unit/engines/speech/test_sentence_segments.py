"""One segment a sentence, and never a word less."""

from __future__ import annotations

import pytest

from aria_desktop.core.transcript import Segment, Word
from aria_desktop.engines.speech.sentence_segments import by_sentence


def heard(*words: tuple[str, float, float], text: str = "") -> Segment:
    found = tuple(Word(said, start, end, 0.9) for said, start, end in words)
    return Segment(text or " ".join(word.text for word in found), 0.0, 9.0, found)


def test_a_full_stop_and_a_pause_end_a_segment() -> None:
    whole = heard(("Stop.", 1.0, 1.5), ("Go", 2.0, 2.2), ("on!", 2.2, 2.6), ("Why?", 3.0, 3.4))
    parts = by_sentence(whole)
    assert [part.text for part in parts] == ["Stop.", "Go on!", "Why?"]
    assert [(part.start, part.end) for part in parts] == [(0.0, 1.5), (2.0, 2.6), (3.0, 9.0)]
    assert tuple(word for part in parts for word in part.words) == whole.words


@pytest.mark.parametrize(
    "whole",
    [
        heard(("Dr.", 1.0, 1.3), ("Smith", 1.3, 1.8)),
        heard(("No", 1.0, 1.3), ("sentence", 2.3, 2.8)),
        heard(("好。", 1.0, 1.3), ("是", 2.3, 2.8), text="好。是"),
        Segment("words without times", 0.0, 2.0, ()),
    ],
)
def test_what_can_not_be_cut_for_sure_stays_one(whole: Segment) -> None:
    assert by_sentence(whole) == (whole,)

"""What was not heard well, and names that sound alike: when something else may have been meant."""

from __future__ import annotations

import pytest

from aria_desktop.assistant.doubts import doubts, hearing_of, raised
from aria_desktop.core.approval import Hearing, Risk, RiskLevel
from aria_desktop.core.chat import ToolCall
from aria_desktop.core.transcript import Word

CLEAR = Hearing(0.95)
DELETE = ToolCall("c1", "delete_file", {"path": "knotes.txt"})


def words(*probabilities: float) -> list[Word]:
    return [Word(f"word{number}", 0.0, 1.0, p) for number, p in enumerate(probabilities)]


def test_without_words_nothing_is_known() -> None:
    assert hearing_of([]) is None


def test_the_average_and_the_words_that_may_be_others() -> None:
    assert hearing_of(words(0.9, 0.29, 0.9)) == Hearing(0.697, ("word1",))


def test_a_short_word_that_is_unsure_is_not_told() -> None:
    assert hearing_of([Word(" to", 0, 1, 0.1), Word(" delete", 0, 1, 0.9)]) == Hearing(0.5)


@pytest.mark.parametrize("heard", [Hearing(0.9, ("notes",)), Hearing(0.55), Hearing(0.0, ("a",))])
def test_what_was_not_heard_well_is_a_doubt(heard: Hearing) -> None:
    assert doubts(DELETE, heard, (), ()) == ("What you said was not heard well.",)


def test_what_was_typed_or_heard_well_is_none() -> None:
    assert doubts(DELETE, None, ("notes.txt",), (("Name given", "x"),)) == ()
    assert doubts(DELETE, CLEAR, ("other.txt", "knotes.txt"), ()) == ()


@pytest.mark.parametrize(
    ("said", "there"),
    [("knotes.txt", "notes.txt"), ("photo.png", "foto.png"), ("a/write.md", "a/rite.md"), ("see.txt", "sea.txt")],
)
def test_a_name_that_sounds_like_another_is_a_doubt(said: str, there: str) -> None:
    call = ToolCall("c1", "delete_file", {"path": said})
    assert doubts(call, CLEAR, ("zebra.txt", there), ()) == (f"{there} sounds like {said}.",)


@pytest.mark.parametrize(
    ("said", "there"),
    [
        ("report2.txt", "report3.txt"),
        ("notes.txt", "notes.md"),
        ("a/notes.txt", "b/knotes.txt"),
        ("cat.txt", "dog.txt"),
    ],
)
def test_names_that_can_be_told_apart_are_none(said: str, there: str) -> None:
    assert doubts(ToolCall("c1", "delete_file", {"path": said}), CLEAR, (there,), ()) == ()


def test_a_file_found_by_another_name_is_a_doubt() -> None:
    told = doubts(DELETE, CLEAR, (), (("Name given", "nodes.text"),))
    assert told == ("No file is called nodes.text; this one comes nearest.",)


def test_a_doubt_raises_the_risk_by_one_and_says_why() -> None:
    low = Risk(RiskLevel.LOW, "A new file.")
    assert raised(low, ()) == low
    assert raised(low, ("Why.",)) == Risk(RiskLevel.MEDIUM, "A new file. Why.")
    assert raised(raised(low, ("Why.",)), ("Why.",)).level is RiskLevel.HIGH
    assert raised(Risk(RiskLevel.HIGH, ""), ("Why.",)).level is RiskLevel.HIGH

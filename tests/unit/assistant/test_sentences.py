"""Cutting a growing text: early, at the right places, and without losing a word."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aria_desktop.assistant.sentences import Clause, Clauses


def made(text: str, size: int = 1) -> list[Clause]:
    clauses = Clauses()
    out = list[Clause]()
    for at in range(0, len(text), size):
        out += clauses.feed(text[at : at + size])
    return out + clauses.end(text)


def said(clauses: list[Clause]) -> list[str]:
    return [clause.said for clause in clauses]


def fed(text: str, size: int = 1) -> list[str]:
    return said(made(text, size))


def test_the_first_clause_is_out_before_the_sentence_is() -> None:
    clauses = Clauses()
    assert said(clauses.feed("There are three files in your folder,")) == []
    assert said(clauses.feed(" and")) == ["There are three files in your folder"]
    assert said(clauses.feed(" the newest one is the list")) == []


def test_without_a_mark_it_is_cut_before_a_joining_word() -> None:
    text = "The folder holds the shopping list from yesterday and the notes of the meeting."
    assert fed(text) == [
        "The folder holds the shopping list from yesterday",
        "and the notes of the meeting.",
    ]


def test_without_a_mark_or_a_joining_word_it_is_cut_after_ten_words() -> None:
    assert fed("one two three four five six seven eight nine ten eleven twelve thirteen.")[0].split()[-1] == "ten"


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("Yes. It is done.", ["Yes.", "It is done."]),
        ("It costs 3.50 euros. That is 2.5 times more.", ["It costs 3.50 euros.", "That is 2.5 times more."]),
        ("Dr. Who met J. Smith. They talked.", ["Dr. Who met J. Smith.", "They talked."]),
        ("Take fruit, e.g. apples. Then go.", ["Take fruit, e.g. apples.", "Then go."]),
        ("Is it ready?! Yes…  Good", ["Is it ready?!", "Yes…", "Good"]),
        ('He said "stop." Then he left.', ['He said "stop."', "Then he left."]),
        ("1. Milk\n2. Eggs\n3. Bread", ["Milk", "Eggs", "Bread"]),
        ("The file notes.txt is there. Done.", ["The file notes.txt is there.", "Done."]),
        ("早上好。你好吗？", ["早上好。", "你好吗？"]),
        ("", []),
        ("   \n\n ", []),
    ],
)
def test_full_stops_inside_words_do_not_cut(text: str, clauses: list[str]) -> None:
    assert fed(text) == clauses
    assert fed(text, 7) == clauses


def test_code_blocks_are_not_spoken() -> None:
    text = "Here is the program:\n```python\nprint('x. y')\nfor a in b: pass\n```\nIt prints a letter."
    assert fed(text) == ["Here is the program:", "It prints a letter."]
    assert fed("```\nnever closed. really\n") == []
    assert fed("~~~\ncode\n~~~\nAfter it.") == ["After it."]


def test_an_open_span_is_waited_for() -> None:
    clauses = Clauses()
    assert said(clauses.feed("Open [the manual. ")) == []
    assert said(clauses.feed("It helps](https://example.org/a.b) now. ")) == ["Open the manual. It helps now."]
    assert said(clauses.feed("Type `a. b` first. ")) == ["Type a. b first."]


def test_the_final_text_goes_on_where_the_streamed_one_was_cut() -> None:
    clauses = Clauses()
    assert said(clauses.feed("Created a.txt. ")) == ["Created a.txt."]
    assert said(clauses.feed("Half of some")) == []
    assert said(clauses.end("Created a.txt. Anything else?")) == ["Anything else?"]


def test_a_final_text_that_is_another_one_is_said_in_full() -> None:
    clauses = Clauses()
    clauses.feed("Created a.txt. ")
    assert said(clauses.end("Nothing was done. Sorry.")) == ["Nothing was done.", "Sorry."]


def test_an_endless_sentence_comes_in_bearable_parts() -> None:
    clauses = fed(" ".join(f"word{number}" for number in range(300)) + ".")
    assert all(len(clause.split()) <= 45 for clause in clauses)
    assert sum(len(clause.split()) for clause in clauses) == 300


WORDS = st.lists(
    st.sampled_from(["one", "two.", "three,", "4.5", "Dr.", "and", "five!", "six\n", "`a. b`"]), max_size=60
)


@given(WORDS, st.integers(1, 9))
def test_no_word_is_lost_or_said_twice(words: list[str], size: int) -> None:
    text = " ".join(words)
    assert re.findall(r"\w+", " ".join(fed(text, size))) == re.findall(r"\w+", text)


@given(st.text(alphabet="ab. ,\n`*1"), st.integers(1, 5))
def test_what_was_written_for_the_clauses_is_the_text(text: str, size: int) -> None:
    assert text.startswith("".join(clause.written for clause in made(text, size)))


def test_numbers_are_words_in_a_language_with_rules_and_stay_with_their_units() -> None:
    spanish = Clauses("es")
    assert said(spanish.feed("Hay 21 archivos. ")) == ["Hay veintiún archivos."]
    english = Clauses("en")
    text = "this is a row of nine words before some 5 GB of data that follow it"
    assert said(english.feed(text)) == ["this is a row of nine words before some"]

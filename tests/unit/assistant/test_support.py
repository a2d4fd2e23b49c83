"""Names held against what was said."""

from __future__ import annotations

import pytest

from aria_desktop.assistant.support import Utterance, shares_a_word


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("away with chores dot txt", "chores.txt"),
        ("away with the chores", "chores.txt"),
        ("the to do list", "todo.md"),
        ("my grocery list", "groceries.txt"),
        ("the stationary order", "stationery.csv"),
        ("report two", "report2.md"),
        ("draft 12 please", "draft12.md"),
        ("copy y dot log", "y.log"),
        ("todo underscore old dot t x t", "todo_old.txt"),
        ("la receta de cafe", "café.md"),
        ("the shopping list", "ShoppingList.txt"),
    ],
)
def test_said_in_full(words: str, name: str) -> None:
    assert Utterance(words).support(name).whole


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("rename it please", "it-support.md"),
        ("report two", "report3.md"),
        ("draft 12", "draft1.md"),
        ("move this to the end", "to.txt"),
        ("and the rest", "andrew.txt"),
        ("", "a.txt"),
    ],
)
def test_not_said_in_full(words: str, name: str) -> None:
    assert not Utterance(words).support(name).whole


def test_half_of_a_name_and_its_folder_are_places_but_not_the_whole() -> None:
    utterance = Utterance("the letter from march")
    half = utterance.support("march/letter-anna.md")
    assert not half.whole
    assert half.at_least(utterance.support("letter-bob.md"))
    assert not utterance.support("letter-bob.md").at_least(half)


def test_plurals_and_words_for_all_mean_several() -> None:
    assert Utterance("the letters").means_several("letter-anna.md")
    assert Utterance("every letter").means_several("letter-anna.md")
    assert not Utterance("the letter").means_several("letter-anna.md")
    assert not Utterance("the news").means_several("news-may.md")


def test_a_text_is_spoken_of_when_a_word_that_tells_something_is_in_it() -> None:
    assert Utterance("set the volume to seven").speaks_of('"volume": 7')
    assert not Utterance("set the volume to seven").speaks_of("the to")


def test_what_only_repeats_the_utterance_tells_nothing_new() -> None:
    said = Utterance("remember that my dog's vet is Doctor Okafor")
    assert said.says_all_of("your dog's vet is Doctor Okafor.")
    assert not Utterance("who is my dog's vet").says_all_of("your dog's vet is Doctor Okafor.")


@pytest.mark.timeout(20)
def test_long_texts_and_many_names_are_no_work_for_minutes() -> None:
    letters = "abcdefghijklmnop"
    many = [a + b + c + "zzqq" for a in letters for b in letters for c in letters[:4]]
    utterance = Utterance(" ".join(many[:300]))
    assert not utterance.speaks_of(" ".join(word[::-1] + "x" for word in many))
    assert not any(utterance.support(f"{word[::-1]}uuuu.txt").whole for word in many[:40])
    assert not shares_a_word(" ".join(many), " ".join(word + "xxxx" for word in many))

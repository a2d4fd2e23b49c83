"""Names that were said or written wrong find the ones that there are; other numbers and dates never do."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aria_desktop.tools.near_names import Near, near
from aria_desktop.tools.sounds import distance, sound
from aria_desktop.tools.spoken_names import as_written
from aria_desktop.tools.spoken_numbers import with_digits


@pytest.mark.parametrize(
    ("said", "there", "meant"),
    [
        ("a.txt", ["a.txt", "A.txt"], "a.txt"),
        ("Recipes.TXT", ["recipes.txt"], "recipes.txt"),
        ("tax_return.pdf", ["tax-return.pdf"], "tax-return.pdf"),
        ("the garden plan file", ["garden_plan.txt", "plan.txt"], "garden_plan.txt"),
        ("recipes dot t x t", ["recipes.txt", "recipes.md"], "recipes.txt"),
        ("attic slash boxes dot csv", ["attic/boxes.csv"], "attic/boxes.csv"),
        ("week underscore menu dot m d", ["week_menu.md", "week.md"], "week_menu.md"),
        ("lista punto t x t", ["lista.txt"], "lista.txt"),
        ("boxes.csv", ["attic/boxes.csv", "plan.txt"], "attic/boxes.csv"),
        ("attic/boxes.csv", ["house/attic/boxes.csv"], "house/attic/boxes.csv"),
        ("recipes", ["recipes.txt"], "recipes.txt"),
        ("tune", ["tune.mp3"], "tune.mp3"),
        ("recipes.md", ["recipes.txt"], "recipes.txt"),
        ("recipies.txt", ["recipes.txt"], "recipes.txt"),
        ("gardne.txt", ["garden.txt"], "garden.txt"),
        ("server dot pie", ["server.py", "client.py"], "server.py"),
        ("knights.txt", ["nights.txt"], "nights.txt"),
        ("plan b", ["plan-a.txt", "plan-b.txt"], "plan-b.txt"),
        ("email", ["e-mail.txt"], "e-mail.txt"),
        ("dont panic", ["don't panic.txt"], "don't panic.txt"),
        ("letter to friend", ["letter to a friend.txt"], "letter to a friend.txt"),
        ("foto", ["photo.jpg"], "photo.jpg"),
        ("baca.md", ["vaca.md"], "vaca.md"),
        ("gardens/list.txt", ["garden/list.txt"], "garden/list.txt"),
        ("chapter three", ["chapter-3.md", "chapter-2.md"], "chapter-3.md"),
        ("chapter 3", ["chapter-three.md"], "chapter-three.md"),
        ("budget nineteen ninety nine", ["budget-1999.csv", "budget-1998.csv"], "budget-1999.csv"),
        ("budget two thousand five", ["budget-2005.csv"], "budget-2005.csv"),
        ("flight four two.txt", ["flight42.txt"], "flight42.txt"),
        ("capítulo veintiuno", ["capitulo-21.md"], "capitulo-21.md"),
        ("treinta y uno", ["31.txt"], "31.txt"),
        ("dot matrix.txt", ["dot-matrix.txt"], "dot-matrix.txt"),
        ("cafe.txt", ["caf\u00e9.txt"], "caf\u00e9.txt"),
    ],
)
def test_one_name_is_meant(said: str, there: list[str], meant: str) -> None:
    assert near(said, there).only == meant


@pytest.mark.parametrize(
    ("said", "there"),
    [
        ("invoice-81.txt", ["invoice-18.txt"]),
        ("chapter ten", ["chapter-two.md"]),
        ("notes 1 11", ["notes-11-1.md"]),
        ("draft", ["draft1.md"]),
        ("plan b", ["plan a.txt"]),
        ("plan a", ["plan_b.txt", "planC.txt"]),
        ("chapter ii", ["chapter iii.txt"]),
        ("appendix c dot m d", ["appendix-d.md"]),
        ("jan-hours.csv", ["jun-hours.csv"]),
        ("monday plan", ["sunday-plan.txt"]),
        ("fore.txt", ["four.txt"]),
        ("cat.txt", ["cab.txt"]),
        ("bad.txt", ["bed.txt"]),
        ("duty.txt", ["data.txt"]),
        ("toad", ["todo.txt"]),
        ("recipes.txt", ["plan.txt", "garden.txt"]),
        ("house/boxes.csv", ["attic/boxes.csv"]),
        ("", ["a.txt"]),
        ("...", ["-.-"]),
    ],
)
def test_no_name_is_meant(said: str, there: list[str]) -> None:
    assert near(said, there) == Near(())


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("list dot t x t", "list.txt"),
        ("attic slash my boxes dot csv", "attic/my boxes.csv"),
        ("dot matrix", "dot matrix"),
        ("a dot b.txt", "a dot b.txt"),
        ("plan.txt", "plan.txt"),
        ("plan", "plan"),
    ],
)
def test_a_new_name_is_written_as_it_was_meant(said: str, written: str) -> None:
    assert as_written(said) == written


def test_a_name_that_is_much_longer_than_all_is_not_compared_letter_by_letter() -> None:
    assert near("word " * 1_000, [f"{'other' * 40}{number}.txt" for number in range(2_000)]) == Near(())


def test_several_that_fit_equally_well_are_all_told() -> None:
    there = ["old/list.txt", "new/list.txt", "list.md"]
    assert near("list.txt", there).names == ("old/list.txt", "new/list.txt")
    assert near("list.txt", there).only == ""


def test_the_better_match_decides() -> None:
    assert near("List.txt", ["list.txt", "list.md", "lists.txt"]).only == "list.txt"


WORDS = st.sampled_from(["note", "notes", "report", "rapport", "may", "jun", "two", "ten", "v", "draft", "plan"])
DIGITS = st.text("0123456789", min_size=1, max_size=4)
NAMES = st.lists(WORDS | DIGITS, min_size=1, max_size=4).map("-".join)


@given(NAMES, st.lists(NAMES, min_size=1, max_size=6, unique=True), st.sampled_from(["", ".txt", ".md"]))
def test_digits_are_never_changed(said: str, there: list[str], ending: str) -> None:
    def digits(name: str) -> list[str]:
        return re.findall(r"\d+", name)

    wanted = [digits(said), *(digits(reading) for reading in with_digits(said))]
    for name in near(said + ending, [f"{name}.txt" for name in there]).names:
        assert any(digits(reading) in wanted for reading in (name, *with_digits(name)))


@given(st.text(max_size=30), st.lists(st.text(min_size=1, max_size=30), max_size=5, unique=True))
def test_whatever_is_said_only_names_that_there_are_come_back(said: str, there: list[str]) -> None:
    found = near(said, there).names
    assert set(found) <= set(there)
    if said in there:
        assert found == (said,)


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_the_distance_is_one(one: str, other: str) -> None:
    assert distance(one, other) == distance(other, one)
    assert (distance(one, other) == 0) == (one == other)
    assert distance(one, one + "x") == 1


def test_a_swap_is_one_mistake() -> None:
    assert distance("garden", "gardne") == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("pie", "py"), ("jason", "json"), ("write", "right"), ("knight", "night"), ("queso", "keso"), ("ceta", "zeta")],
)
def test_words_that_sound_alike_have_the_same_key(one: str, other: str) -> None:
    assert sound(one) == sound(other)


@pytest.mark.parametrize(("one", "other"), [("todo", "data"), ("notes", "modes"), ("cash", "cache"), ("plan", "blan")])
def test_words_that_sound_different_have_not(one: str, other: str) -> None:
    assert sound(one) != sound(other)

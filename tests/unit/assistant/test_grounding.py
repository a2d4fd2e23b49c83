"""A change has to be about what was said; otherwise the user is asked before anything is proposed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from aria_desktop.assistant.grounding import Ground, better, question
from aria_desktop.assistant.reply import Call
from aria_desktop.tools.languages.wording import wording_in

ENGLISH = wording_in("en")


def asked(words: str, names: Sequence[str], *calls: Call, earlier: str = "", found: str = "") -> str:
    return question(calls, Ground(words, earlier, found, names), ENGLISH)


def delete(path: str) -> Call:
    return Call("delete_file", {"path": path})


def move(source: str, destination: str) -> Call:
    return Call("move_file", {"source": source, "destination": destination})


def edit(path: str, find: str) -> Call:
    return Call("edit_file", {"path": path, "find": find, "replace": "x"})


def create(path: str, content: str) -> Call:
    return Call("create_file", {"path": path, "content": content})


LETTERS = ["letter-anna.md", "letter-bob.md", "plan.txt"]


def test_a_name_that_fits_several_files_is_asked_about() -> None:
    which = "Which file do you mean: letter-anna.md or letter-bob.md?"
    assert asked("throw the letter away", LETTERS, delete("letter-bob.md")) == which
    assert asked("throw the letter away", LETTERS, delete("letter-bob.md"), delete("letter-anna.md")) == which


def test_a_file_that_was_named_is_not_asked_about() -> None:
    assert asked("throw anna's letter away", LETTERS, delete("letter-anna.md")) == ""
    assert asked("throw both letters away", LETTERS, delete("letter-bob.md"), delete("letter-anna.md")) == ""
    assert asked("throw letter dash bob dot m d away", LETTERS, delete("letter-bob.md")) == ""
    assert asked("the plan is done, away with it", LETTERS, delete("plan.txt")) == ""


def test_digits_tell_files_apart() -> None:
    names = ["week1.csv", "week2.csv"]
    assert asked("week two can go, week one stays", names, delete("week2.csv")) == ""
    assert asked("the week can go", names, delete("week2.csv")) != ""


def test_a_file_that_nothing_speaks_of_is_asked_about_where_there_is_a_choice() -> None:
    assert asked("throw it away", ["a1.txt", "plan.txt"], delete("plan.txt")).startswith("Which file do you mean")
    assert asked("throw it away", ["plan.txt"], delete("plan.txt")) == ""
    assert asked("throw it away", ["a1.txt", "plan.txt"], delete("plan.txt"), earlier="I read plan.txt.") == ""
    assert asked("throw it away", ["a1.txt", "plan.txt"], delete("plan.txt"), found="plan.txt:2: rent") == ""


def test_many_names_are_cut() -> None:
    names = [f"part-{letter}.md" for letter in "abcdefg"]
    assert asked("drop the part", names, delete("part-a.md")).endswith("part-e.md and 2 more?")


def test_a_new_name_and_a_folder_have_to_be_said() -> None:
    assert asked("plan needs another name", LETTERS, move("plan.txt", "scheme.txt")) == (
        "What should the name of plan.txt be?"
    )
    assert asked("call the plan scheme dot txt", LETTERS, move("plan.txt", "scheme.txt")) == ""
    folders = [*LETTERS, "north/", "south/"]
    assert asked("the plan goes into the other one", folders, move("plan.txt", "north/")) == (
        "Which folder do you mean: north or south?"
    )
    assert asked("the plan goes south", folders, move("plan.txt", "south/")) == ""
    assert asked("the plan goes into the folder", [*LETTERS, "north/"], move("plan.txt", "north/")) == ""


def test_a_text_to_change_has_to_be_said_or_found() -> None:
    assert asked("in plan set the price to 9", LETTERS, edit("plan.txt", "cost: 5")) == (
        "What in plan.txt should be changed, and to what?"
    )
    assert asked("in plan set the cost to 9", LETTERS, edit("plan.txt", "cost: 5")) == ""
    assert asked("correct the plan", LETTERS, edit("plan.txt", "teh"), found="teh end") == ""


def test_a_new_file_without_name_and_text_is_asked_about() -> None:
    assert (
        asked("start a file", [], create("notes.txt", "")) == "What should the file be called, and what goes into it?"
    )
    assert asked("start a file for notes", [], create("notes.txt", "")) == ""
    assert asked("write down that rent is due", [], create("notes.txt", "rent is due")) == ""
    assert asked("keep that", [], create("fact.txt", "Otters hold hands."), earlier="Otters hold hands.") == ""


def test_a_file_that_would_be_replaced_has_to_be_said() -> None:
    assert asked("start a list of tea", LETTERS, create("plan.txt", "tea")).startswith("Which file do you mean")
    assert asked("make the plan a list of tea", LETTERS, create("plan.txt", "tea")) == ""
    assert asked("start a file", ["plan.txt"], create("plan.txt", "")).startswith("What should the file be called")
    assert asked("start the plan afresh", ["plan.txt"], create("plan.txt", "")) == ""


def test_a_question_is_asked_in_the_language_of_the_user() -> None:
    ground = Ground("borra la carta", "", "", ["carta-ana.md", "carta-luis.md"])
    assert question([delete("carta-ana.md")], ground, wording_in("es")) == (
        "¿A qué archivo te refieres: carta-ana.md o carta-luis.md?"
    )


@pytest.mark.parametrize(
    ("words", "path", "found"),
    [
        ("open the red me file", "red-paint.csv", "readme.md"),
        ("open red paint", "red-paint.csv", ""),
        ("open something", "red-paint.csv", ""),
    ],
)
def test_a_file_named_in_full_is_better_than_one_half_named(words: str, path: str, found: str) -> None:
    assert better(Call("read_file", {"path": path}), Ground(words, "", "", ["readme.md", "red-paint.csv"])) == found

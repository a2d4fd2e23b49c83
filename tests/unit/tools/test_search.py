"""Searching by name and content: what counts as a match, what is told, and where it stops."""

from __future__ import annotations

import pytest

from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.chat import ToolResult
from aria_desktop.core.errors import ToolFailed
from aria_desktop.tools import search
from aria_desktop.tools.search import LINES_TOLD, at_word_starts, matching_lines, search_files, words_of
from tests.unit.tools.conftest import Bench


def searched(bench: Bench, query: str) -> ToolResult:
    result = bench.call(search_files, query=query)
    assert isinstance(result, ToolResult)
    return result


@pytest.fixture
def stocked(bench: Bench) -> Bench:
    for name, text in {
        "flat.txt": "Heating: ask the owner.\nRent is due on the first.\n",
        "trip.md": "Rent a boat.\n",
        "old/budget-2019.csv": "item,cost\nrent,700\n",
        "caf\u00e9.txt": "Ópera a las ocho\n",
        ".hidden.txt": "rent\n",
    }.items():
        (bench.root / name).parent.mkdir(exist_ok=True)
        (bench.root / name).write_text(text)
    return bench


def test_files_that_mention_it_are_named_and_the_lines_are_told(stocked: Bench) -> None:
    result = searched(stocked, "RENT")
    assert result.answer == "3 files mention RENT: flat.txt, trip.md and old/budget-2019.csv."
    assert (
        result.text == "flat.txt:2: Rent is due on the first.\ntrip.md:1: Rent a boat.\nold/budget-2019.csv:2: rent,700"
    )


def test_of_one_file_with_one_line_the_line_is_said(stocked: Bench) -> None:
    assert searched(stocked, "owner").answer == '1 file mentions owner: flat.txt, on line 1: "Heating: ask the owner."'
    (stocked.root / "flat.txt").write_text("owner\nOwner\n")
    assert searched(stocked, "owner").answer == "1 file mentions owner: flat.txt, on 2 lines."


def test_names_are_searched_too_with_and_without_their_separators(stocked: Bench) -> None:
    assert searched(stocked, "budget 2019").answer == "1 file has budget 2019 in its name: old/budget-2019.csv."
    (stocked.root / "budgets").mkdir()
    assert (
        searched(stocked, "budget").answer
        == "1 file and 1 folder have budget in their names: budgets and old/budget-2019.csv."
    )


def test_nothing_is_said_to_be_nothing(stocked: Bench) -> None:
    result = searched(stocked, "kites")
    assert (result.text, result.answer) == ("Nothing was found.", "Nothing mentions kites.")


def test_accents_and_order_do_not_count(stocked: Bench) -> None:
    assert "caf\u00e9.txt:1" in searched(stocked, "ocho opera").text
    assert searched(stocked, "cafe").answer == "1 file has cafe in its name: caf\u00e9.txt."


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("t o d o", ("todo",)),
        ("kites", ("kite",)),
        ("bus", ("bus",)),
        ('"Rent", due!', ("rent", "due")),
        ("*.csv", (".csv",)),
        ("a b1", ("a", "b1")),
    ],
)
def test_the_words_of_a_query(query: str, words: tuple[str, ...]) -> None:
    assert words_of(query) == words


def test_lines_with_all_words_come_before_lines_with_some() -> None:
    both = at_word_starts(("red", "blue"))
    assert matching_lines("red\nblue\nred blue\n", both) == ((3, "red blue"),)
    assert matching_lines("red\nplain\nblue\n", both) == ((1, "red"), (3, "blue"))
    assert matching_lines("red\n", both) == ()


@pytest.mark.parametrize(
    ("word", "line", "found"),
    [
        ("rent", "Parents rented it", True),
        ("rent", "my parents", False),
        ("bus", "two buses", True),
        ("bus", "business", False),
        ("to", "tomato", False),
        ("cache", "clear_cache()", True),
    ],
)
def test_a_word_begins_where_it_is_found_and_a_short_one_ends_there(word: str, line: str, found: bool) -> None:
    assert bool(matching_lines(line, at_word_starts((word,)))) is found


def test_within_words_is_looked_only_when_nothing_else_is_found(bench: Bench) -> None:
    (bench.root / "a.txt").write_text("my parents\n")
    assert searched(bench, "rent").answer.startswith("1 file mentions rent: a.txt")
    (bench.root / "b.txt").write_text("rent\n")
    assert searched(bench, "rent").answer == '1 file mentions rent: b.txt, on line 1: "rent"'


def test_an_empty_query_is_the_model_s_fault(bench: Bench) -> None:
    with pytest.raises(ToolFailed, match="no word"):
        bench.call(search_files, query=" ?! ")


def test_what_is_told_is_short(bench: Bench) -> None:
    for number in range(30):
        (bench.root / f"{number:02}.txt").write_text(f"rent {'x' * 500}\n" * 9)
    result = searched(bench, "rent")
    lines = result.text.split("\n")
    assert (len(lines), lines[-1]) == (LINES_TOLD + 1, f"[{30 * 5 - LINES_TOLD} more]")
    assert max(map(len, lines)) < 200
    assert result.answer.endswith("07.txt and 22 more.")


def test_what_is_no_text_or_too_large_is_passed_over_and_said(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    (bench.root / "photo.bin").write_bytes(b"rent\0\xff")
    (bench.root / "huge.txt").write_bytes(b"rent" * 300_000)
    (bench.root / "link.txt").symlink_to("/etc/passwd")
    assert searched(bench, "rent").answer == "Nothing mentions rent. I did not look into 1 large file."
    (bench.root / "small.txt").write_text("rent\n")
    (bench.root / "tail.txt").write_text("rent\n")
    monkeypatch.setattr(search, "BYTES_READ", 12)
    assert searched(bench, "rent").answer.endswith("I did not look into 2 large files.")


def test_it_stops_when_it_is_cancelled(stocked: Bench) -> None:
    context = stocked.context()
    assert isinstance(context.cancel, CancelToken)
    context.cancel.cancel()
    with pytest.raises(Cancelled):
        search_files.run(context, {"query": "rent"})

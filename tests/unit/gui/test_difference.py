from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from aria_desktop.gui.state.difference import CONTEXT, Difference, Row, RowKind, difference

TEXTS = st.lists(st.sampled_from(["a", "b", "c", "", "import time", "x = 1"]), max_size=12).map("\n".join)


def _kinds(found: Difference) -> str:
    signs = {RowKind.SAME: "=", RowKind.ADDED: "+", RowKind.REMOVED: "-", RowKind.GAP: "~"}
    return "".join(signs[row.kind] for row in found.rows)


def test_a_new_file_is_all_added() -> None:
    found = difference(None, "milk\neggs\n")
    assert found.rows == (Row(RowKind.ADDED, "milk", None, 1), Row(RowKind.ADDED, "eggs", None, 2))
    assert (found.added, found.removed) == (2, 0)


def test_an_empty_file_has_no_rows() -> None:
    assert difference(None, "") == Difference((), 0, 0)


def test_a_removed_file_is_all_removed() -> None:
    assert _kinds(difference("a\nb\n", None)) == "--"


def test_changes_come_with_their_surroundings_and_the_rest_is_counted() -> None:
    before = "".join(f"line {number}\n" for number in range(1, 21))
    found = difference(before, before.replace("line 10\n", "line ten\n"))
    assert _kinds(found) == "~" + "=" * CONTEXT + "-+" + "=" * CONTEXT + "~"
    assert found.rows[0].text == "6\N{NO-BREAK SPACE}unchanged lines"
    assert found.rows[-1].text == "7\N{NO-BREAK SPACE}unchanged lines"
    removed, added = found.rows[4], found.rows[5]
    assert (removed.old, removed.new, added.old, added.new) == (10, None, None, 10)


def test_changed_words_are_marked() -> None:
    found = difference("time.sleep(wait)\n", "time.sleep(wait + 1)\n")
    added = next(row for row in found.rows if row.kind is RowKind.ADDED)
    assert [added.text[start:end] for start, end in added.changed] == [" + 1"]


def test_lines_with_nothing_in_common_are_not_compared_word_by_word() -> None:
    assert all(row.changed == () for row in difference("abc\n", "xyz 123\n").rows)


def test_a_missing_last_line_break_is_a_change() -> None:
    found = difference("one\ntwo", "one\ntwo\n")
    assert _kinds(found) == "=-+"
    assert [row.unfinished for row in found.rows] == [False, True, False]
    assert not any(row.unfinished for row in difference(None, "no break").rows)


def test_nothing_changed() -> None:
    assert _kinds(difference("a\nb\n", "a\nb\n")) == "~"


def test_a_huge_change_is_shown_whole_without_being_matched() -> None:
    before = "".join(f"old {number}\n" for number in range(3000))
    after = "".join(f"new {number}\n" for number in range(3000))
    found = difference(before, after)
    assert (found.added, found.removed) == (3000, 3000)


@given(TEXTS, TEXTS)
def test_both_texts_can_be_read_off_the_rows(before: str, after: str) -> None:
    found = difference(before, after)
    new = {row.new: row.text for row in found.rows if row.new is not None}
    old = {row.old: row.text for row in found.rows if row.old is not None}
    new_lines, old_lines = after.split("\n"), before.split("\n")
    assert all(new_lines[number - 1] == text for number, text in new.items())
    assert all(old_lines[number - 1] == text for number, text in old.items())
    changed = [row for row in found.rows if row.kind in (RowKind.ADDED, RowKind.REMOVED)]
    assert bool(changed) == (before != after)
    assert found.added - found.removed == _count(after) - _count(before)


def _count(text: str) -> int:
    return text.count("\n") + bool(text and not text.endswith("\n"))

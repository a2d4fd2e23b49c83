"""Every rule of tests/evals/README.md, one by one."""

from __future__ import annotations

from typing import Any

import pytest

from aria_desktop.core.chat import Outcome
from aria_desktop.evaluation.cases import Case, read_cases
from aria_desktop.evaluation.end_state import EndState
from aria_desktop.evaluation.scoring import MadeCall, Score, actual_sequence, matches, plain, score
from tests.unit.evaluation.test_cases import DEVELOPMENT


def judged(
    expect: dict[str, Any],
    calls: tuple[MadeCall, ...] = (),
    answer: str = "",
    end: EndState | None = None,
    files: dict[str, str] | None = None,
) -> Score:
    data = {"id": "x", "kind": "k", "say": "s", "expect": {"tools": [[]]} | expect, "files": files or {}}
    return score(Case.model_validate(data), calls, answer, end or EndState())


def done(*names: str) -> tuple[MadeCall, ...]:
    return tuple(MadeCall(name, Outcome.DONE) for name in names)


@pytest.mark.parametrize(
    ("actual", "entry", "right"),
    [
        (["create_file"], ["create_file"], True),
        (["list_files", "create_file"], ["create_file"], True),
        (["list_files", "read_file", "search_files", "create_file"], ["create_file"], True),
        (["create_file", "read_file"], ["create_file"], False),
        (["read_file", "edit_file", "read_file"], ["read_file", "edit_file", "read_file"], True),
        (["read_file", "read_file"], ["read_file"], True),
        (["list_files", "read_file"], ["read_file"], True),
        (["create_file", "create_file"], ["create_file"], False),
        (["copy_file", "list_files", "edit_file"], ["copy_file", "edit_file"], True),
        (["edit_file", "copy_file"], ["copy_file", "edit_file"], False),
        (["copy_file"], ["copy_file", "edit_file"], False),
        (["make_folder", "create_file"], ["create_file"], False),
        ([], ["create_file"], False),
        ([], [], True),
        (["read_file"], [], True),
        (["ask_user"], [], False),
    ],
)
def test_sequences_with_extra_reads(actual: list[str], entry: list[str], right: bool) -> None:
    assert matches(actual, entry, extra_reads=True) is right


@pytest.mark.parametrize(
    ("actual", "entry", "right"),
    [(["read_file"], [], False), ([], [], True), (["list_files", "read_file"], ["read_file"], False)],
)
def test_sequences_without_extra_reads_are_equal(actual: list[str], entry: list[str], right: bool) -> None:
    assert matches(actual, entry, extra_reads=False) is right


def test_a_failed_call_counts_unless_the_same_tool_makes_up_for_it_later() -> None:
    failed, refused = MadeCall("edit_file", Outcome.FAILED), MadeCall("edit_file", Outcome.REFUSED)
    assert actual_sequence([failed, *done("edit_file")]) == ["edit_file"]
    assert actual_sequence([failed, *done("read_file", "edit_file")]) == ["read_file", "edit_file"]
    assert actual_sequence([failed]) == ["edit_file"]
    assert actual_sequence([*done("edit_file"), failed]) == ["edit_file", "edit_file"]
    assert actual_sequence([failed, *done("create_file")]) == ["edit_file", "create_file"]
    assert actual_sequence([failed, refused]) == ["edit_file", "edit_file"]
    assert actual_sequence([refused, *done("edit_file")]) == ["edit_file", "edit_file"]


def test_any_of_the_accepted_sequences_will_do() -> None:
    expect = {"tools": [["make_folder", "move_file"], ["move_file"]]}
    assert judged(expect, done("move_file")).passed
    assert judged(expect, done("make_folder", "move_file")).passed
    found = judged(expect, done("copy_file", "delete_file"))
    assert not found.tools_ok
    assert found.reasons == ("called copy_file then delete_file instead of make_folder then move_file or move_file",)


def test_a_forbidden_tool_fails_even_in_vain() -> None:
    expect = {"tools": [["read_file"]], "forbid": ["delete_file"]}
    calls = (MadeCall("delete_file", Outcome.FAILED), MadeCall("delete_file", Outcome.REFUSED), *done("read_file"))
    found = judged(expect, calls)
    assert found.forbidden == ("delete_file", "delete_file")
    assert not found.tools_ok
    recovered = judged(expect, (MadeCall("delete_file", Outcome.FAILED), *done("read_file")))
    assert recovered.reasons[0] == "called delete_file, which is forbidden here"


def test_a_case_passes_only_if_every_check_passes() -> None:
    expect = {"tools": [["create_file"]], "workspace": {"a.txt": {}}, "answer": {"contains_any": ["a.txt"]}}
    there = EndState({"a.txt": b""})
    assert judged(expect, done("create_file"), "I made a.txt.", there).passed
    for found in (
        judged(expect, (), "I made a.txt.", there),
        judged(expect, done("create_file"), "I made a.txt."),
        judged(expect, done("create_file"), "Okay.", there),
    ):
        assert not found.passed
        assert found.reasons


def test_checks_that_are_not_given_have_no_result() -> None:
    found = judged({})
    assert (found.tools_ok, found.state_ok, found.answer_ok) == (True, None, None)
    assert found.passed


@pytest.mark.parametrize(
    ("check", "content", "right"),
    [
        ({"contains": ["Milk", "EGGS"]}, b"milk and eggs", True),
        ({"contains": ["milk", "rye"]}, b"milk and eggs", False),
        ({"contains": ["it's"]}, "it’s".encode(), True),
        ({"equals": "one\ntwo\n"}, b"one  \ntwo", True),
        ({"equals": "one\ntwo"}, b"one\r\ntwo\r\n\r\n", True),
        ({"equals": "one\ntwo"}, b"one\n\ntwo", False),
        ({"equals": "one"}, b"One", False),
        ({"equals": "one"}, b" one", False),
        ({"equals": "one"}, b"one\t", False),
        ({"equals": ""}, b"\n\n", True),
        ({"equals": "a - b"}, "a — b".encode(), True),
        ({"regex": "^def "}, b"# x\nDEF f():", True),
        ({"regex": r"\Adef "}, b"# x\ndef f():", False),
        ({"contains": ["x"], "regex": "y"}, b"x", False),
        ({"contains": ["caf"]}, b"\xff caf", True),
        ({}, b"anything", True),
    ],
)
def test_files_afterwards(check: dict[str, Any], content: bytes, right: bool) -> None:
    found = judged({"workspace": {"notes/a.txt": check}}, end=EndState({"notes/a.txt": content}))
    assert found.state_ok is right


def test_case_is_ignored_in_a_path_that_fits_nothing_exactly_and_only_one_otherwise() -> None:
    expect = {"workspace": {"Readme.md": {"equals": "x"}}}
    assert judged(expect, end=EndState({"README.md": b"x"})).state_ok
    assert judged(expect, end=EndState({"README.md": b"y", "Readme.md": b"x"})).state_ok
    assert judged(expect, end=EndState({"README.md": b"x", "readme.md": b"x"})).state_ok is False


def test_a_path_that_ends_in_a_slash_is_a_folder() -> None:
    expect: dict[str, Any] = {"workspace": {"plans/": {}}}
    assert judged(expect, end=EndState(folders=frozenset({"plans"}))).state_ok
    assert judged(expect, end=EndState(folders=frozenset({"Plans"}))).state_ok
    found = judged(expect, end=EndState({"plans": b""}))
    assert found.reasons == ("plans/ is not there",)


def test_a_folder_is_no_file_with_a_content() -> None:
    folder = EndState(folders=frozenset({"a.txt"}))
    assert judged({"workspace": {"a.txt": {}}}, end=folder).state_ok
    assert judged({"workspace": {"a.txt": {"equals": ""}}}, end=folder).reasons == ("a.txt is a folder",)


def test_nothing_may_exist_at_an_absent_path() -> None:
    expect = {"absent": ["old.txt", "old/"]}
    assert judged(expect, end=EndState({"new.txt": b""})).state_ok
    assert judged(expect, end=EndState({"old.txt": b""})).reasons == ("old.txt is still there",)
    assert judged(expect, end=EndState(folders=frozenset({"old"}))).reasons == ("old/ is still there",)


def test_unchanged_is_byte_for_byte() -> None:
    expect, files = {"unchanged": ["a.txt"]}, {"a.txt": "süß\r\n"}
    assert judged(expect, files=files, end=EndState({"a.txt": "süß\r\n".encode()})).state_ok
    changed = judged(expect, files=files, end=EndState({"a.txt": "süß\n".encode()}))
    assert changed.reasons == ("a.txt was changed",)
    assert judged(expect, files=files, end=EndState({"A.txt": "süß\r\n".encode()})).reasons == ("a.txt is gone",)


@pytest.mark.parametrize(
    ("check", "answer", "right"),
    [
        ({"contains_any": ["paris", "lyon"]}, "It is PARIS.", True),
        ({"contains_any": ["paris", "lyon"]}, "No idea.", False),
        ({"contains_any": ["don't"]}, "I don’t know.", True),
        ({"contains_any": ["forty-five"]}, "It is 45 seconds.", True),
        ({"contains_any": ["forty‑five"]}, "forty-five", True),
        ({"contains_any": ["45"]}, "It is forty-five seconds.", True),
        ({"contains_any": ["45"]}, "Son cuarenta y cinco.", True),
        ({"contains_any": ["dieciocho"]}, "Son 18.", True),
        ({"contains_any": ["2.4.1"]}, "It is 2.4.1.", True),
        ({"regex": r"\b1,?024\b"}, "one thousand twenty-four", True),
        ({"regex": "^two"}, "one\nTwo", True),
        ({"regex": r"\Atwo"}, "one\ntwo", False),
        ({"regex": r"\A(?![\s\S]*deleted)"}, "I deleted 3 files.", False),
        ({"not_contains": ["deleted"]}, "I Deleted it.", False),
        ({"not_contains": ["total is 40"]}, "The total is forty.", False),
        ({"contains_any": ["a"], "not_contains": ["b"]}, "a b", False),
        ({"contains_any": ["a"], "regex": "c"}, "a", False),
    ],
)
def test_answers(check: dict[str, Any], answer: str, right: bool) -> None:
    assert judged({"answer": check}, answer=answer).answer_ok is right


def test_typography_is_made_plain() -> None:
    assert plain("“a” ‘b’ c—d–e\u00a0f\r\n") == "\"a\" 'b' c-d-e f\n"


@pytest.mark.parametrize(("answer", "calls", "passed"), [("Okay.", (), 3), ("Which one?", done("ask_user"), 6)])
def test_the_floors_of_the_set_are_met(answer: str, calls: tuple[MadeCall, ...], passed: int) -> None:
    """An agent that never calls a tool passes 3 cases, one that always asks 6: so the set's own README says."""
    scores = [
        score(case, calls, answer, EndState({path: text.encode() for path, text in case.files.items()}))
        for case in read_cases(DEVELOPMENT)
    ]
    assert sum(found.passed for found in scores) == passed

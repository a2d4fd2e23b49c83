"""A case file is read as a whole; what is wrong with it is said with its line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aria_desktop.core.errors import UsageError
from aria_desktop.evaluation.cases import TOOLS, Case, read_cases
from tests.conftest import REPOSITORY

DEVELOPMENT = REPOSITORY / "tests" / "evals" / "commands.jsonl"
GOOD: dict[str, Any] = {"id": "a-1", "kind": "chat", "say": "hello", "expect": {"tools": [[]]}}


def written(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "cases.jsonl"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def case(**changed: Any) -> str:
    return json.dumps(GOOD | changed)


def test_the_development_cases_are_read_to_the_last_field() -> None:
    cases = read_cases(DEVELOPMENT)
    assert len(cases) == 151
    assert sum(found.expect.has_state for found in cases) == 90
    assert sum(found.expect.answer is not None for found in cases) == 79
    first = cases[0]
    assert first.id == "dev-001"
    assert first.expect.tools == (("create_file",),)
    assert first.expect.workspace["groceries.txt"].contains == ("milk", "eggs", "rye bread")
    assert first.confirm == "allow"
    assert first.expect.allow_extra_reads


def test_every_tool_of_the_format_is_named_in_some_case() -> None:
    named = {name for found in read_cases(DEVELOPMENT) for entry in found.expect.tools for name in entry}
    assert named == set(TOOLS)


def test_empty_lines_and_fields_of_no_meaning_are_passed_over(tmp_path: Path) -> None:
    cases = read_cases(written(tmp_path, case(), "", case(id="a-2", note="for people")))
    assert [found.id for found in cases] == ["a-1", "a-2"]


def test_only_line_breaks_separate_cases(tmp_path: Path) -> None:
    odd = json.dumps(GOOD | {"say": "one\u2028two\x85three"}, ensure_ascii=False)
    assert [found.say for found in read_cases(written(tmp_path, odd))] == ["one\u2028two\x85three"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"id": "a-1", ', "it is no JSON: "),
        ("[1, 2]", "it is no JSON object"),
        ('{"id": "a-1", "kind": "chat", "expect": {"tools": [[]]}}', "say is missing"),
        (case(say=""), "say: "),
        (case(say=3), "say: "),
        (case(expect={}), "expect.tools is missing"),
        (case(expect={"tools": []}), "expect.tools: "),
        (case(expect={"tools": [["make_coffee"]]}), "there is no tool 'make_coffee'"),
        (case(expect={"tools": [[]], "forbid": ["rm"]}), "there is no tool 'rm'"),
        (case(expect={"tools": [[]], "forbids": []}), "expect.forbids is no field of the format"),
        (case(expect={"tools": [[]], "answer": {"contains": "x"}}), "expect.answer.contains is no field"),
        (case(expect={"tools": [[]], "answer": {"regex": "("}}), "'(' is no regular expression"),
        (case(expect={"tools": [[]], "absent": ["../x"]}), "'../x' is no path inside the workspace"),
        (case(expect={"tools": [[]], "workspace": {"/etc/passwd": {}}}), "'/etc/passwd' is no path"),
        (case(files={"a/../../b": ""}), "'a/../../b' is no path"),
        (case(files={"a\\b": ""}), "is no path"),
        (case(files={"a": "", "a/b": ""}), "'a' is a file, and 'a/b' would lie in it"),
        (case(files={"a/b/c": "", "a": ""}), "'a' is a file, and 'a/b/c' would lie in it"),
        (case(files={"\u00e9" * 128: ""}), "is too long"),
        (case(files={"a/" * 500 + "b": ""}), "is too long"),
        (case(expect={"tools": [[]], "answer": {"regex": "a{99999999999}"}}), "is no regular expression"),
        (case(expect={"tools": [[]], "answer": {"regex": "(" * 5_000 + ")" * 5_000}}), "is no regular expression"),
        ("[" * 100_000 + "]" * 100_000, "it is nested too deeply"),
        (case(expect={"tools": [[]], "unchanged": ["a.txt"]}), "'a.txt' is to stay unchanged and is not among"),
        (case(confirm="maybe"), "confirm: "),
        (case(history=[{"user": "hello"}]), "history.0.assistant is missing"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_line(tmp_path: Path, line: str, said: str) -> None:
    path = written(tmp_path, case(id="fine"), line)
    with pytest.raises(UsageError) as caught:
        read_cases(path)
    assert caught.value.text.startswith(f"{path}, line 2: ")
    assert said in caught.value.text


def test_an_id_is_used_once(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="line 2: the id a-1 was used before"):
        read_cases(written(tmp_path, case(), case()))


def test_a_file_without_cases_or_without_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="There are no cases"):
        read_cases(written(tmp_path, ""))
    with pytest.raises(UsageError, match="No such file"):
        read_cases(tmp_path / "nothing.jsonl")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="not UTF-8"):
        read_cases(tmp_path / "bytes")


def test_a_case_is_a_value() -> None:
    found = Case.model_validate_json(case(), strict=True)
    assert found == Case.model_validate_json(found.model_dump_json(exclude_defaults=True), strict=True)

"""Evaluation cases: spoken commands with the workspace they start from and what must hold afterwards.

The format is described in tests/evals/README.md. A file is read as a whole or not at all: what a case expects must
be understood to the last field, since a check that is passed over would let a wrong answer pass.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.errors import UsageError
from aria_desktop.core.records import Source, TurnRecord
from aria_desktop.safety.names import MAX_NAME_BYTES

TOOLS = (
    "list_files", "read_file", "search_files", "create_file", "write_code", "append_file", "edit_file", "move_file",
    "copy_file", "delete_file", "make_folder", "summarize_text", "run_terminal", "remember", "recall", "ask_user",
)  # fmt: skip
"""The names that a case may use, whichever of them the program has."""
_PATH_BYTES = 1_000
"""Of a path; it is laid out below a temporary folder, whose own path counts for the system, too."""


def _tool(name: str) -> str:
    if name not in TOOLS:
        raise ValueError(f"there is no tool {name!r}")
    return name


def _path(path: str) -> str:
    """Relative, with / between its parts and perhaps at the end, and never out of the workspace."""
    parts = path.removesuffix("/").split("/")
    if any(part in ("", ".", "..") for part in parts) or "\\" in path or "\0" in path:
        raise ValueError(f"{path!r} is no path inside the workspace")
    if len(path.encode()) > _PATH_BYTES or any(len(part.encode()) > MAX_NAME_BYTES for part in parts):
        raise ValueError(f"the path {path[:60]!r} is too long")
    return path


def _regex(pattern: str) -> str:
    try:
        re.compile(pattern, re.IGNORECASE | re.MULTILINE)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"{pattern[:60]!r} is no regular expression: {error}") from error
    return pattern


ToolName = Annotated[str, AfterValidator(_tool)]
CasePath = Annotated[str, AfterValidator(_path)]
Regex = Annotated[str, AfterValidator(_regex)]
Words = Annotated[str, Field(min_length=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FileCheck(_Strict):
    contains: tuple[str, ...] = ()
    equals: str | None = None
    regex: Regex | None = None


class AnswerCheck(_Strict):
    contains_any: tuple[str, ...] = ()
    regex: Regex | None = None
    not_contains: tuple[str, ...] = ()


class Expectation(_Strict):
    tools: Annotated[tuple[tuple[ToolName, ...], ...], Field(min_length=1)]
    """The sequences that are accepted."""
    allow_extra_reads: bool = True
    forbid: tuple[ToolName, ...] = ()
    workspace: Mapping[CasePath, FileCheck] = {}
    absent: tuple[CasePath, ...] = ()
    unchanged: tuple[CasePath, ...] = ()
    answer: AnswerCheck | None = None

    @property
    def has_state(self) -> bool:
        return bool(self.workspace or self.absent or self.unchanged)


class EarlierTurn(_Strict):
    user: str
    assistant: str


class Case(BaseModel):
    """Fields beside those of the format are passed over: they can't ask for anything."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: Words
    kind: Words
    say: Words
    expect: Expectation
    history: tuple[EarlierTurn, ...] = ()
    files: Mapping[CasePath, str] = {}
    facts: tuple[str, ...] = ()
    confirm: Literal["allow", "deny"] = "allow"

    def earlier_turns(self) -> tuple[TurnRecord, ...]:
        """`history` as the agent is told it, oldest first."""
        return tuple(
            TurnRecord(f"h{n}", Source.TEXT, turn.user, turn.assistant, TurnOutcome.ANSWERED, float(n), (), {})
            for n, turn in enumerate(self.history, start=1)
        )

    @model_validator(mode="after")
    def _unchanged_are_there(self) -> Case:
        for path in self.expect.unchanged:
            if path not in self.files:
                raise ValueError(f"{path!r} is to stay unchanged and is not among the files")
        return self

    @model_validator(mode="after")
    def _no_file_is_a_folder(self) -> Case:
        for path in self.files:
            for folder in map(str, PurePosixPath(path).parents):
                if folder in self.files:
                    raise ValueError(f"{folder!r} is a file, and {path!r} would lie in it")
        return self


def read_cases(path: Path) -> tuple[Case, ...]:
    """All cases of a file, in order. Raises UsageError naming the file, the line and the reason."""
    try:
        lines = path.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise UsageError(f"The cases in {path} can't be read: {reason}.", "Name a file with --cases.") from error
    cases: dict[str, Case] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        case = _case(line, f"{path}, line {number}")
        if case.id in cases:
            raise UsageError(f"{path}, line {number}: the id {case.id} was used before.", "Every case has its own.")
        cases[case.id] = case
    if not cases:
        raise UsageError(f"There are no cases in {path}.", "It has to hold one JSON object a line.")
    return tuple(cases.values())


def _case(line: str, where: str) -> Case:
    try:
        return Case.model_validate_json(line, strict=True)
    except ValidationError as error:
        reasons = "; ".join(_reason(found, line) for found in error.errors(include_url=False))
        raise UsageError(f"{where}: {reasons}.", "The format is described in tests/evals/README.md.") from error


def _reason(found: Any, line: str) -> str:
    place = ".".join(str(part) for part in found["loc"] if part != "[key]")
    match found["type"]:
        case "json_invalid":
            return _json_reason(line)
        case "missing":
            return f"{place} is missing"
        case "extra_forbidden":
            return f"{place} is no field of the format"
        case "value_error":
            return f"{place}: {found['ctx']['error']}" if place else str(found["ctx"]["error"])
        case _:
            return f"{place}: {found['msg'][:1].lower()}{found['msg'][1:]}" if place else "it is no JSON object"


def _json_reason(line: str) -> str:
    try:
        json.loads(line)
    except ValueError as error:
        return f"it is no JSON: {error}"
    except RecursionError:
        return "it is nested too deeply"
    return "it is no JSON that can be read"

"""results.jsonl: one line for each case and repeat, written as soon as it is known, so that a run can go on later.

A line is complete or not there: what a kill left of the last one is dropped when the file is opened again. The file
belongs to one set of settings; results of two programs, prompts or case files never stand side by side in it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from aria_desktop.core.chat import Outcome
from aria_desktop.core.errors import UsageError
from aria_desktop.core.plain import from_plain, to_plain, well_formed
from aria_desktop.storage.files import replace_file, storage_error

RESULTS = "results.jsonl"
SETTINGS = "settings.json"
_WAY_OUT = "Add --fresh to start anew (cached replies stay), or name another folder with --out."


@dataclass(frozen=True, slots=True)
class RecordedCall:
    tool: str
    arguments: Mapping[str, object]
    step: int
    outcome: Outcome
    text: str
    """What the model was told of it."""


@dataclass(frozen=True, slots=True)
class WithheldCall:
    """A call that code withheld before policy."""

    tool: str
    arguments: Mapping[str, object]
    step: int
    reason: str


@dataclass(frozen=True, slots=True)
class RecordedReply:
    text: str
    reply: bool
    """It is the reply of a step; else it is code or a summary."""
    complete: bool
    legal: bool
    cached: bool
    prompt_tokens: int
    reused_tokens: int
    tokens: int
    decode_steps: int
    seconds: float
    tool_choices: tuple[Mapping[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class CaseResult:
    model: str
    case: str
    kind: str
    repeat: int
    """1 for the first."""
    say: str
    passed: bool
    tools_ok: bool
    state_ok: bool | None
    answer_ok: bool | None
    reasons: tuple[str, ...]
    forbidden: tuple[str, ...]
    calls: tuple[RecordedCall, ...]
    withheld: tuple[WithheldCall, ...]
    asked: tuple[str, ...]
    """The questions that were put before a change."""
    replies: tuple[RecordedReply, ...]
    answer: str
    outcome: str
    error: str
    files: Mapping[str, str]
    """The workspace afterwards."""
    folders: tuple[str, ...]
    seconds: float
    """Of the turn; for a replayed reply counts what the model took when it was asked."""
    first_words_s: float | None
    """From the words to the first ones of the answer; None when there was no answer."""
    tokens_evaluated: int
    tokens_generated: int
    start: Mapping[str, object] = field(default_factory=dict)
    expect: Mapping[str, object] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str, int]:
        return self.model, self.case, self.repeat


class ResultFile:
    """The results of one output folder. Raises StorageError and DiskFull where it can't be written.

    Args:
        settings: all that decides the results, by name.
        fresh: drop what is there.
    """

    def __init__(self, folder: Path, settings: Mapping[str, object], *, fresh: bool = False) -> None:
        self._path = folder / RESULTS
        self.results: list[CaseResult] = []
        if fresh:
            self._drop()
        elif self._path.exists():
            _require_same(folder / SETTINGS, settings)
            self.results = self._read()
        text = json.dumps(settings, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
        replace_file(folder / SETTINGS, text.encode("utf-8"))
        self._write_whole()

    def add(self, result: CaseResult) -> None:
        """On disk when it returns."""
        try:
            with self._path.open("ab") as file:
                file.write(_line(result))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise storage_error("write", self._path, error) from error
        self.results.append(result)

    def _drop(self) -> None:
        try:
            self._path.unlink(missing_ok=True)
        except OSError as error:
            raise storage_error("remove", self._path, error) from error

    def _write_whole(self) -> None:
        replace_file(self._path, b"".join(_line(result) for result in self.results))

    def _read(self) -> list[CaseResult]:
        try:
            lines = self._path.read_text("utf-8", "replace").split("\n")
        except OSError as error:
            raise storage_error("read", self._path, error) from error
        return [self._result(line, number) for number, line in enumerate(lines[:-1], start=1) if line]

    def _result(self, line: str, number: int) -> CaseResult:
        try:
            result: CaseResult = from_plain(CaseResult, json.loads(line))
        except (ValueError, TypeError, RecursionError) as error:
            raise UsageError(f"{self._path}, line {number}, is no result of this program.", _WAY_OUT) from error
        return result


def read_settings(path: Path) -> Mapping[str, object]:
    """Raises UsageError for a file that can't be used."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"{path} can't be read, so the results beside it can't be continued.", _WAY_OUT) from error
    return found if isinstance(found, dict) else {}


def _require_same(path: Path, settings: Mapping[str, object]) -> None:
    there = read_settings(path)
    here = json.loads(json.dumps(settings))
    if differing := [name for name in sorted({*there, *here}) if there.get(name) != here.get(name)]:
        what = "; ".join(f"{name}: {_brief(there.get(name))} there, {_brief(here.get(name))} now" for name in differing)
        raise UsageError(f"The results in {path.parent} were made with other settings ({what}).", _WAY_OUT)


def _brief(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."


def _line(result: CaseResult) -> bytes:
    text = json.dumps(to_plain(result), ensure_ascii=False)
    return (well_formed(text) + "\n").encode("utf-8")

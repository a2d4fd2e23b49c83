"""The cases of the Berkeley Function Calling Leaderboard, as its package `bfcl-eval` carries them.

The wheel is read as a zip; nothing of it is ever installed or run.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aria_desktop.core.errors import UsageError

WHEEL_SHA256 = "3bb6dfa5f0c68ad403c9ec50b00db2bb3b4cc9b38ab1ff33f48fe30d853d3a0a"
"""Of bfcl_eval-2026.3.23-py3-none-any.whl."""
IRRELEVANCE = "irrelevance"
CATEGORIES = ("simple_python", "multiple", "live_simple", "live_multiple", IRRELEVANCE)
_FOLDER = "bfcl_eval/data"
_HINT = "`make bench-bfcl` fetches the right one."

Function = Mapping[str, Any]
"""Name, description, and parameters as a schema with the leaderboard's own type names."""


@dataclass(frozen=True, slots=True)
class Case:
    id: str
    category: str
    messages: tuple[Mapping[str, str], ...]
    """With "role" and "content"; the last one is the user's."""
    functions: tuple[Function, ...]
    answer: Mapping[str, Any] | None
    """{function: {parameter: [every right value, "" when it may be left out]}}; None: no call is right."""


def check_wheel(wheel: Path) -> None:
    """Raises UsageError for anything but the very file that the results are stated for."""
    try:
        found = hashlib.sha256(wheel.read_bytes()).hexdigest()
    except OSError as error:
        raise UsageError(f"{wheel} can't be read: {error.strerror}.", _HINT) from error
    if found != WHEEL_SHA256:
        raise UsageError(f"{wheel} is not the wheel bfcl-eval 2026.3.23: its SHA-256 is {found}.", _HINT)


def read_cases(wheel: Path, category: str) -> tuple[Case, ...]:
    """All cases of a category. Raises UsageError for a file that does not hold them."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            asked = list(_lines(archive, f"{_FOLDER}/BFCL_v4_{category}.json"))
            answers = {} if category == IRRELEVANCE else dict(_answers(archive, category))
        return tuple(_case(entry, category, answers) for entry in asked)
    except (OSError, KeyError, IndexError, ValueError, zipfile.BadZipFile) as error:
        raise UsageError(f"{wheel} holds no usable cases of {category}: {error}.", _HINT) from error


def chosen(cases: Sequence[Case], count: int) -> tuple[Case, ...]:
    """`count` of them, spread evenly by the hash of their ids: always the same, and fewer are a part of more."""
    return tuple(sorted(cases, key=lambda case: hashlib.sha256(case.id.encode()).digest())[:count])


def _case(entry: Mapping[str, Any], category: str, answers: Mapping[str, Mapping[str, Any]]) -> Case:
    messages, *more = entry["question"]
    if more:
        raise ValueError(f"{entry['id']} has more than one turn")
    answer = None if category == IRRELEVANCE else answers[entry["id"]]
    return Case(entry["id"], category, tuple(messages), tuple(entry["function"]), answer)


def _answers(archive: zipfile.ZipFile, category: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for entry in _lines(archive, f"{_FOLDER}/possible_answer/BFCL_v4_{category}.json"):
        (answer,) = entry["ground_truth"]
        yield entry["id"], answer


def _lines(archive: zipfile.ZipFile, name: str) -> Iterator[Mapping[str, Any]]:
    with archive.open(name) as file:
        for line in file:
            if line.strip():
                yield json.loads(line)

"""The languages that the window can speak, read from `resources/words/`. Their form is told in `state.translation`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from aria_desktop.core.errors import StorageError
from aria_desktop.gui.state.translation import ENGLISH, RULES, Language


def read_language(folder: Path, code: str) -> Language:
    """English for "en" and for a language without a file. Raises StorageError for a file that is not right."""
    path = folder / f"{code}.json"
    if code == "en" or not path.is_file():
        return ENGLISH
    try:
        return _understood(code, json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise StorageError(f"The words in {path} can't be read: {error}.", "Install ARIA again.") from error


def languages(folder: Path) -> tuple[Language, ...]:
    """All that the window can speak, English first."""
    return (ENGLISH, *(read_language(folder, path.stem) for path in sorted(folder.glob("*.json"))))


def _understood(code: str, data: Mapping[str, Any]) -> Language:
    forms, _ = RULES[data["plural"]]
    plurals = {str(one): tuple(map(str, several)) for one, several in data["plurals"].items()}
    if wrong := [one for one, several in plurals.items() if len(several) != forms]:
        raise ValueError(f"{wrong[0]} must have {forms} forms")
    return Language(
        code=code,
        name=str(data["name"]),
        right_to_left=data["direction"] == "rtl",
        decimal=str(data["decimal"]),
        thousands=str(data["thousands"]),
        plural=data["plural"],
        texts={str(text): str(said) for text, said in data["texts"].items()},
        plurals=plurals,
    )

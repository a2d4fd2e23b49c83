"""Which models the window asks fetch mode for: a small file of the user's own, read once.

Nothing but names of the catalogue is taken from it. Whoever writes it can choose among those, and say nothing else to
a process that reaches the network.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from aria_desktop.core import regular
from aria_desktop.core.errors import UsageError
from aria_desktop.storage.files import replace_file, storage_error

NAME = "fetch-request.json"
_LONGEST = 64_000
"""Bytes; more than all names of the catalogue together."""


def write_request(data: Path, names: Sequence[str]) -> None:
    """Raises StorageError."""
    replace_file(data / NAME, json.dumps({"models": list(names)}).encode("utf-8"))


def take_request(data: Path, listed: Callable[[str], bool]) -> tuple[str, ...]:
    """The names that were asked for; the file is gone afterwards, whatever was in it.

    Raises UsageError for a file that holds anything but names for which `listed` is true, StorageError.
    """
    path = data / NAME
    try:
        content = regular.content(path, _LONGEST + 1)
        path.unlink()
    except FileNotFoundError:
        raise UsageError("No models were asked for.", "Choose them on the Models page of the window.") from None
    except OSError as error:
        raise storage_error("read", path, error) from error
    return _checked(content, listed)


def _checked(content: bytes, listed: Callable[[str], bool]) -> tuple[str, ...]:
    try:
        data = json.loads(content) if len(content) <= _LONGEST else None
    except (ValueError, RecursionError):
        data = None
    names = data.get("models") if isinstance(data, dict) and set(data) == {"models"} else None
    if not isinstance(names, list) or not names:
        raise UsageError("What was asked for is no list of models.", "Choose them on the Models page of the window.")
    if not all(isinstance(name, str) and listed(name) for name in names):
        raise UsageError("A model was asked for that is not in the catalogue.", "Nothing was fetched.")
    return tuple(dict.fromkeys(names))

"""Where the window was when it ended for fetch mode, so that the next one goes on there. Read once."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from aria_desktop.storage.files import replace_file

NAME = "left-off.json"


@dataclass(frozen=True, slots=True)
class LeftOff:
    session_id: str = ""
    """The conversation that was open; empty: a new one."""
    workspace: str = ""
    """Absolute folder that turns worked in."""
    page: str = ""
    """Name of the page that was shown."""


def write_left_off(data: Path, left: LeftOff) -> None:
    """Raises StorageError."""
    replace_file(data / NAME, json.dumps(asdict(left)).encode("utf-8"))


def take_left_off(data: Path) -> LeftOff:
    """The usual beginning where nothing was left, or what was left can't be read."""
    path = data / NAME
    try:
        found = json.loads(path.read_bytes())
        left = LeftOff(str(found["session_id"]), str(found["workspace"]), str(found["page"]))
    except (OSError, ValueError, KeyError, TypeError):
        left = LeftOff()
    with suppress(OSError):
        path.unlink(missing_ok=True)
    return left

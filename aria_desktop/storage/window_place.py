"""Where the window was when it was closed, so that the next one opens there."""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass
from pathlib import Path

from aria_desktop.core import regular
from aria_desktop.storage.files import replace_file

NAME = "window-place.json"


@dataclass(frozen=True, slots=True)
class WindowPlace:
    geometry: bytes = b""
    """Size, position, screen and whether it filled it, as the toolkit writes them; empty: not known."""
    page: str = ""
    """Name of the page that was shown."""


NOWHERE = WindowPlace()


def write_place(data: Path, place: WindowPlace) -> None:
    """Raises StorageError."""
    kept = {"geometry": base64.b64encode(place.geometry).decode("ascii"), "page": place.page}
    replace_file(data / NAME, json.dumps(kept).encode("utf-8"))


def read_place(data: Path) -> WindowPlace:
    """The usual place where nothing was kept, or what was kept can't be read."""
    try:
        kept = json.loads(regular.content(data / NAME))
        return WindowPlace(base64.b64decode(str(kept["geometry"]), validate=True), str(kept["page"]))
    except (OSError, ValueError, KeyError, TypeError, binascii.Error):
        return NOWHERE

"""A workspace as plain data: laid out for a case, and looked at after the turn.

Looking follows no link and opens ordinary files only: a command that a case runs may leave anything behind.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

FILE_BYTES = 4_000_000
"""Of each file; no case expects more."""


@dataclass(frozen=True, slots=True)
class EndState:
    """Paths are relative, with / between their parts."""

    files: Mapping[str, bytes] = field(default_factory=dict)
    folders: frozenset[str] = frozenset()

    @property
    def paths(self) -> frozenset[str]:
        return self.folders | self.files.keys()


def lay_out(root: Path, files: Mapping[str, str]) -> None:
    """Write `files` into the empty folder `root`, with the folders on their paths."""
    for path, content in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode("utf-8"))


def look_at(root: Path) -> EndState:
    files: dict[str, bytes] = {}
    folders: set[str] = set()
    for folder, below, names in os.walk(root):
        here = Path(folder)
        folders.update(_inside(root, here / name) for name in below)
        files.update((_inside(root, here / name), _content(here / name)) for name in names)
    return EndState(files, frozenset(folders))


def _inside(root: Path, path: Path) -> str:
    return os.fsencode(path.relative_to(root).as_posix()).decode("utf-8", "replace")


def _content(path: Path) -> bytes:
    """Empty for what is no ordinary file, or can't be read any more."""
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return b""
        with path.open("rb") as file:
            return file.read(FILE_BYTES)
    except OSError:
        return b""

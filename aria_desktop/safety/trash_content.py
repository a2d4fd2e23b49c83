"""What lies in the trash: told, given a size, and removed for good."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from aria_desktop.core import regular
from aria_desktop.safety.trash import KEPT, NOTE


@dataclass(frozen=True, slots=True)
class Kept:
    """One entry of the trash."""

    name: str
    workspace: str
    """Empty when its note can't be read, as all that the note tells is then."""
    path: str
    """Where it lay in the workspace."""
    kind: str
    """"file" or "folder"."""
    why: str
    """"kept" for what was deleted or replaced, "copied" for old bytes of a file that was rewritten."""
    at: float
    """Unix time at which it was put there."""
    size: int
    """Bytes."""


class TrashContent:
    def __init__(self, folder: Path) -> None:
        """The folder need not be there."""
        self._folder = folder

    def entries(self) -> tuple[Kept, ...]:
        """Oldest first."""
        found = [_entry(self._folder / name) for name in self._names()]
        return tuple(sorted(found, key=lambda entry: (entry.at, entry.name)))

    def size(self) -> int:
        """Bytes of all that is kept."""
        return sum(_size(self._folder / name) for name in self._names())

    def size_of(self, name: str) -> int:
        """Bytes of one entry; 0 when there is none of that name."""
        return _size(self._folder / name) if name else 0

    def remove(self, name: str) -> int:
        """For good; returns how many bytes it held, 0 when there is none of that name."""
        entry = self._folder / name
        if name in ("", ".", "..") or "/" in name or entry.is_symlink() or not entry.is_dir():
            return 0
        size = _size(entry)
        shutil.rmtree(entry, ignore_errors=True)
        return size

    def remove_loose(self, known: Collection[str], before: float, too_much: int) -> int:
        """Remove entries that no record knows, when they are older than `before` (Unix time), or until `too_much`
        bytes are gone. Returns how many."""
        removed = 0
        for entry in self.entries():
            if entry.name in known or (entry.at >= before and too_much <= 0):
                continue
            too_much -= self.remove(entry.name)
            removed += 1
        return removed

    def _names(self) -> list[str]:
        try:
            return sorted(item.name for item in os.scandir(self._folder) if item.is_dir(follow_symlinks=False))
        except FileNotFoundError:
            return []


def _entry(folder: Path) -> Kept:
    at, note = 0.0, {}
    with suppress(OSError):
        at = folder.stat().st_mtime
    with suppress(OSError, ValueError, RecursionError):
        read = json.loads(regular.content(folder / NOTE))
        note = read if isinstance(read, dict) else {}
    workspace, path, kind = (str(note.get(name, "")) for name in ("workspace", "path", "kind"))
    return Kept(folder.name, workspace, path, kind, str(note.get("why", "kept")), at, _size(folder))


def _size(entry: Path) -> int:
    """Bytes of what an entry holds; what can't be read counts nothing."""
    kept, total = entry / KEPT, 0
    with suppress(OSError):
        total = kept.lstat().st_size if not kept.is_dir() or kept.is_symlink() else 0
    for outer, _, files in os.walk(kept):
        for name in files:
            with suppress(OSError):
                total += (Path(outer) / name).lstat().st_size
    return total

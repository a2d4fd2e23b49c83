"""What lies in the workspace, seen without opening any of it."""

from __future__ import annotations

import os
import stat
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum

from aria_desktop.core.errors import ToolFailed
from aria_desktop.safety.door import Door

WALK_DEPTH = 8
"""Folders within folders that are looked into."""
WALK_LIMIT = 5_000
"""Entries of all folders together that are told."""


class EntryKind(StrEnum):
    FILE = "file"
    FOLDER = "folder"
    OTHER = "other"
    """A link, a device and the like: seen, never opened."""


@dataclass(frozen=True, slots=True)
class Entry:
    name: str
    """As it is on disk, under its folder; from a walk, its path. May hold anything: show it with `core.visible`."""
    kind: EntryKind
    size: int
    """Bytes; 0 for what is no file."""
    modified: float = 0.0
    """Unix time; 0 for what is no file, and where it was not asked for."""


def entry_of(item: os.DirEntry[str]) -> Entry:
    if item.is_dir(follow_symlinks=False):
        return Entry(item.name, EntryKind.FOLDER, 0)
    if item.is_file(follow_symlinks=False):
        found = item.stat(follow_symlinks=False)
        return Entry(item.name, EntryKind.FILE, found.st_size, found.st_mtime)
    return Entry(item.name, EntryKind.OTHER, 0)


def kind_at(door: Door, parts: tuple[str, ...], name: str) -> EntryKind | None:
    """What lies at a place; None for nothing."""
    if not parts:
        return EntryKind.FOLDER
    with folder_of(door, parts, name) as inside:
        state = state_in(inside, parts[-1])
    return None if state is None else kind_of_mode(state.st_mode)


@contextmanager
def folder_of(door: Door, parts: tuple[str, ...], name: str) -> Iterator[int | None]:
    """The descriptor of the folder that something lies in; None when there is no such folder."""
    inside, missing = door.descend(parts[:-1], name)
    try:
        yield None if missing else inside
    finally:
        os.close(inside)


def state_in(inside: int | None, part: str) -> os.stat_result | None:
    """Of what has the name in the folder, links as such; None when nothing has."""
    if inside is None:
        return None
    try:
        return os.lstat(part, dir_fd=inside)
    except FileNotFoundError:
        return None


def kind_of_mode(mode: int) -> EntryKind:
    if stat.S_ISREG(mode):
        return EntryKind.FILE
    return EntryKind.FOLDER if stat.S_ISDIR(mode) else EntryKind.OTHER


def walked(door: Door) -> Iterator[Entry]:
    """The workspace's files and folders by their paths, nearest first, at most `WALK_LIMIT`. Names that begin with
    a dot are left out, and so is what can't be opened meanwhile."""
    waiting: deque[tuple[str, ...]] = deque([()])
    told = 0
    while waiting:
        folder = waiting.popleft()
        for entry in _in_folder(door, folder):
            path = (*folder, entry.name)
            yield Entry("/".join(path), entry.kind, entry.size)
            told += 1
            if told == WALK_LIMIT:
                return
            if entry.kind is EntryKind.FOLDER and len(path) < WALK_DEPTH:
                waiting.append(path)


def _in_folder(door: Door, folder: tuple[str, ...]) -> list[Entry]:
    with suppress(ToolFailed, OSError), door.opened(folder, "/".join(folder)) as inside, os.scandir(inside) as found:
        entries = [entry_of(item) for item in found if not item.name.startswith(".")]
        return sorted((e for e in entries if e.kind is not EntryKind.OTHER), key=lambda entry: entry.name)
    return []

"""What a file or folder was when it was looked at, so that later it can be told whether it still is that."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from aria_desktop.core.errors import ToolFailed
from aria_desktop.safety.descriptors import refuse_irregular
from aria_desktop.safety.door import Door
from aria_desktop.safety.entries import EntryKind, folder_of, kind_of_mode, state_in
from aria_desktop.safety.names import quoted

INSIDE_LIMIT = 1_000
"""Files and folders in a folder that is moved or deleted as a whole."""


@dataclass(frozen=True, slots=True)
class Seen:
    kind: EntryKind
    inode: int
    size: int
    """Bytes of a file; 0 for a folder."""
    changed_ns: int
    """When the content was last written; 0 for a folder."""
    inside: tuple[str, ...] = ()
    """All that is in a folder, hidden or not, by relative paths; folders end in "/"."""


def seen_at(door: Door, parts: tuple[str, ...], name: str) -> Seen | None:
    """What lies at a place; None for nothing. Raises PathRefused for links, devices, second names, other disks."""
    with folder_of(door, parts, name) as inside:
        state = state_in(inside, parts[-1])
        if inside is None or state is None:
            return None
        if not stat.S_ISDIR(state.st_mode):
            refuse_irregular(inside, state, name, parts[-1], door.device)
    return _seen(state, tuple(_all_inside(door, parts, name)) if stat.S_ISDIR(state.st_mode) else ())


def is_same(seen: Seen | None, state: os.stat_result) -> bool:
    """Whether a state is that of the very thing; of a folder, what is in it does not count."""
    if seen is None:
        return False
    now = _seen(state, seen.inside)
    return now == seen


def _seen(state: os.stat_result, inside: tuple[str, ...]) -> Seen:
    kind = kind_of_mode(state.st_mode)
    if kind is EntryKind.FOLDER:
        return Seen(kind, state.st_ino, 0, 0, inside)
    return Seen(kind, state.st_ino, state.st_size, state.st_mtime_ns)


def _all_inside(door: Door, parts: tuple[str, ...], name: str) -> Iterator[str]:
    count = 0
    waiting = [parts]
    while waiting:
        folder = waiting.pop()
        with door.opened(folder, name) as inside, os.scandir(inside) as found:
            items = sorted((item.name, item.is_dir(follow_symlinks=False)) for item in found)
        for item, is_folder in items:
            count += 1
            if count > INSIDE_LIMIT:
                raise ToolFailed(
                    f"{quoted(name)} holds more than {INSIDE_LIMIT:,} files and folders, which is too much."
                )
            path = (*folder, item)
            yield "/".join(path[len(parts) :]) + ("/" if is_folder else "")
            if is_folder:
                waiting.append(path)

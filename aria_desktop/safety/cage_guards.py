"""What lies in the workspace and must not be reached by a command, looked for before each run.

A `.git` folder holds hooks and settings that programs obey later, outside of the cage. A file with a second name
may be known outside of the workspace under the other one, and nothing that is bound into a cage can tell.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from aria_desktop.safety.cage import CommandRefused, Guarded
from aria_desktop.safety.names import quoted

MOST_ENTRIES = 200_000
"""Of a workspace; looking at more takes longer than commands are worth."""
MOST_GUARDED = 500
"""Each is a mount of its own."""
_PROTECTED = ".git"
_SMALLER = "Choose a smaller folder as the workspace."


def guarded_in(workspace: Path) -> Guarded:
    """Raises CommandRefused when there is more than can be looked at or guarded, or a `.git` that is a link."""
    read_only, hidden = [], []
    for count, (path, info) in enumerate(_walked(workspace)):
        if count >= MOST_ENTRIES:
            raise CommandRefused(
                f"The workspace holds more than {MOST_ENTRIES:,} files: no command is run in it.", _SMALLER
            )
        if path.rpartition("/")[2] == _PROTECTED:
            if stat.S_ISLNK(info.st_mode):
                raise CommandRefused(
                    f"{quoted(path)} is a link: no command is run beside it.", "Move it out of the workspace."
                )
            read_only.append(path)
        elif stat.S_ISREG(info.st_mode) and info.st_nlink > 1:
            hidden.append(path)
    guarded = Guarded(tuple(read_only), tuple(hidden))
    if len(guarded.read_only) + len(guarded.hidden) > MOST_GUARDED:
        raise CommandRefused(
            f"More than {MOST_GUARDED} places of the workspace are a .git, or a file with a second name somewhere:"
            " no command is run in it.",
            _SMALLER,
        )
    return guarded


def _walked(root: Path) -> Iterator[tuple[str, os.stat_result]]:
    """All below `root` with its path from there; what is inside of a `.git` is protected with it."""
    folders = [""]
    while folders:
        folder = folders.pop()
        try:
            found = list(os.scandir(root / folder))
        except OSError:
            # A folder that we can't look into is one that the command, run for the same user, can't either.
            continue
        for item in found:
            path = f"{folder}/{item.name}" if folder else item.name
            try:
                info = item.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
            yield path, info
            if stat.S_ISDIR(info.st_mode) and item.name != _PROTECTED:
                folders.append(path)

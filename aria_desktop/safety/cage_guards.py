"""What lies in the workspace and must not be reached by a command, looked for before each run; and what must not be
left by one, looked for after it.

A `.git` folder holds hooks and settings that programs obey later, outside of the cage. A file with a second name
may be known outside of the workspace under the other one, and nothing that is bound into a cage can tell.
"""

from __future__ import annotations

import contextlib
import itertools
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
_ASIDE = "git-of-command"
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
    if len(guarded.read_only) + len(guarded.hidden) + len(guarded.held) > MOST_GUARDED:
        raise CommandRefused(
            f"More than {MOST_GUARDED} places of the workspace are or hold a .git, or a file with a second name"
            " somewhere: no command is run in it.",
            _SMALLER,
        )
    return guarded


def set_new_git_aside(workspace: Path, guarded: Guarded) -> tuple[str, ...]:
    """Rename every `.git` that was not there when `guarded` was looked for, whatever it is, so that no program obeys
    it. To be called when nothing of the command runs any more.

    Returns a line to be shown for each.
    """
    told, folders = [], [""]
    with contextlib.ExitStack() as opened:
        while folders:
            folder = folders.pop()
            for item in _entries(workspace / folder, opened):
                path = f"{folder}/{item.name}" if folder else item.name
                if item.name == _PROTECTED:
                    if path in guarded.read_only:
                        continue
                    path, line = _set_aside(workspace, path)
                    told.append(line)
                if item.is_dir(follow_symlinks=False):
                    folders.append(path)
    return tuple(told)


def _entries(folder: Path, opened: contextlib.ExitStack) -> list[os.DirEntry[str]]:
    """What lies in `folder`, which can be looked into and changed until `opened` ends: without the right to read it,
    what it holds would still be found by name."""
    with contextlib.suppress(OSError):
        mode = stat.S_IMODE(folder.stat(follow_symlinks=False).st_mode)
        if mode & stat.S_IRWXU != stat.S_IRWXU:
            folder.chmod(mode | stat.S_IRWXU)
            opened.callback(folder.chmod, mode)
    with contextlib.suppress(OSError), os.scandir(folder) as found:
        return list(found)
    return []


def _set_aside(workspace: Path, path: str) -> tuple[str, str]:
    """What it is called now, and a line about it."""
    names = (f"{path.removesuffix(_PROTECTED)}{_ASIDE}{number or ''}" for number in itertools.count())
    free = next(name for name in names if not os.path.lexists(workspace / name))
    try:
        (workspace / path).rename(workspace / free)
    except OSError as error:
        return path, f"[{quoted(path)} was made by the command and can't be renamed: {error.strerror}. Remove it]"
    return free, f"[{quoted(path)} was made by the command. No command may make one: it is now {quoted(free)}]"


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

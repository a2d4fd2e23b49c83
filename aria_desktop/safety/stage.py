"""The folder in which the changes of one command wait until somebody has decided about them.

What must stay true:

* It belongs to nobody but ARIA (0700), and lies outside of the workspace, on a file system that can be a layer.
* It is locked as long as anybody may still decide, so what a program that was killed has left is told from what is
  in use, and removed before the next command.
* What is in it was made by a command: nothing is followed, no name is trusted, and it may be as deep as it likes.
"""

from __future__ import annotations

import os
import stat
import sys
import uuid
from contextlib import suppress
from pathlib import Path
from typing import Self

from aria_desktop.core.errors import AriaError
from aria_desktop.safety.cage import Layer

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | getattr(os, "O_NOFOLLOW", 0)
_CHANGES, _WORK = "changes", "work"


class Stage:
    """Used by one thread at a time."""

    def __init__(self, base: Path) -> None:
        """Makes a new folder in `base`, which is made too. Raises AriaError.

        What earlier programs left there goes.
        """
        self._lock = -1
        try:
            base.mkdir(mode=0o700, parents=True, exist_ok=True)
            sweep_stages(base)
            self.folder = base / uuid.uuid4().hex
            self.folder.mkdir(mode=0o700)
            self._lock = os.open(self.folder, _FOLDER)
            _locked(self._lock)
            self.layer = Layer(self.folder / _CHANGES, self.folder / _WORK)
            self.layer.changes.mkdir(mode=0o700)
            self.layer.work.mkdir(mode=0o700)
        except OSError as error:
            self.close()
            raise AriaError(f"The folder {base} can't be used: {error.strerror}.", "Look at its rights.") from error

    def close(self) -> None:
        """Remove it with all that is in it; any number of times. What can't be removed goes with the next command."""
        lock, self._lock = self._lock, -1
        if lock >= 0:
            with suppress(OSError):
                _empty(lock)
                self.folder.rmdir()
            os.close(lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def sweep_stages(base: Path) -> None:
    """Remove what programs that have ended left in `base`. Never raises for what can't be removed."""
    with suppress(OSError):
        for folder in list(base.iterdir()):
            with suppress(OSError):
                lock = os.open(folder, _FOLDER)
                try:
                    if _locked(lock):
                        _empty(lock)
                        folder.rmdir()
                finally:
                    os.close(lock)


def _locked(descriptor: int) -> bool:
    """Whether this process has the folder now; always where there are no such locks, as there is no cage either."""
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _empty(folder: int) -> None:
    """Remove all that is in an open folder, without following links. One descriptor is open at a time, however deep it
    goes: the way back is up. Raises OSError."""
    here, way = os.dup(folder), [("", _without_files(folder))]
    try:
        while way:
            name, inner = way[-1]
            if inner:
                down = inner.pop()
                here = _replaced(here, _opened(here, down))
                way.append((down, _without_files(here)))
                continue
            way.pop()
            if way:
                here = _replaced(here, os.open("..", _FOLDER, dir_fd=here))
                os.rmdir(name, dir_fd=here)
    finally:
        os.close(here)


def _without_files(folder: int) -> list[str]:
    """The names of the folders in an open folder, from which all else was removed."""
    with os.scandir(folder) as found:
        items = [(item.name, item.is_dir(follow_symlinks=False)) for item in found]
    for name, is_folder in items:
        if not is_folder:
            os.unlink(name, dir_fd=folder)
    return [name for name, is_folder in items if is_folder]


def _opened(outer: int, name: str) -> int:
    """A folder that can be changed, whatever rights a command or the kernel left it with."""
    if stat.S_IMODE(os.lstat(name, dir_fd=outer).st_mode) & stat.S_IRWXU != stat.S_IRWXU:
        os.chmod(name, stat.S_IRWXU, dir_fd=outer)
    return os.open(name, _FOLDER, dir_fd=outer)


def _replaced(old: int, new: int) -> int:
    os.close(old)
    return new

"""One small JSON file of the data folder, 0600, that several processes read and change.

Not in the database, as the window holds that: a command changes such a file while a window is open, and who decides
reads it anew each time. It is read strictly, and what can't be understood counts as nothing and is said.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, TypeVar

from aria_desktop.core import regular
from aria_desktop.core.errors import StorageError
from aria_desktop.core.plain import from_plain, to_plain
from aria_desktop.storage.files import private_folder, replace_file, storage_error

_MOST_BYTES = 1_000_000

Kept = TypeVar("Kept")


class KeptFile(Generic[Kept]):
    """From any thread and any process."""

    def __init__(self, path: Path, nothing: Kept, meaning: str, hint: str) -> None:
        """
        Args:
            nothing: what an absent file stands for; a frozen dataclass, whose form the file has.
            meaning: what follows from a file that can't be understood, as in "so no leave counts".
            hint: the way out of that.
        """
        self._path = path
        self._nothing = nothing
        self._meaning, self._hint = meaning, hint

    def read(self) -> Kept:
        """Raises StorageError."""
        try:
            data = regular.content(self._path, _MOST_BYTES + 1)
        except FileNotFoundError:
            return self._nothing
        except OSError as error:
            raise storage_error("read", self._path, error) from error
        try:
            found: Kept = from_plain(type(self._nothing), json.loads(data[:_MOST_BYTES]))
        except (ValueError, TypeError, RecursionError) as error:
            raise StorageError(f"{self._path} can't be understood, {self._meaning}.", self._hint) from error
        return found

    def change(self, change: Callable[[Kept], Kept]) -> Kept:
        """Raises StorageError, and what `change` raises, with the file left as it was."""
        with self._alone():
            changed = change(self.read())
            self._write(changed)
        return changed

    def clear(self) -> None:
        """Nothing is left, also of a file that can't be understood."""
        with self._alone():
            self._write(self._nothing)

    def _write(self, kept: Kept) -> None:
        replace_file(self._path, json.dumps(to_plain(kept), indent=1).encode())

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """With no other process between reading and writing, where the system has such locks."""
        private_folder(self._path.parent)
        if sys.platform == "win32":
            yield
            return
        import fcntl

        with self._path.with_suffix(".lock").open("ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

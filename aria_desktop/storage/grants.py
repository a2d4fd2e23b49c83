"""Leave that was given for more than one action, kept in one small file of the data folder, 0600.

A file of its own and not the database: `aria grants` takes leave back also while the window holds the database, and
what decides reads the file anew each time. A file that can't be understood gives no leave; it is told by
`aria grants` and replaced by the next one that is given.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from aria_desktop.core.errors import StorageError
from aria_desktop.core.plain import from_plain, to_plain
from aria_desktop.safety.grants import Granted
from aria_desktop.storage.files import private_folder, replace_file, storage_error

NAME = "grants.json"
"""In the data folder."""
_MOST_BYTES = 1_000_000


class GrantFile:
    """From any thread and any process."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> Granted:
        try:
            with self._path.open("rb") as file:
                data = file.read(_MOST_BYTES + 1)
        except FileNotFoundError:
            return Granted(0.0)
        except OSError as error:
            raise storage_error("read", self._path, error) from error
        try:
            found: Granted = from_plain(Granted, json.loads(data[:_MOST_BYTES]))
        except (ValueError, TypeError, RecursionError) as error:
            raise StorageError(
                f"{self._path} can't be understood, so no leave counts.", "`aria grants revoke --all` replaces it."
            ) from error
        return found

    def change(self, change: Callable[[Granted], Granted]) -> Granted:
        with self._alone():
            changed = change(self.read())
            self._write(changed)
        return changed

    def clear(self) -> None:
        """Nothing is left, also of a file that can't be understood."""
        with self._alone():
            self._write(Granted(0.0))

    def _write(self, granted: Granted) -> None:
        replace_file(self._path, json.dumps(to_plain(granted), indent=1).encode())

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

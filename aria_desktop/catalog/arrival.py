"""How files of a model come to lie in their place, wherever they come from.

Each is written beside the place it will have, hashed on the way, compared, and only then renamed into it: under its
final name there are never bytes that were not verified. One process at a time does this for a model.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from aria_desktop.catalog.catalog import ModelEntry, ModelFile
from aria_desktop.catalog.progress import Meter, ProgressListener, Stage
from aria_desktop.catalog.space import writing_to
from aria_desktop.catalog.store import STAGING_NAME, InstalledModel, ModelStore
from aria_desktop.catalog.verification import fault, promised, seen
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import FetchFailed


@dataclass(frozen=True, slots=True)
class Arrived:
    """A model that is here and verified."""

    model: InstalledModel
    brought: tuple[str, ...]
    """The files that came in now; empty when all were here before."""


class WrongHash(Exception):
    """A file arrived that is not the promised one. It is deleted."""


class Arrival:
    """The files of one model that are missing. Use inside `alone_with`; for one thread."""

    def __init__(self, store: ModelStore, entry: ModelEntry, told: Callable[[str], None]) -> None:
        self.entry = entry
        self.folder = store.folder_of(entry.id)
        self.staging = self.folder / STAGING_NAME
        self._store, self._told = store, told
        self._hashes: dict[str, str] = {}
        self._brought: list[str] = []
        self._pins = store.pins(entry.id)

    def missing(self, report: ProgressListener, cancel: CancelToken) -> list[ModelFile]:
        """Which files still have to come. Those that are here are verified; a wrong one is deleted and counts."""
        meter = Meter(report, self.entry.id, Stage.CHECKING, "", self.entry.bytes)
        return [file for file in self.entry.files if not self._is_here(file, meter, cancel)]

    def accept(self, file: ModelFile, part: Path, sha256: str, origin: str) -> None:
        """Put `part`, which has this hash, into place. Raises WrongHash, StorageError, DiskFull."""
        must = promised(file, self._pins)
        with writing_to(self.folder):
            if must not in (None, sha256):
                part.unlink()
                words = f"has the SHA-256 {sha256} and must have {must}; it was deleted"
                raise WrongHash(f"{file.name} from {origin} {words}")
            _flush(part)
            part.replace(self.folder / file.name)
        self._arrived(file, sha256, must)
        self._brought.append(file.name)

    def has(self, file: ModelFile) -> bool:
        """Whether the file is in place and verified."""
        return file.name in self._hashes

    def finish(self) -> Arrived:
        """All files are here: record them and clean up."""
        self.keep()
        shutil.rmtree(self.staging, ignore_errors=True)
        return Arrived(self._store.model(self.entry), tuple(self._brought))

    def keep(self) -> None:
        """Record what is here so far, so that it need not be hashed again."""
        if any(name not in self._pins or self._pins[name].sha256 != value for name, value in self._hashes.items()):
            self._store.keep(self.entry, self._hashes)

    def tidy(self) -> None:
        """Remove the folders that hold nothing: a fetch that got nothing leaves nothing."""
        for folder in (*(path for path in self.staging.glob("*") if path.is_dir()), self.staging, self.folder):
            with suppress(OSError):
                folder.rmdir()

    def _is_here(self, file: ModelFile, meter: Meter, cancel: CancelToken) -> bool:
        path = self.folder / file.name
        if not path.exists():
            return False
        words = fault(self.folder, file)
        if not words:
            has, must = seen(self.folder, file, self._pins, meter, cancel).sha256, promised(file, self._pins)
            if must in (None, has):
                self._arrived(file, has, must)
                return True
            words = f"{file.name} has a wrong SHA-256"
        self._told(f"{self.entry.id}: {words}. It is deleted and fetched again.")
        with writing_to(self.folder):
            path.unlink()
        return False

    def _arrived(self, file: ModelFile, sha256: str, must: str | None) -> None:
        if must is None and file.name not in self._hashes:
            self._told(f"{self.entry.id}: the right SHA-256 of {file.name} is not known. It is pinned to {sha256}.")
        self._hashes[file.name] = sha256


@contextmanager
def alone_with(folder: Path) -> Iterator[None]:
    """Make `folder` and keep other processes from changing the same model. Raises FetchFailed, StorageError."""
    with writing_to(folder):
        folder.mkdir(parents=True, exist_ok=True)
        held = _lock(folder)
    if held is None:
        raise FetchFailed(f"Another ARIA is fetching {folder.name}.", "Wait until it is done.")
    try:
        yield
    finally:
        os.close(held)


if sys.platform == "win32":

    def _lock(folder: Path) -> int | None:
        """A file that exists as long as it is open, whatever ends the process."""
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_TEMPORARY
        try:
            return os.open(folder / ".lock", flags)
        except FileExistsError:
            return None

else:
    import fcntl

    def _lock(folder: Path) -> int | None:
        """The folder itself is locked, so nothing is left behind. The lock ends with the process."""
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return None
        except OSError:
            return descriptor  # a network disk without locks: work without one
        return descriptor


def _flush(path: Path) -> None:
    """On the disk before it has its name: a power cut must not leave a whole-looking file of zeros."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())

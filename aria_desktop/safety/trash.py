"""The app's trash: what is deleted goes there as it is, with a note of where it was. Nothing is removed for good.

One folder per deleted thing: `kept` is the thing, `entry.json` the note, written first, so that nothing ever lies
there unexplained. On the same file system the thing keeps its identity; to another one a file is copied, made
sure of, and only then removed where it was. A folder is not copied: it has to be on the trash's file system.
A file whose text is about to be replaced is copied there as well: all old bytes lie in this one place.
"""

from __future__ import annotations

import errno
import json
import os
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from aria_desktop.core.errors import AriaError, ToolFailed
from aria_desktop.safety.descriptors import put_copy, put_file, readable, sync_folder
from aria_desktop.safety.leftovers import temporary_name
from aria_desktop.safety.names import quoted
from aria_desktop.safety.renaming import rename_new

KEPT = "kept"
NOTE = "entry.json"
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Nobody may ever write to what lies there by the time it is opened.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Doomed:
    """A file or folder that is to go, by the open folder that it lies in."""

    inside: int
    part: str
    path: str
    """Relative to the workspace."""
    folder: bool
    unchanged: Callable[[os.stat_result], bool]
    """Whether a state is that of the thing which was shown."""


def new_entry_name() -> str:
    return f"{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}-{uuid.uuid4().hex[:8]}"


class Trash:
    def __init__(self, folder: Path, workspace: Path) -> None:
        """`folder` is made when it is needed; its parents too."""
        self._folder = folder
        self._workspace = workspace
        self._next = ""

    def name_next(self, name: str) -> None:
        """What is kept next gets the entry `name`, so that a record of it can be written before."""
        self._next = name

    def keep(self, doomed: Doomed) -> Callable[[], None]:
        """Move it here. Raises ToolFailed or AriaError, with nothing changed.

        Returns a function that puts it back where it was, as long as the folder it lay in is open and its name free.
        """
        entry = self._filled(doomed, "kept", lambda inside: self._moved(inside, doomed))
        sync_folder(doomed.inside)
        return lambda: self.give_back(entry.name, doomed.inside, doomed.part)

    def keep_copy(self, original: Doomed) -> None:
        """Keep a copy of a file that is about to be replaced; the file stays. Raises like `keep`."""
        self._filled(original, "copied", lambda inside: self._copied(inside, original))

    @contextmanager
    def opened(self, name: str) -> Iterator[int]:
        """The descriptor of an entry's folder, in which the thing is `KEPT`. Raises FileNotFoundError."""
        with _opened(self._folder / name) as inside:
            yield inside

    def give_back(self, name: str, inside: int, part: str) -> None:
        """Move what an entry holds to a name that is free. Raises OSError, with nothing changed."""
        entry = self._folder / name
        with _opened(entry) as kept:
            try:
                rename_new(kept, KEPT, inside, part)
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise
                self._copied_back(kept, inside, part)
            sync_folder(kept)
        sync_folder(inside)
        _forget(entry)

    def replace_by_copy(self, name: str, inside: int, part: str) -> None:
        """Put a copy of the file that an entry holds in the place of another one, with its permission bits and the
        time it was written. Raises OSError, with nothing changed."""
        with _opened(self._folder / name) as kept, _reading(kept, KEPT) as original:
            temporary = temporary_name()
            put_copy(inside, temporary, original, lambda: True)
            try:
                _keep_time(os.fstat(original), inside, temporary)
                os.replace(temporary, part, src_dir_fd=inside, dst_dir_fd=inside)
            finally:
                with suppress(FileNotFoundError):
                    os.unlink(temporary, dir_fd=inside)
        sync_folder(inside)

    def _filled(self, doomed: Doomed, why: str, fill: Callable[[int], None]) -> Path:
        entry = self._new_entry(doomed)
        try:
            with _opened(entry) as inside:
                self._note(inside, doomed, why)
                fill(inside)
                sync_folder(inside)
        except BaseException as error:
            _forget(entry)
            if isinstance(error, OSError):
                raise readable(error, doomed.path) from error
            raise
        return entry

    def _new_entry(self, doomed: Doomed) -> Path:
        name, self._next = self._next or new_entry_name(), ""
        try:
            if self._folder.resolve().is_relative_to(self._workspace):
                raise ToolFailed(
                    f"{quoted(doomed.path)} can't be deleted: the trash lies in the workspace itself.",
                    "Another folder as the workspace helps.",
                )
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            entry = self._folder / name
            entry.mkdir(mode=0o700)
            with _opened(self._folder) as all_entries:
                sync_folder(all_entries)
        except OSError as error:
            raise AriaError(
                f"The trash {self._folder} can't be used: {error.strerror}.", "Look at its rights."
            ) from error
        return entry

    def _note(self, inside: int, doomed: Doomed, why: str) -> None:
        note = {
            "workspace": str(self._workspace),
            "path": doomed.path,
            "kind": "folder" if doomed.folder else "file",
            "why": why,
            "deleted_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        }
        put_file(inside, NOTE, json.dumps(note, indent=1).encode(), 0o600)

    def _moved(self, inside: int, doomed: Doomed) -> None:
        try:
            rename_new(doomed.inside, doomed.part, inside, KEPT)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            self._moved_by_copying(inside, doomed)
            return
        if not doomed.unchanged(os.lstat(KEPT, dir_fd=inside)):
            rename_new(inside, KEPT, doomed.inside, doomed.part)
            raise ToolFailed(f"{quoted(doomed.path)} was changed meanwhile; nothing was deleted.")

    def _moved_by_copying(self, inside: int, doomed: Doomed) -> None:
        if doomed.folder:
            raise ToolFailed(
                f"{quoted(doomed.path)} can't be deleted: a folder does not fit into a trash on another disk.",
                "The files in it can be deleted one by one.",
            )
        self._copied(inside, doomed)
        try:
            if not doomed.unchanged(os.lstat(doomed.part, dir_fd=doomed.inside)):
                raise ToolFailed(f"{quoted(doomed.path)} was changed meanwhile; nothing was deleted.")
            os.unlink(doomed.part, dir_fd=doomed.inside)
        except BaseException:
            os.unlink(KEPT, dir_fd=inside)
            raise

    def _copied(self, inside: int, original: Doomed) -> None:
        with _reading(original.inside, original.part) as descriptor:
            try:
                put_copy(inside, KEPT, descriptor, lambda: original.unchanged(os.fstat(descriptor)))
                _keep_time(os.fstat(descriptor), inside, KEPT)
            except BaseException:
                with suppress(FileNotFoundError):
                    os.unlink(KEPT, dir_fd=inside)
                raise

    def _copied_back(self, kept: int, inside: int, part: str) -> None:
        with _reading(kept, KEPT) as descriptor:
            put_copy(inside, part, descriptor, lambda: True)
            _keep_time(os.fstat(descriptor), inside, part)
        os.unlink(KEPT, dir_fd=kept)


@contextmanager
def _reading(inside: int, part: str) -> Iterator[int]:
    descriptor = os.open(part, _FILE, dir_fd=inside)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _keep_time(original: os.stat_result, inside: int, part: str) -> None:
    """The copy tells the time at which the original was written."""
    times = (original.st_atime_ns, original.st_mtime_ns)
    os.utime(part, ns=times, dir_fd=inside, follow_symlinks=False)


@contextmanager
def _opened(entry: Path) -> Iterator[int]:
    descriptor = os.open(entry, _FOLDER)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _forget(entry: Path) -> None:
    """Remove an entry that holds nothing but its note; one that holds something stays."""
    with suppress(OSError):
        if not (entry / KEPT).exists():
            (entry / NOTE).unlink(missing_ok=True)
        entry.rmdir()

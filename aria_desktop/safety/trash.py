"""The app's trash: what is deleted goes there as it is, with a note of where it was. Nothing is removed for good.

One folder per deleted thing: `kept` is the thing, `entry.json` the note, written first, so that nothing ever lies
there unexplained. On the same file system the thing keeps its identity; to another one a file is copied, made
sure of, and only then removed where it was. A folder is not copied: it has to be on the trash's file system.
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


class Trash:
    def __init__(self, folder: Path, workspace: Path) -> None:
        """`folder` is made when it is needed; its parents too."""
        self._folder = folder
        self._workspace = workspace

    def keep(self, doomed: Doomed) -> Callable[[], None]:
        """Move it here. Raises ToolFailed or AriaError, with nothing changed.

        Returns a function that puts it back where it was, as long as the folder it lay in is open and its name free.
        """
        entry = self._new_entry(doomed)
        try:
            with _opened(entry) as inside:
                self._note(inside, doomed)
                self._moved(inside, doomed)
                sync_folder(inside)
        except BaseException as error:
            _forget(entry)
            if isinstance(error, OSError):
                raise readable(error, doomed.path) from error
            raise
        sync_folder(doomed.inside)
        return lambda: self._put_back(entry, doomed)

    def _new_entry(self, doomed: Doomed) -> Path:
        try:
            if self._folder.resolve().is_relative_to(self._workspace):
                raise ToolFailed(
                    f"{quoted(doomed.path)} can't be deleted: the trash lies in the workspace itself.",
                    "Another folder as the workspace helps.",
                )
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            entry = self._folder / f"{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}-{uuid.uuid4().hex[:8]}"
            entry.mkdir(mode=0o700)
        except OSError as error:
            raise AriaError(
                f"The trash {self._folder} can't be used: {error.strerror}.", "Look at its rights."
            ) from error
        return entry

    def _note(self, inside: int, doomed: Doomed) -> None:
        note = {
            "workspace": str(self._workspace),
            "path": doomed.path,
            "kind": "folder" if doomed.folder else "file",
            "deleted_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        }
        put_file(inside, NOTE, json.dumps(note, indent=1).encode(), None)

    def _moved(self, inside: int, doomed: Doomed) -> None:
        try:
            rename_new(doomed.inside, doomed.part, inside, KEPT)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            self._copied(inside, doomed)
            return
        if not doomed.unchanged(os.lstat(KEPT, dir_fd=inside)):
            rename_new(inside, KEPT, doomed.inside, doomed.part)
            raise ToolFailed(f"{quoted(doomed.path)} was changed meanwhile; nothing was deleted.")

    def _copied(self, inside: int, doomed: Doomed) -> None:
        if doomed.folder:
            raise ToolFailed(
                f"{quoted(doomed.path)} can't be deleted: a folder does not fit into a trash on another disk.",
                "The files in it can be deleted one by one.",
            )
        descriptor = os.open(doomed.part, _FILE, dir_fd=doomed.inside)
        try:
            put_copy(inside, KEPT, descriptor, lambda: doomed.unchanged(os.fstat(descriptor)))
            if not doomed.unchanged(os.lstat(doomed.part, dir_fd=doomed.inside)):
                raise ToolFailed(f"{quoted(doomed.path)} was changed meanwhile; nothing was deleted.")
            os.unlink(doomed.part, dir_fd=doomed.inside)
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(KEPT, dir_fd=inside)
            raise
        finally:
            os.close(descriptor)

    def _put_back(self, entry: Path, doomed: Doomed) -> None:
        with _opened(entry) as inside:
            try:
                rename_new(inside, KEPT, doomed.inside, doomed.part)
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise
                self._copied_back(inside, doomed)
        _forget(entry)

    def _copied_back(self, inside: int, doomed: Doomed) -> None:
        descriptor = os.open(KEPT, _FILE, dir_fd=inside)
        try:
            put_copy(doomed.inside, doomed.part, descriptor, lambda: True)
        finally:
            os.close(descriptor)
        os.unlink(KEPT, dir_fd=inside)


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

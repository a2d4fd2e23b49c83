"""The only door to the files of the workspace.

A path is never opened as a string: every folder on the way is opened from the descriptor of the one before,
without following links, on the same file system. So a name can't lead out of the workspace, and nobody can
swap a folder for a link between a check and its use. A file with a second name (a hard link) is refused, as
that name may lie outside; so is all that is no regular file.

Changes come in two steps. `plan_write` and `plan_append` look and touch nothing; what they return is shown to
the user. `apply` makes exactly that change, only if the file still is as it was shown, and wholly or not at
all.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self

from aria_desktop.core.errors import AriaError, ToolFailed
from aria_desktop.safety.descriptors import (
    PathNotRegular,
    open_folder,
    put_file,
    read_file,
    readable,
    reopened,
    sync_folder,
)
from aria_desktop.safety.names import components, quoted, refuse_new, twin
from aria_desktop.safety.texts import decoded, joined, refuse_content

LIST_LIMIT = 1_000
"""Entries of one folder that are told by name."""


class FileMissing(ToolFailed):
    code: ClassVar[str] = "file_missing"


class EntryKind(StrEnum):
    FILE = "file"
    FOLDER = "folder"
    OTHER = "other"
    """A link, a device and the like: seen, never opened."""


@dataclass(frozen=True, slots=True)
class Entry:
    name: str
    """As it is on disk, under its folder; may hold anything, so show it with `core.visible`."""
    kind: EntryKind
    size: int
    """Bytes; 0 for what is no file."""


@dataclass(frozen=True, slots=True)
class Listing:
    folder: str
    """Relative to the workspace; empty for the workspace itself."""
    entries: tuple[Entry, ...]
    """By name, the first `LIST_LIMIT`."""
    total: int
    """Of all entries, also those that are not told."""


class ChangeKind(StrEnum):
    CREATE = "create"
    OVERWRITE = "overwrite"
    APPEND = "append"


@dataclass(frozen=True, slots=True)
class Change:
    """One planned change of one text file: what is shown is what is applied."""

    kind: ChangeKind
    path: str
    """Relative to the workspace, with /."""
    full_path: str
    """Absolute; for showing only."""
    new_folders: tuple[str, ...]
    """Relative paths of folders that are made on the way, outermost first."""
    before: str | None
    """The whole text as it is now; None when there is no such file."""
    after: str
    mode: int | None
    """Permission bits that the file has and keeps; None for a new file."""


class Workspace:
    """One folder, held open. All methods may be called from any thread and raise PathRefused, ToolFailed or,
    when the disk is full, DiskFull."""

    def __init__(self, root: Path) -> None:
        """`root` is a folder that exists; if it is a link, the folder it leads to now is held from here on."""
        try:
            self.root = root.resolve(strict=True)
            self._descriptor = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            hint = "Make the folder, or choose another with --workspace."
            raise AriaError(f"The workspace {root} can't be opened: {error.strerror}.", hint) from error
        self._device = os.fstat(self._descriptor).st_dev

    def close(self) -> None:
        """Any number of times. Later calls of other methods fail."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def listing(self, folder: str = ".") -> Listing:
        """What lies directly in `folder`."""
        parts = self._located(folder)
        with self._opened(parts, folder) as inside, os.scandir(inside) as found:
            items = sorted(found, key=lambda item: item.name)
            entries = tuple(_entry(item) for item in items[:LIST_LIMIT])
        return Listing("/".join(parts), entries, len(items))

    def read_text(self, name: str) -> str:
        """The whole file, line ends as they are. FileMissing; ToolFailed when it is no UTF-8 text or too large."""
        text = self.text_or_none(name)
        if text is None:
            raise FileMissing(f"There is no file {quoted('/'.join(self._located(name)))} in the workspace.")
        return text

    def text_or_none(self, name: str) -> str | None:
        """Like `read_text`, but None when there is no such file."""
        found = self._found(self._located_file(name), name)
        return found[0] if found else None

    def plan_write(self, name: str, content: str) -> Change:
        """A new file with `content`, or all of an existing file replaced by it."""
        parts = self._located_file(name)
        refuse_new(parts)
        found = self._found(parts, name)
        if found is None:
            return self._change(ChangeKind.CREATE, parts, None, content, None, self._new_folders(parts))
        return self._change(ChangeKind.OVERWRITE, parts, found[0], content, found[1])

    def plan_append(self, name: str, content: str) -> Change:
        """`content` on lines of its own at the end of an existing file, with that file's line ends."""
        parts = self._located_file(name)
        refuse_new(parts)
        found = self._found(parts, name)
        if found is None:
            raise FileMissing(f"There is no file {quoted('/'.join(parts))} in the workspace to add to.")
        return self._change(ChangeKind.APPEND, parts, found[0], joined(found[0], content), found[1])

    def apply(self, change: Change) -> None:
        """Make the change. Raises ToolFailed, with nothing changed, when the file is no longer as it was shown."""
        parts = components(change.path)
        made: list[str] = []
        try:
            with self._opened(parts[:-1], change.path, made) as inside:
                found = self._found_at(inside, parts[-1], change.path)
                if (found[0] if found else None) != change.before:
                    raise ToolFailed(f"{quoted(change.path)} was changed meanwhile; nothing was written.")
                put_file(inside, parts[-1], change.after.encode(), change.mode)
        except BaseException as error:
            self._remove_empty(made)
            if isinstance(error, OSError):
                raise readable(error, change.path) from error
            raise

    def _change(
        self,
        kind: ChangeKind,
        parts: tuple[str, ...],
        before: str | None,
        after: str,
        mode: int | None,
        new_folders: tuple[str, ...] = (),
    ) -> Change:
        path = "/".join(parts)
        refuse_content(after, path)
        if before == after:
            raise ToolFailed(f"{quoted(path)} holds exactly this text already; nothing has to be changed.")
        return Change(kind, path, str(self.root.joinpath(*parts)), new_folders, before, after, mode)

    def _new_folders(self, parts: tuple[str, ...]) -> tuple[str, ...]:
        """The folders that a new file needs and that are not there yet.

        Refuses a name that differs from an existing one only in a way that some systems don't see.
        """
        inside, missing = self._descend(parts[:-1], "/".join(parts))
        try:
            with os.scandir(inside) as found:
                other = twin((*missing, parts[-1])[0], frozenset(item.name for item in found))
        finally:
            os.close(inside)
        if other:
            raise ToolFailed(f"There is {quoted(other)} already, which is the same name on many systems.")
        return tuple("/".join(parts[:depth]) for depth in range(len(parts) - len(missing), len(parts)))

    def _located(self, name: str) -> tuple[str, ...]:
        """`name` as components. The workspace's own name in front ("output/a.txt" for output/) is dropped unless
        something inside has that name."""
        parts = components(name)
        if len(parts) < 2 or parts[0] != self.root.name:
            return parts
        try:
            os.lstat(parts[0], dir_fd=self._descriptor)
        except FileNotFoundError:
            return parts[1:]
        return parts

    def _located_file(self, name: str) -> tuple[str, ...]:
        parts = self._located(name)
        if not parts or name.endswith(("/", "/.")):
            raise PathNotRegular(f"{quoted(name)} names a folder, and a file is needed.")
        return parts

    @contextmanager
    def _opened(self, folders: tuple[str, ...], name: str, made: list[str] | None = None) -> Iterator[int]:
        """The descriptor of a folder. With `made`, missing folders are made, and their paths added to it."""
        inside, missing = self._descend(folders, name)
        try:
            for depth in range(len(folders) - len(missing), len(folders)):
                if made is None:
                    raise FileMissing(f"There is no folder {quoted('/'.join(folders))} in the workspace.")
                os.mkdir(folders[depth], dir_fd=inside)
                made.append("/".join(folders[: depth + 1]))
                sync_folder(inside)
                inside = self._step(inside, folders[depth], name)
            yield inside
        finally:
            os.close(inside)

    def _descend(self, folders: tuple[str, ...], name: str) -> tuple[int, tuple[str, ...]]:
        """Open as many of `folders` as there are: the last one's descriptor, which the caller closes, and the rest."""
        inside = reopened(self._descriptor, name)
        for depth, part in enumerate(folders):
            try:
                inside = self._step(inside, part, name)
            except FileNotFoundError:
                return inside, folders[depth:]
            except BaseException:
                os.close(inside)
                raise
        return inside, ()

    def _step(self, outer: int, part: str, name: str) -> int:
        """Open the folder `part` and close `outer`, which stays open when this raises."""
        inner = open_folder(outer, part, name, self._device)
        os.close(outer)
        return inner

    def _found(self, parts: tuple[str, ...], name: str) -> tuple[str, int] | None:
        """The file's text and permission bits; None when there is no such file."""
        inside, missing = self._descend(parts[:-1], name)
        try:
            return None if missing else self._found_at(inside, parts[-1], name)
        finally:
            os.close(inside)

    def _found_at(self, inside: int, part: str, name: str) -> tuple[str, int] | None:
        try:
            content, mode = read_file(inside, part, name, self._device)
        except FileNotFoundError:
            return None
        return decoded(content, name), mode

    def _remove_empty(self, made: list[str]) -> None:
        """Take back the folders that a failed change has made."""
        for path in reversed(made):
            *outer, last = path.split("/")
            with suppress(AriaError, OSError), self._opened(tuple(outer), path) as inside:
                os.rmdir(last, dir_fd=inside)


def _entry(item: os.DirEntry[str]) -> Entry:
    if item.is_dir(follow_symlinks=False):
        return Entry(item.name, EntryKind.FOLDER, 0)
    if item.is_file(follow_symlinks=False):
        return Entry(item.name, EntryKind.FILE, item.stat(follow_symlinks=False).st_size)
    return Entry(item.name, EntryKind.OTHER, 0)

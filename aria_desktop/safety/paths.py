"""The only door to the files of the workspace.

A path is never opened as a string: every folder on the way is opened from the descriptor of the one before,
without following links, on the same file system. So a name can't lead out of the workspace, and nobody can
swap a folder for a link between a check and its use. A file with a second name (a hard link) is refused, as
that name may lie outside; so is all that is no regular file.

Changes come in two steps. The `plan_` methods look and touch nothing; what they return is shown to the user.
`apply` (texts) and `carry_out` (whole files and folders) make exactly that change, only if what it is about
still is as it was shown, and wholly or not at all.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Self

from aria_desktop.core.errors import ToolFailed
from aria_desktop.safety.carrying import Carrier
from aria_desktop.safety.descriptors import put_file, read_file
from aria_desktop.safety.door import Door, FileMissing
from aria_desktop.safety.entries import Entry, EntryKind, entry_of, folder_of, kind_at, walked
from aria_desktop.safety.leftovers import sweep
from aria_desktop.safety.names import components, quoted, refuse_new
from aria_desktop.safety.placements import Placement, PlacementKind, Placements
from aria_desktop.safety.texts import Encoding, Text, decoded, joined, refuse_content
from aria_desktop.safety.trash import Trash

__all__ = [
    "Change",
    "ChangeKind",
    "Entry",
    "EntryKind",
    "FileMissing",
    "Listing",
    "Placement",
    "PlacementKind",
    "Workspace",
]

LIST_LIMIT = 1_000
"""Entries of one folder that are told by name."""


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
    EDIT = "edit"
    """One place of the text becomes another."""


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
    encoding: Encoding = Encoding.UTF_8
    """Of the text after the change."""


class Workspace:
    """One folder, held open. All methods may be called from any thread and raise PathRefused, ToolFailed or,
    when the disk is full, DiskFull."""

    def __init__(self, root: Path, trash: Path | None = None) -> None:
        """
        Args:
            root: a folder that exists; if it is a link, the folder it leads to now is held from here on.
            trash: where deleted files go, outside of `root`; made when it is needed. Without one nothing is deleted.
        """
        self._door = Door(root)
        self.root = self._door.root
        kept = Trash(trash, self.root) if trash is not None else None
        self._placements = Placements(self._door, kept)
        self._carrier = Carrier(self._door, kept)

    @property
    def identity(self) -> tuple[int, int]:
        """Device and inode of the folder that is held open, whatever has its name now."""
        return self._door.identity

    def close(self) -> None:
        """Any number of times. Later calls of other methods fail."""
        self._door.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def listing(self, folder: str = ".") -> Listing:
        """What lies directly in `folder`."""
        parts = self._door.located(folder)
        with self._door.opened(parts, folder) as inside, os.scandir(inside) as found:
            items = sorted(found, key=lambda item: item.name)
            entries = tuple(entry_of(item) for item in items[:LIST_LIMIT])
        return Listing("/".join(parts), entries, len(items))

    def entries(self) -> Iterator[Entry]:
        """All files and folders that don't hide themselves, by their paths, folder by folder; bounded in depth."""
        return walked(self._door)

    def kind_of(self, name: str) -> EntryKind | None:
        """What has the name; None when nothing has."""
        return kind_at(self._door, self._door.located(name), name)

    def read_text(self, name: str) -> str:
        """The whole file, line ends as they are. FileMissing; ToolFailed when it is no text or too large."""
        text = self.text_or_none(name)
        if text is None:
            raise FileMissing(f"There is no file {quoted('/'.join(self._door.located(name)))} in the workspace.")
        return text

    def text_or_none(self, name: str) -> str | None:
        """Like `read_text`, but None when there is no such file."""
        found = self._found(self._door.located_file(name), name)
        return found[0].text if found else None

    def plan_write(self, name: str, content: str) -> Change:
        """A new file with `content`, or all of an existing file replaced by it."""
        parts = self._door.located_file(name)
        refuse_new(parts)
        found = self._found(parts, name)
        if found is None:
            fresh = Text(content, Encoding.UTF_8)
            return self._change(ChangeKind.CREATE, parts, None, fresh, None, self._door.new_folders(parts))
        return self._change(ChangeKind.OVERWRITE, parts, found[0].text, Text(content, Encoding.UTF_8), found[1])

    def plan_append(self, name: str, content: str) -> Change:
        """`content` on lines of its own at the end of an existing file, with that file's line ends."""
        parts, text, mode = self._existing(name, "to add to")
        after = Text(joined(text.text, content), text.encoding)
        return self._change(ChangeKind.APPEND, parts, text.text, after, mode)

    def plan_edit(self, name: str, before: str, after: str) -> Change:
        """The text of an existing file, which is `before`, becomes `after`, in the encoding that it has."""
        parts, text, mode = self._existing(name, "to change")
        if text.text != before:
            raise ToolFailed(f"{quoted('/'.join(parts))} was changed meanwhile.")
        return self._change(ChangeKind.EDIT, parts, before, Text(after, text.encoding), mode)

    def apply(self, change: Change) -> None:
        """Make the change. Raises ToolFailed, with nothing changed, when the file is no longer as it was shown."""
        parts = components(change.path)
        with self._door.changing(parts[:-1], change.path) as inside:
            sweep(inside)
            found = self._found_at(inside, parts[-1], change.path)
            if (found[0].text if found else None) != change.before:
                raise ToolFailed(f"{quoted(change.path)} was changed meanwhile; nothing was written.")
            put_file(inside, parts[-1], change.after.encode(change.encoding), change.mode)

    def plan_move(self, source: str, destination: str) -> Placement:
        """A file or folder gets the name `destination`, or goes into it when that is a folder or ends in "/"."""
        return self._placements.planned(PlacementKind.MOVE, source, destination)

    def plan_copy(self, source: str, destination: str) -> Placement:
        """Like a move, but the source stays. Files only."""
        return self._placements.planned(PlacementKind.COPY, source, destination)

    def plan_delete(self, name: str) -> Placement:
        """A file, or a folder with all that is in it, goes to the trash."""
        return self._placements.planned_deletion(name)

    def plan_folder(self, name: str) -> Placement:
        """A new folder, with those it has to lie in."""
        return self._placements.planned_folder(name)

    def carry_out(self, placement: Placement) -> None:
        """Do it. Raises ToolFailed, with nothing changed, when anything is no longer as it was shown."""
        self._carrier.carry_out(placement)

    def fault(self, placement: Placement) -> str:
        """What on disk is not as the carried out `placement` should have left it, as a sentence; empty when all is."""
        return self._placements.fault(placement)

    def _change(
        self,
        kind: ChangeKind,
        parts: tuple[str, ...],
        before: str | None,
        after: Text,
        mode: int | None,
        new_folders: tuple[str, ...] = (),
    ) -> Change:
        path = "/".join(parts)
        refuse_content(after.text, path, after.encoding)
        if before == after.text:
            raise ToolFailed(f"{quoted(path)} holds exactly this text already; nothing has to be changed.")
        full_path = str(self.root.joinpath(*parts))
        return Change(kind, path, full_path, new_folders, before, after.text, mode, after.encoding)

    def _existing(self, name: str, what_for: str) -> tuple[tuple[str, ...], Text, int]:
        """A file that may be changed, with its text and permission bits."""
        parts = self._door.located_file(name)
        refuse_new(parts)
        found = self._found(parts, name)
        if found is None:
            raise FileMissing(f"There is no file {quoted('/'.join(parts))} in the workspace {what_for}.")
        return parts, *found

    def _found(self, parts: tuple[str, ...], name: str) -> tuple[Text, int] | None:
        """The file's text and permission bits; None when there is no such file."""
        with folder_of(self._door, parts, name) as inside:
            return None if inside is None else self._found_at(inside, parts[-1], name)

    def _found_at(self, inside: int, part: str, name: str) -> tuple[Text, int] | None:
        try:
            content, mode = read_file(inside, part, name, self._door.device)
        except FileNotFoundError:
            return None
        return decoded(content, name), mode

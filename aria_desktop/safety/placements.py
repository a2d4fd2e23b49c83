"""Planned changes of place of whole files and folders: moved, copied, deleted (to the trash) or made.

Planning touches nothing and notes what was seen: which file it is, its size and age, all that is in a folder.
`carrying` compares that again, and does what was planned.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

from aria_desktop.core.errors import PathRefused, ToolFailed
from aria_desktop.safety.descriptors import PathNotRegular, read_file
from aria_desktop.safety.door import Door, FileMissing
from aria_desktop.safety.entries import EntryKind, kind_at
from aria_desktop.safety.names import components, quoted, refuse_new, refuse_protected
from aria_desktop.safety.seen import Seen, seen_at
from aria_desktop.safety.texts import decoded
from aria_desktop.safety.trash import Trash

COPY_LIMIT = 200_000_000
"""Bytes of a file that is copied."""


class PlacementKind(StrEnum):
    MOVE = "move"
    COPY = "copy"
    DELETE = "delete"
    FOLDER = "folder"
    """A new folder."""


@dataclass(frozen=True, slots=True)
class Placement:
    """One planned change of place: what is shown is what is carried out. Paths are relative, with /."""

    kind: PlacementKind
    source: str
    """Empty for a new folder."""
    destination: str
    """Empty for what is deleted."""
    full_path: str
    """Absolute, of the source, or of the new folder; for showing only."""
    new_folders: tuple[str, ...] = ()
    """Relative paths of folders that are made on the way, outermost first."""
    seen: Seen | None = None
    """What the source is; None for a new folder."""
    lost: Seen | None = None
    """What is at the destination now and is replaced."""
    source_text: str | None = None
    """For showing; None when it is no text, or not needed."""
    lost_text: str | None = None


class Placements:
    """The part of the workspace's door that plans changes of place; what its methods promise is said there."""

    def __init__(self, door: Door, trash: Trash | None) -> None:
        self._door = door
        self._trash = trash

    def planned(self, kind: PlacementKind, source: str, destination: str) -> Placement:
        parts, seen = self._source(source)
        if kind is PlacementKind.COPY:
            _refuse_copy(seen, "/".join(parts))
        target = self._target(parts, destination)
        if seen.kind is EntryKind.FOLDER and target[: len(parts)] == parts and target != parts:
            raise ToolFailed(f"{quoted('/'.join(parts))} can't be moved into itself.")
        refuse_new(target)
        refuse_protected_inside(parts, seen)
        refuse_protected_inside(target, seen)
        lost = self._lost(seen, target)
        lost_text = self._text(target, destination) if lost else None
        renamed_here = kind is PlacementKind.MOVE and parts[:-1] == target[:-1]
        new_folders = () if lost else self._door.new_folders(target, but=parts[-1] if renamed_here else "")
        return Placement(
            kind=kind,
            source="/".join(parts),
            destination="/".join(target),
            full_path=self._full(parts),
            new_folders=new_folders,
            seen=seen,
            lost=lost,
            # Alone it would look like the text of a new file.
            source_text=self._text(parts, source) if lost_text is not None else None,
            lost_text=lost_text,
        )

    def planned_deletion(self, name: str) -> Placement:
        if self._trash is None:
            raise ToolFailed("Nothing can be deleted here: there is no trash to put it into.")
        parts, seen = self._source(name)
        refuse_protected_inside(parts, seen)
        text = self._text(parts, name) if seen.kind is EntryKind.FILE else None
        return Placement(PlacementKind.DELETE, "/".join(parts), "", self._full(parts), seen=seen, source_text=text)

    def planned_folder(self, name: str) -> Placement:
        parts = self._door.located(name)
        if not parts:
            raise ToolFailed("The new folder needs a name.")
        refuse_new(parts)
        there = kind_at(self._door, parts, name)
        if there is not None:
            what = "folder" if there is EntryKind.FOLDER else "file"
            raise ToolFailed(f"There is a {what} {quoted('/'.join(parts))} already; nothing was made.")
        new_folders = self._door.new_folders(parts)
        return Placement(PlacementKind.FOLDER, "", "/".join(parts), self._full(parts), new_folders)

    def fault(self, placement: Placement) -> str:
        if placement.kind in (PlacementKind.MOVE, PlacementKind.DELETE) and self._still_there(placement):
            return f"{quoted(placement.source)} is still there, or there again."
        if not placement.destination:
            return ""
        found = seen_at(self._door, components(placement.destination), placement.destination)
        if found is None:
            return f"There is no {quoted(placement.destination)} now, though it was made."
        seen = placement.seen
        if seen is not None and (found.kind, found.size) != (seen.kind, seen.size):
            return f"{quoted(placement.destination)} is there, but it is not what {quoted(placement.source)} was."
        return ""

    def _still_there(self, placement: Placement) -> bool:
        """Where upper and lower case are the same, a file keeps its old name when only its case was changed."""
        same = placement.source.casefold() == placement.destination.casefold()
        return not same and kind_at(self._door, components(placement.source), placement.source) is not None

    def _source(self, name: str) -> tuple[tuple[str, ...], Seen]:
        parts = self._door.located(name)
        if not parts:
            raise PathRefused("The workspace itself is not moved, copied or deleted.")
        refuse_protected(parts)
        seen = seen_at(self._door, parts, name)
        if seen is None:
            raise FileMissing(f"There is no file or folder {quoted('/'.join(parts))} in the workspace.")
        if name.endswith("/") and seen.kind is EntryKind.FILE:
            raise PathNotRegular(f"{quoted('/'.join(parts))} is a file, not a folder.")
        return parts, seen

    def _target(self, source: tuple[str, ...], destination: str) -> tuple[str, ...]:
        if not destination.strip():
            raise ToolFailed("The destination is empty.")
        parts = self._door.located(destination)
        into = destination.endswith(("/", "/.")) or kind_at(self._door, parts, destination) is EntryKind.FOLDER
        target = (*parts, source[-1]) if into else parts
        if source in (target, parts):
            raise ToolFailed(f"{quoted('/'.join(source))} is there already; nothing has to be changed.")
        return target

    def _lost(self, seen: Seen, target: tuple[str, ...]) -> Seen | None:
        """The file that would be replaced. Folders neither replace nor are replaced."""
        path = "/".join(target)
        lost = seen_at(self._door, target, path)
        if lost is not None and EntryKind.FOLDER in (lost.kind, seen.kind):
            raise ToolFailed(f"There is {quoted(path)} already; nothing was changed.")
        return lost

    def _text(self, parts: tuple[str, ...], name: str) -> str | None:
        with suppress(ToolFailed, FileNotFoundError), self._door.opened(parts[:-1], name) as inside:
            return decoded(read_file(inside, parts[-1], name, self._door.device)[0], name).text
        return None

    def _full(self, parts: tuple[str, ...]) -> str:
        return str(self._door.root.joinpath(*parts))


def refuse_protected_inside(place: tuple[str, ...], seen: Seen) -> None:
    """Raise PathProtected when anything in a folder is, or would be at `place`, a file that is obeyed later."""
    for inner in seen.inside:
        refuse_protected((*place, *inner.rstrip("/").split("/")))


def _refuse_copy(seen: Seen, path: str) -> None:
    if seen.kind is EntryKind.FOLDER:
        raise PathNotRegular(f"{quoted(path)} is a folder, and only files are copied.")
    if seen.size > COPY_LIMIT:
        raise ToolFailed(f"{quoted(path)} is too large to copy: {seen.size:,} bytes, and {COPY_LIMIT:,} are the limit.")

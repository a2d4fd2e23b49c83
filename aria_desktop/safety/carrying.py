"""Planned changes of place, carried out: only if everything still is as it was shown, and wholly or not at all.

What is overwritten goes to the trash first, and back when the rest fails; a name that is taken by then is never
overwritten. A file or folder that was moved is looked at once more under its new name, and moved back when it is
another one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from aria_desktop.core.errors import ToolFailed
from aria_desktop.safety.descriptors import open_file, put_copy, sync_folder
from aria_desktop.safety.door import Door
from aria_desktop.safety.entries import EntryKind
from aria_desktop.safety.leftovers import sweep
from aria_desktop.safety.names import components, quoted
from aria_desktop.safety.placements import Placement, PlacementKind
from aria_desktop.safety.renaming import rename_new
from aria_desktop.safety.seen import Seen, is_same, seen_at
from aria_desktop.safety.trash import Doomed, Trash


class Carrier:
    """The part of the workspace's door that carries out what `placements` has planned."""

    def __init__(self, door: Door, trash: Trash | None) -> None:
        self._door = door
        self._trash = trash

    def carry_out(self, placement: Placement) -> None:
        match placement.kind:
            case PlacementKind.MOVE:
                self._move(placement)
            case PlacementKind.COPY:
                self._copy(placement)
            case PlacementKind.DELETE:
                self._delete(placement)
            case PlacementKind.FOLDER:
                self._make(placement)

    def _move(self, placement: Placement) -> None:
        with self._both(placement) as (outer, part, inside, name), self._made_room(placement, inside):
            rename_new(outer, part, inside, name)
            if not is_same(placement.seen, os.lstat(name, dir_fd=inside)):
                rename_new(inside, name, outer, part)
                raise _changed(placement.source)
            sync_folder(inside)
            sync_folder(outer)

    def _copy(self, placement: Placement) -> None:
        with self._both(placement) as (outer, part, inside, name):
            descriptor, _ = open_file(outer, part, placement.source, self._door.device)
            try:
                with self._made_room(placement, inside):
                    put_copy(inside, name, descriptor, lambda: is_same(placement.seen, os.fstat(descriptor)))
            finally:
                os.close(descriptor)

    def _delete(self, placement: Placement) -> None:
        assert self._trash is not None, "no deletion is planned without a trash"
        parts = components(placement.source)
        self._refuse_changed(placement.source, placement.seen)
        with self._door.opened(parts[:-1], placement.source) as inside:
            sweep(inside)
            self._trash.keep(_doomed(inside, placement.source, placement.seen))

    def _make(self, placement: Placement) -> None:
        parts = components(placement.destination)
        with self._door.changing(parts[:-1], placement.destination) as inside:
            os.mkdir(parts[-1], dir_fd=inside)
            sync_folder(inside)

    @contextmanager
    def _both(self, placement: Placement) -> Iterator[tuple[int, str, int, str]]:
        """Folder and name of the source and of the destination, after a look at the source."""
        parts, target = components(placement.source), components(placement.destination)
        self._refuse_changed(placement.source, placement.seen)
        with (
            self._door.opened(parts[:-1], placement.source) as outer,
            self._door.changing(target[:-1], placement.destination) as inside,
        ):
            sweep(inside)
            yield outer, parts[-1], inside, target[-1]

    @contextmanager
    def _made_room(self, placement: Placement, inside: int) -> Iterator[None]:
        """The file that is replaced is out of the way in the body, and back when the body fails."""
        if placement.lost is None:
            yield
            return
        self._refuse_changed(placement.destination, placement.lost)
        put_back = self._set_aside(inside, placement)
        try:
            yield
        except BaseException as error:
            try:
                put_back()
            except OSError:
                what = quoted(placement.destination)
                raise ToolFailed(
                    f"It did not work, and {what} could not be put back: it is in ARIA's trash."
                ) from error
            raise

    def _set_aside(self, inside: int, placement: Placement) -> Callable[[], None]:
        if self._trash is None:
            raise ToolFailed(f"There is {quoted(placement.destination)} already, and no trash to put it into.")
        return self._trash.keep(_doomed(inside, placement.destination, placement.lost))

    def _refuse_changed(self, path: str, seen: Seen | None) -> None:
        if seen_at(self._door, components(path), path) != seen:
            raise _changed(path)


def _doomed(inside: int, path: str, seen: Seen | None) -> Doomed:
    folder = seen is not None and seen.kind is EntryKind.FOLDER
    return Doomed(inside, path.split("/")[-1], path, folder, lambda state: is_same(seen, state))


def _changed(path: str) -> ToolFailed:
    return ToolFailed(f"{quoted(path)} was changed meanwhile; nothing was done.")

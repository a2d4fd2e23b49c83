"""What a command changed, read from the layer that took it, beside what lies in the workspace. Touches neither.

The layer was filled by a command, so nothing in it is trusted: no link is followed, nothing but regular files is
opened, and number, size and depth are bounded. What the file door would not make, change or take away is left out here
already, by name and with the reason, so that all that is shown is what will happen. The layer has the form that Linux
gives the upper folder of an overlay (Documentation/filesystems/overlayfs.rst): a device 0/0 stands for something
deleted, and a folder that hides what lies below it is marked as opaque; in a namespace of its own, for root too, the
mark is `user.overlay.opaque`.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import AriaError, PathRefused, ToolFailed
from aria_desktop.safety.descriptors import PathIsLink, PathNotRegular, read_file
from aria_desktop.safety.door import Door
from aria_desktop.safety.entries import EntryKind, folder_of, kind_at, state_in
from aria_desktop.safety.journal_tree import Item, print_of, things_at
from aria_desktop.safety.leftovers import is_leftover
from aria_desktop.safety.names import components, folded, quoted, refuse_new, refuse_protected
from aria_desktop.safety.seen import seen_at
from aria_desktop.safety.staged import Changed, ChangedKind, LeftOut, Staged, TooMuchChanged
from aria_desktop.safety.texts import SIZE_LIMIT, decoded

MOST_CHANGES = 1_000
"""Of one command, with what is left out; nobody reads more before answering."""
MOST_BYTES = 512 << 20
"""Of all files that are made or changed, with the holes in them: what is kept is copied whole."""
SHOWN_CHARACTERS = 1_000_000
"""Of the texts of all files together; files beyond are told by their size."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | getattr(os, "O_NOFOLLOW", 0)
_FILE = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_OPAQUE = "user.overlay.opaque"
_OTHER_RIGHTS = stat.S_ISUID | stat.S_ISGID


def read_staged(changes: Path, door: Door, cancel: CancelToken) -> Staged:
    """What the layer says, compared with the workspace. Nothing of the command may run any more.

    Raises TooMuchChanged, Cancelled, and AriaError when the workspace or the layer can't be read at all.
    """
    reading = _Reading(door, cancel)
    try:
        changes.chmod(stat.S_IRWXU)
        top = os.open(changes, _FOLDER)
        try:
            reading.folder(top, (), over=True, opaque=_is_opaque(top))
        finally:
            os.close(top)
    except OSError as error:
        raise AriaError(f"What the command changed can't be read: {error.strerror}.") from error
    return reading.ended()


@dataclass(frozen=True, slots=True)
class _There:
    """A file of the workspace."""

    item: Item
    size: int

    @property
    def print(self) -> str:
        return print_of({"": self.item})


class _Reading:
    def __init__(self, door: Door, cancel: CancelToken) -> None:
        self._door = door
        self._cancel = cancel
        self._found: list[Changed] = []
        self._left_out: list[LeftOut] = []
        self._not_made: set[str] = set()
        """Prints of files that would have been made or changed and are left out."""
        self._room = SHOWN_CHARACTERS
        self._bytes = 0

    def folder(self, layer: int, parts: tuple[str, ...], *, over: bool, opaque: bool) -> None:
        """
        Args:
            layer: descriptor of a folder of the layer.
            over: whether the workspace has the folder too.
            opaque: whether that one's files are hidden by it.
        """
        names = _names_in(layer)
        there = self._names(parts) if over else []
        deleted = [name for name in names if _is_whiteout(os.lstat(name, dir_fd=layer))]
        gone = {*deleted, *(set(there) - set(names) if opaque else ())}
        taken = {folded(name): name for name in there if name not in gone}
        for name in names:
            if name not in deleted:
                self._entry(layer, (*parts, name), taken.setdefault(folded(name), name), over=over, opaque=opaque)
        for name in sorted(gone) if over else ():
            self._delete((*parts, name))

    def ended(self) -> Staged:
        """All there is, put together: what was left out under a new name stays under the old one, and what has the
        same bytes under another name was moved."""
        kept = {c.path for c in self._found if c.kind is ChangedKind.DELETED and c.before in self._not_made}
        for path in sorted(kept):
            self._leave_out(path, f"{quoted(path)} stays, as what it became is left out.")
        found = [c for c in self._found if c.path not in kept and not _holds(c, kept)]
        order = list(ChangedKind)
        deepest_first = {ChangedKind.FOLDER_DELETED: -1}
        found = sorted(
            _moved(found), key=lambda c: (order.index(c.kind), deepest_first.get(c.kind, 1) * c.path.count("/"), c.path)
        )
        return Staged(tuple(found), tuple(self._left_out))

    def _entry(self, layer: int, parts: tuple[str, ...], holder: str, *, over: bool, opaque: bool) -> None:
        """
        Args:
            holder: the name in the same folder that some system can't tell from this one; this one's own, if none.
        """
        path = "/".join(parts)
        state = os.lstat(parts[-1], dir_fd=layer)
        try:
            refuse_new(components(path))
            if is_leftover(parts[-1]):
                raise ToolFailed(f"{quoted(path)} is not made: ARIA uses such names itself.")
            there = kind_at(self._door, parts, path) if over else None
            if there is None and holder != parts[-1]:
                raise ToolFailed(f"{quoted(path)} is not made: on many systems it is the same as {quoted(holder)}.")
            if stat.S_ISDIR(state.st_mode):
                self._folder(layer, parts, state, there, opaque=opaque)
            elif stat.S_ISREG(state.st_mode):
                self._file(layer, parts, state, there)
            elif stat.S_ISLNK(state.st_mode):
                raise PathIsLink(f"{quoted(path)} is a link, and no link is made.")
            else:
                raise PathNotRegular(f"{quoted(path)} is a device or the like, and none is made.")
        except (PathRefused, ToolFailed, OSError) as error:
            self._leave_out(path, _reason(error, path))
            self._note_not_made(layer, parts[-1])

    def _folder(
        self, layer: int, parts: tuple[str, ...], state: os.stat_result, there: EntryKind | None, *, opaque: bool
    ) -> None:
        path, mode = "/".join(parts), stat.S_IMODE(state.st_mode) & 0o777
        fresh = there is not EntryKind.FOLDER
        if fresh:
            if there is not None:
                self._make_room(parts)
            self._add(Changed(ChangedKind.FOLDER_MADE, path, mode=mode | stat.S_IRWXU))
        elif (was := self._state(parts)) is not None and stat.S_IMODE(was.st_mode) & 0o777 != mode:
            self._leave_out(path, f"The rights of the folder {quoted(path)} stay as they are.")
        with _opened(layer, parts[-1], mode) as inner:
            self.folder(inner, parts, over=not fresh, opaque=opaque or _is_opaque(inner))

    def _file(self, layer: int, parts: tuple[str, ...], state: os.stat_result, there: EntryKind | None) -> None:
        path, name = "/".join(parts), parts[-1]
        if state.st_mode & _OTHER_RIGHTS:
            raise ToolFailed(
                f"{quoted(path)} would run with the rights of its owner or group, and no such file is made."
            )
        after = print_of(things_at(layer, name, path))
        mode = stat.S_IMODE(state.st_mode) & 0o777
        if there is EntryKind.FOLDER:
            self._make_room(parts)
        if there is None or there is EntryKind.FOLDER:
            new = self._shown(self._text_in_layer(layer, name, state))
            made = Changed(ChangedKind.MADE, path, after=after, mode=mode, size=state.st_size, new=new)
            self._add(made)
            return
        was = self._there(parts)
        if was.print == after and was.item.mode == mode:
            return
        kind = ChangedKind.RIGHTS if was.print == after else ChangedKind.CHANGED
        change = Changed(kind, path, "", was.print, after, was.item.mode, mode, was.size, state.st_size)
        if kind is ChangedKind.CHANGED:
            new = self._text_in_layer(layer, name, state)
            old = self._text_there(parts) if new is not None else None
            change = replace(change, old=self._shown(old), new=self._shown(new) if old is not None else None)
        self._add(change)

    def _delete(self, parts: tuple[str, ...]) -> bool:
        """Whether all that the workspace has there would be gone."""
        path = "/".join(parts)
        try:
            state = self._state(parts)
            if state is None:
                return True
            refuse_protected(components(path))
            if stat.S_ISDIR(state.st_mode):
                gone = [self._delete((*parts, name)) for name in self._names(parts)]
                if not all(gone):
                    return False
                mode = stat.S_IMODE(state.st_mode) & 0o777
                self._add(Changed(ChangedKind.FOLDER_DELETED, path, was_mode=mode))
                return True
            was = self._there(parts)
        except (PathRefused, ToolFailed, OSError) as error:
            self._leave_out(path, _reason(error, path))
            return False
        old = self._shown(self._text_there(parts))
        mode = was.item.mode
        self._add(Changed(ChangedKind.DELETED, path, before=was.print, was_mode=mode, was_size=was.size, old=old))
        return True

    def _make_room(self, parts: tuple[str, ...]) -> None:
        if not self._delete(parts):
            raise ToolFailed(f"{quoted('/'.join(parts))} can't take the place of what is there.")

    def _there(self, parts: tuple[str, ...]) -> _There:
        """Raises PathRefused for what is no plain file with one name."""
        path = "/".join(parts)
        seen = seen_at(self._door, parts, path)
        with self._door.opened(parts[:-1], path) as inside:
            things = things_at(inside, parts[-1], path)
        if seen is None or not things:
            raise ToolFailed(f"{quoted(path)} was changed meanwhile.")
        return _There(things[""], seen.size)

    def _state(self, parts: tuple[str, ...]) -> os.stat_result | None:
        with folder_of(self._door, parts, "/".join(parts)) as inside:
            return state_in(inside, parts[-1])

    def _names(self, parts: tuple[str, ...]) -> list[str]:
        with self._door.opened(parts, "/".join(parts)) as inside:
            return _names_in(inside)

    def _text_there(self, parts: tuple[str, ...]) -> str | None:
        path = "/".join(parts)
        with suppress(AriaError, OSError), self._door.opened(parts[:-1], path) as inside:
            return decoded(read_file(inside, parts[-1], path, self._door.device)[0], path).text
        return None

    def _text_in_layer(self, layer: int, name: str, state: os.stat_result) -> str | None:
        if state.st_size > SIZE_LIMIT:
            return None
        with suppress(ToolFailed, OSError):
            descriptor = os.open(name, _FILE, dir_fd=layer)
            with os.fdopen(descriptor, "rb") as file:
                return decoded(file.read(SIZE_LIMIT + 1), name).text
        return None

    def _shown(self, text: str | None) -> str | None:
        if text is None or len(text) > self._room:
            return None
        self._room -= len(text)
        return text

    def _add(self, change: Changed) -> None:
        self._found.append(change)
        self._bytes += change.size
        if self._bytes > MOST_BYTES:
            raise TooMuchChanged(f"The command changed files of more than {MOST_BYTES >> 20} MB altogether.")
        self._count()

    def _leave_out(self, path: str, reason: str) -> None:
        self._left_out.append(LeftOut(path, reason))
        self._count()

    def _count(self) -> None:
        self._cancel.raise_if_cancelled()
        if len(self._found) + len(self._left_out) > MOST_CHANGES:
            raise TooMuchChanged(f"The command changed more than {MOST_CHANGES:,} files and folders.")

    def _note_not_made(self, layer: int, name: str) -> None:
        with suppress(ToolFailed, OSError, RecursionError):
            items = things_at(layer, name, name).values()
            self._not_made |= {print_of({"": item}) for item in items if item.kind is EntryKind.FILE}


def _moved(found: list[Changed]) -> Iterator[Changed]:
    """The same with a deletion and a new file that holds the same as one move, where both places are free for it."""
    folders = {c.path for c in found if c.kind in (ChangedKind.FOLDER_MADE, ChangedKind.FOLDER_DELETED)}
    free = [c for c in found if c.kind is ChangedKind.DELETED and c.path not in folders and c.was_size]
    moves: dict[str, Changed] = {}
    for made in (c for c in found if c.kind is ChangedKind.MADE and c.path not in folders):
        was = next((c for c in free if (c.before, c.was_mode) == (made.after, made.mode)), None)
        if was is not None:
            free.remove(was)
            moves[made.path] = replace(
                was, kind=ChangedKind.MOVED, to=made.path, mode=made.mode, size=made.size, old=None
            )
    sources = {move.path for move in moves.values()}
    for change in found:
        if change.kind is ChangedKind.MADE and change.path in moves:
            yield moves[change.path]
        elif change.kind is not ChangedKind.DELETED or change.path not in sources:
            yield change


def _holds(change: Changed, paths: set[str]) -> bool:
    """Whether it is a deleted folder in which something stays after all."""
    deleted = change.kind is ChangedKind.FOLDER_DELETED
    return deleted and any(path.startswith(f"{change.path}/") for path in paths)


def _reason(error: AriaError | OSError, path: str) -> str:
    return error.text if isinstance(error, AriaError) else f"{quoted(path)} can't be read: {error.strerror}."


def _names_in(folder: int) -> list[str]:
    with os.scandir(folder) as found:
        return sorted(item.name for item in found)


def _is_whiteout(state: os.stat_result) -> bool:
    return stat.S_ISCHR(state.st_mode) and state.st_rdev == 0


def _is_opaque(folder: int) -> bool:
    with suppress(OSError):
        return os.getxattr(folder, _OPAQUE) == b"y"
    return False


@contextmanager
def _opened(layer: int, name: str, mode: int) -> Iterator[int]:
    """A folder of the layer, with rights for its owner whatever the command left it with."""
    if mode & stat.S_IRWXU != stat.S_IRWXU:
        os.chmod(name, mode | stat.S_IRWXU, dir_fd=layer)
    inner = os.open(name, _FOLDER, dir_fd=layer)
    try:
        yield inner
    finally:
        os.close(inner)

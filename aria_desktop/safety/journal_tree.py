"""What lies at some places of a workspace, read once, so that changes can be tried on it without touching the disk.

A file is known by a token of its bytes, a folder by the tokens of all that is in it: two things with the same print
hold the same. Nothing but regular files is opened, and no link is followed.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from aria_desktop.core.errors import ToolFailed
from aria_desktop.safety.descriptors import PathNotRegular
from aria_desktop.safety.door import Door
from aria_desktop.safety.entries import EntryKind, kind_of_mode
from aria_desktop.safety.leftovers import is_leftover
from aria_desktop.safety.names import quoted
from aria_desktop.safety.seen import INSIDE_LIMIT

HASHED_BYTES = 200_000_000
"""Of one thing, in the order of its names. Files beyond are known by size and time of writing, not by their bytes."""
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class Item:
    kind: EntryKind
    token: str
    """Equal for equal bytes; empty for a folder."""
    mode: int
    """Permission bits."""


Things = Mapping[str, Item]
"""Relative paths with /, outermost first; a thing itself is under ""."""


def token_of(content: bytes) -> str:
    """Of a file with this content, as long as it is no larger than `HASHED_BYTES`."""
    return hashlib.sha256(content).hexdigest()


def print_of(things: Things) -> str:
    """Equal for things that hold the same under the same names."""
    lines = (f"{path}\0{item.kind}\0{item.token}\0" for path, item in sorted(things.items()))
    return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def print_of_text(content: bytes) -> str:
    """The print of a file with this content."""
    return print_of({"": Item(EntryKind.FILE, token_of(content), 0)})


def things_at(inside: int, part: str, path: str) -> dict[str, Item]:
    """All of a file or folder; empty when there is nothing. Raises ToolFailed when it holds too much, OSError.

    Args:
        inside: the open folder that it lies in.
        path: for messages.
    """
    try:
        state = os.lstat(part, dir_fd=inside)
    except FileNotFoundError:
        return {}
    found: dict[str, Item] = {}
    left = HASHED_BYTES
    for name, item, size in _walked(inside, part, "", state, left):
        left -= size
        found[name] = item
        if len(found) > INSIDE_LIMIT + 1:
            raise ToolFailed(f"{quoted(path)} holds more than {INSIDE_LIMIT:,} files and folders, which is too much.")
    return found


def _walked(inside: int, part: str, name: str, state: os.stat_result, left: int) -> Iterator[tuple[str, Item, int]]:
    mode = stat.S_IMODE(state.st_mode)
    kind = kind_of_mode(state.st_mode)
    if kind is not EntryKind.FOLDER:
        hashed = state.st_size if kind is EntryKind.FILE and state.st_size <= left else 0
        yield name, Item(kind, _token(inside, part, state, by_content=state.st_size <= left), mode), hashed
        return
    yield name, Item(kind, "", mode), 0
    descriptor = os.open(part, _FOLDER, dir_fd=inside)
    try:
        for inner in _names(descriptor):
            path = f"{name}/{inner}" if name else inner
            for found in _walked(descriptor, inner, path, os.lstat(inner, dir_fd=descriptor), left):
                left -= found[2]
                yield found
    finally:
        os.close(descriptor)


def _names(folder: int) -> list[str]:
    """What a killed change left there is not counted: it is swept away before anything is done."""
    with os.scandir(folder) as found:
        return sorted(item.name for item in found if not is_leftover(item.name))


def _token(inside: int, part: str, state: os.stat_result, *, by_content: bool) -> str:
    if stat.S_ISLNK(state.st_mode):
        return f"link {os.readlink(part, dir_fd=inside)}"
    if not stat.S_ISREG(state.st_mode) or not by_content:
        return f"{stat.S_IFMT(state.st_mode)} {state.st_size} {state.st_mtime_ns}"
    descriptor = os.open(part, _FILE, dir_fd=inside)
    with os.fdopen(descriptor, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class Tree:
    """The places that were read, and what becomes of them when changes are tried. One thread at a time."""

    def __init__(self, items: Mapping[str, Item], trouble: Mapping[str, str] | None = None) -> None:
        """
        Args:
            items: by their paths in the workspace.
            trouble: why a place could not be read, by its path.
        """
        self._items = dict(items)
        self._trouble = dict(trouble or {})

    @classmethod
    def read(cls, door: Door, paths: Iterable[str], folders: Iterable[str] = ()) -> Tree:
        """
        Args:
            paths: read with all that is in them.
            folders: read with the names that lie directly in them only.
        """
        items: dict[str, Item] = {}
        trouble: dict[str, str] = {}
        for path, deep in [*((p, True) for p in paths), *((p, False) for p in folders)]:
            try:
                for name, item in _read(door, path, deep=deep):
                    if _tells_more(item, items.get(name)):
                        items[name] = item
            except (ToolFailed, OSError) as error:
                trouble[path] = error.text if isinstance(error, ToolFailed) else f"{quoted(path)} can't be read."
        return cls(items, trouble)

    @property
    def items(self) -> Things:
        """A copy of all that lies at the places now."""
        return dict(self._items)

    def trouble(self, path: str) -> str:
        return self._trouble.get(path, "")

    def at(self, path: str) -> Item | None:
        return self._items.get(path)

    def things(self, path: str) -> dict[str, Item]:
        """All of what lies at a path, by names relative to it; empty for nothing."""
        start = f"{path}/"
        inner = {name[len(start) :]: item for name, item in self._items.items() if name.startswith(start)}
        return {"": self._items[path], **inner} if path in self._items else {}

    def print(self, path: str) -> str:
        """Empty for nothing."""
        things = self.things(path)
        return print_of(things) if things else ""

    def take(self, path: str) -> dict[str, Item]:
        things = self.things(path)
        for name in things:
            del self._items[f"{path}/{name}" if name else path]
        return things

    def put(self, path: str, things: Things) -> None:
        for name, item in things.items():
            self._items[f"{path}/{name}" if name else path] = item

    def missing_folders(self, path: str) -> tuple[str, ...]:
        """The folders that a path needs and that are not there, outermost first."""
        parts = path.split("/")
        outer = ["/".join(parts[:depth]) for depth in range(1, len(parts))]
        return tuple(folder for folder in outer if folder not in self._items)

    def in_the_way(self, path: str) -> str:
        """What a path would have to lie in and is no folder; empty when there is none."""
        parts = path.split("/")
        outer = ["/".join(parts[:depth]) for depth in range(1, len(parts))]
        there = [(folder, self._items[folder]) for folder in outer if folder in self._items]
        return next((folder for folder, item in there if item.kind is not EntryKind.FOLDER), "")

    def copy(self) -> Tree:
        return Tree(self._items, self._trouble)


def _tells_more(item: Item, known: Item | None) -> bool:
    """Folders on the way and names in a folder that was not read come without their permission bits."""
    return known is None or (not known.mode and (item.mode > 0 or known.kind is EntryKind.OTHER))


def _read(door: Door, path: str, *, deep: bool) -> Iterator[tuple[str, Item]]:
    """What lies at a path, and the folders on the way to it."""
    parts = tuple(path.split("/"))
    try:
        inside, missing = door.descend(parts[:-1], path)
    except PathNotRegular:
        # A file stands on the way, so nothing lies at the path; what stands there is what matters.
        yield from _read(door, "/".join(parts[:-1]), deep=True)
        return
    try:
        for depth in range(1, len(parts) - len(missing)):
            yield "/".join(parts[:depth]), Item(EntryKind.FOLDER, "", 0)
        if missing:
            return
        things = things_at(inside, parts[-1], path) if deep else _names_in(inside, parts[-1])
        for name, item in things.items():
            yield (f"{path}/{name}" if name else path), item
    finally:
        os.close(inside)


def _names_in(inside: int, part: str) -> dict[str, Item]:
    """A folder and the names directly in it, unread."""
    try:
        state = os.lstat(part, dir_fd=inside)
    except FileNotFoundError:
        return {}
    found = {"": Item(kind_of_mode(state.st_mode), "", stat.S_IMODE(state.st_mode))}
    if stat.S_ISDIR(state.st_mode):
        descriptor = os.open(part, _FOLDER, dir_fd=inside)
        try:
            found |= {name: Item(EntryKind.OTHER, "", 0) for name in _names(descriptor)}
        finally:
            os.close(descriptor)
    return found

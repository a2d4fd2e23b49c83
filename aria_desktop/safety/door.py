"""One folder held open, and the way from it to every folder inside: a descriptor at a time, never a path.

Every folder on the way is opened from the descriptor of the one before, without following links, on the same
file system. What is done in the folder at the end is the callers' affair (`paths`, `placements`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import ClassVar

from aria_desktop.core.errors import AriaError, ToolFailed
from aria_desktop.safety.descriptors import PathNotRegular, open_folder, readable, reopened, sync_folder
from aria_desktop.safety.names import components, quoted, twin


class FileMissing(ToolFailed):
    code: ClassVar[str] = "file_missing"


class Door:
    """All methods may be called from any thread and raise PathRefused, ToolFailed or AriaError."""

    def __init__(self, root: Path) -> None:
        """`root` is a folder that exists; if it is a link, the folder it leads to now is held from here on."""
        try:
            self.root = root.resolve(strict=True)
            self._descriptor = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            hint = "Make the folder, or choose another with --workspace."
            raise AriaError(f"The workspace {root} can't be opened: {error.strerror}.", hint) from error
        state = os.fstat(self._descriptor)
        self.device = state.st_dev
        self.identity = (state.st_dev, state.st_ino)

    def close(self) -> None:
        """Any number of times. Later calls of other methods fail."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def located(self, name: str) -> tuple[str, ...]:
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

    def located_file(self, name: str) -> tuple[str, ...]:
        parts = self.located(name)
        if not parts or name.endswith(("/", "/.")):
            raise PathNotRegular(f"{quoted(name)} names a folder, and a file is needed.")
        return parts

    @contextmanager
    def opened(self, folders: tuple[str, ...], name: str, made: list[str] | None = None) -> Iterator[int]:
        """The descriptor of a folder. With `made`, missing folders are made, and their paths added to it."""
        inside, missing = self.descend(folders, name)
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

    @contextmanager
    def changing(self, folders: tuple[str, ...], name: str) -> Iterator[int]:
        """Like `opened`, making what is missing; what was made is taken back when the body fails."""
        made: list[str] = []
        try:
            with self.opened(folders, name, made) as inside:
                yield inside
        except BaseException as error:
            self._remove_empty(made)
            if isinstance(error, OSError):
                raise readable(error, name) from error
            raise

    def descend(self, folders: tuple[str, ...], name: str) -> tuple[int, tuple[str, ...]]:
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

    def new_folders(self, parts: tuple[str, ...], but: str = "") -> tuple[str, ...]:
        """The folders that something new needs and that are not there yet, outermost first.

        Refuses a name that differs from an existing one only in a way that some systems don't see.

        Args:
            but: a name in the same folder that may be such a twin, as it is the one that goes away.
        """
        inside, missing = self.descend(parts[:-1], "/".join(parts))
        try:
            with os.scandir(inside) as found:
                others = frozenset(item.name for item in found)
        finally:
            os.close(inside)
        other = twin((*missing, parts[-1])[0], others - {but})
        if other:
            raise ToolFailed(f"There is {quoted(other)} already, which is the same name on many systems.")
        return tuple("/".join(parts[:depth]) for depth in range(len(parts) - len(missing), len(parts)))

    def _step(self, outer: int, part: str, name: str) -> int:
        """Open the folder `part` and close `outer`, which stays open when this raises."""
        inner = open_folder(outer, part, name, self.device)
        os.close(outer)
        return inner

    def _remove_empty(self, made: list[str]) -> None:
        """Take back the folders that a failed change has made."""
        for path in reversed(made):
            *outer, last = path.split("/")
            with suppress(AriaError, OSError), self.opened(tuple(outer), path) as inside:
                os.rmdir(last, dir_fd=inside)

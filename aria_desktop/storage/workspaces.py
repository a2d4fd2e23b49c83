"""The folders that ARIA may work in: the default one, and those that the user has chosen. Choosing is granting.

A chosen folder is kept with what the file system knows it by (device and inode), and a turn that works in it compares
that with the folder that it holds open: another one that was put in its place is noticed, and nothing is done there.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from aria_desktop.core.errors import AriaError, UsageError
from aria_desktop.core.plain import well_formed
from aria_desktop.safety.journal import Journal
from aria_desktop.safety.journaled import JournaledWorkspace
from aria_desktop.safety.own_folders import refuse_own, refuse_unfit
from aria_desktop.storage.files import storage_error
from aria_desktop.storage.kept_file import KeptFile
from aria_desktop.storage.paths import AppPaths

NAME = "workspaces.json"
"""In the data folder."""
MOST = 100
_LIST = "`aria workspace list` names them."


class WorkspaceChanged(AriaError):
    """The folder with that name is not the one that was chosen."""

    code: ClassVar[str] = "workspace_changed"


@dataclass(frozen=True, slots=True)
class Chosen:
    path: str
    """Absolute, without links."""
    device: int
    inode: int


@dataclass(frozen=True, slots=True)
class Choices:
    folders: tuple[Chosen, ...]
    """The default one is not among them."""
    used: str
    """The path of the one that turns work in which name none; empty: the default one."""


_NOTHING = Choices((), "")


@dataclass(frozen=True, slots=True)
class Listed:
    path: Path
    used: bool
    default: bool
    fault: str = ""
    """Why no turn can work there at the moment, as a sentence; empty when one can."""


class Workspaces:
    """From any thread and any process."""

    def __init__(self, paths: AppPaths) -> None:
        self.default = paths.output
        self._own = (paths.data, paths.config, paths.models, paths.logs)
        hint = "`aria workspace remove --all` begins a new list."
        self._file = KeptFile(paths.data / NAME, _NOTHING, "so no folder that you have chosen can be used", hint)

    def used(self) -> Path:
        """Where turns work that name no folder. Raises StorageError."""
        chosen = self._file.read().used
        return Path(chosen) if chosen else self.default

    def listed(self) -> tuple[Listed, ...]:
        """The default one first. Raises StorageError."""
        choices = self._file.read()
        chosen = (Listed(Path(one.path), one.path == choices.used, False, self._fault(one)) for one in choices.folders)
        return (Listed(self.default, not choices.used, True), *chosen)

    def names(self) -> tuple[str, ...]:
        """Of those that a turn can work in at the moment. Raises StorageError."""
        return tuple(str(one.path) for one in self.listed() if not one.fault)

    def add(self, folder: Path) -> Path:
        """Let turns work in an absolute folder; one that is chosen already counts as it is now. Raises UsageError for
        what can't be a workspace, and StorageError."""
        refuse_unfit(folder, self._own)
        path = Path(os.path.normpath(folder))
        if path == self.default.resolve():
            return self.default
        if well_formed(str(path)) != str(path):
            raise UsageError(f"The name of the folder {well_formed(str(path))} is no text.", "Give it another name.")
        device, inode = identity_of(path)
        self._file.change(lambda kept: _with(kept, Chosen(str(path), device, inode)))
        return path

    def use(self, folder: Path) -> Path:
        """Have turns work there that name no folder. Raises UsageError when it is none of them, WorkspaceChanged and
        StorageError."""
        path = Path(os.path.normpath(folder))
        if path in (self.default, self.default.resolve()):
            self._file.change(lambda kept: replace(kept, used=""))
            return self.default
        chosen = _named(self._file.read(), path)
        if fault := self._fault(chosen):
            raise WorkspaceChanged(fault, _again(path))
        self._file.change(lambda kept: replace(kept, used=_named(kept, path).path))
        return path

    def remove(self, folder: Path) -> Path:
        """Forget a chosen folder, which itself stays as it is. Raises UsageError and StorageError."""
        path = Path(os.path.normpath(folder))
        if path == self.default:
            raise UsageError("The default workspace can't be removed.", "`aria workspace use DIR` uses another one.")
        self._file.change(lambda kept: _without(kept, _named(kept, path)))
        return path

    def forget_all(self) -> None:
        """Also of a list that can't be understood. Raises StorageError."""
        self._file.clear()

    def opened(self, folder: Path, journal: Journal) -> JournaledWorkspace:
        """Any folder that a user names may be worked in; the default one is made when it is missing.

        Raises UsageError for ARIA's own folders, WorkspaceChanged, StorageError and AriaError.
        """
        refuse_own(folder, self._own)
        if folder == self.default:
            made(folder)
        choices = self._file.read() if folder != self.default else _NOTHING
        workspace = JournaledWorkspace(folder, journal)
        names = (str(folder), str(workspace.root))
        known = next((one for one in choices.folders if one.path in names), None)
        if known is not None and workspace.identity != (known.device, known.inode):
            workspace.close()
            raise WorkspaceChanged(_swapped(known), _again(folder))
        return workspace

    def _fault(self, chosen: Chosen) -> str:
        path = Path(chosen.path)
        try:
            refuse_unfit(path, self._own)
            same = identity_of(path) == (chosen.device, chosen.inode)
        except AriaError as error:
            return error.text
        return "" if same else _swapped(chosen)


def identity_of(folder: Path) -> tuple[int, int]:
    """Device and inode. Raises UsageError."""
    try:
        state = folder.lstat()
    except OSError as error:
        raise UsageError(f"The folder {folder} can't be used: {error.strerror}.", _LIST) from error
    return state.st_dev, state.st_ino


def made(folder: Path) -> None:
    """Make a folder that ARIA itself works in. Raises StorageError and DiskFull."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise storage_error("make the folder", folder, error) from error


def _with(kept: Choices, chosen: Chosen) -> Choices:
    others: Sequence[Chosen] = [one for one in kept.folders if one.path != chosen.path]
    if len(others) >= MOST:
        raise UsageError(f"There are {MOST} workspaces already.", "`aria workspace remove DIR` forgets one.")
    return replace(kept, folders=(*others, chosen))


def _without(kept: Choices, chosen: Chosen) -> Choices:
    folders = tuple(one for one in kept.folders if one != chosen)
    return Choices(folders, "" if kept.used == chosen.path else kept.used)


def _named(kept: Choices, path: Path) -> Chosen:
    found = next((one for one in kept.folders if one.path == str(path)), None)
    if found is None:
        raise UsageError(f"{path} is no workspace that you have chosen.", f"`aria workspace add DIR` adds one; {_LIST}")
    return found


def _swapped(chosen: Chosen) -> str:
    return f"The folder {chosen.path} is another one than the one that you chose; nothing is done in it."


def _again(path: Path) -> str:
    return f"If that is right, choose it again: aria workspace add {path}"

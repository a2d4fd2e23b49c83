"""The steps that take a change back, carried out one by one; each can be turned round.

Nothing is ever overwritten but the one file whose bytes are put back, and that only as long as it holds what it held
when all was checked. A step that fails leaves things as they were before it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping

from aria_desktop.core.errors import ToolFailed
from aria_desktop.safety.descriptors import open_file, readable, sync_folder
from aria_desktop.safety.door import Door
from aria_desktop.safety.entries import EntryKind
from aria_desktop.safety.journal import Step, StepKind
from aria_desktop.safety.journal_tree import print_of, things_at
from aria_desktop.safety.names import quoted
from aria_desktop.safety.renaming import rename_new
from aria_desktop.safety.seen import is_same, seen_at
from aria_desktop.safety.trash import Doomed, Trash


class Steps:
    """For one workspace. Methods raise ToolFailed and AriaError."""

    def __init__(self, door: Door, trash: Trash) -> None:
        self._door = door
        self._trash = trash

    def carry_out(self, steps: tuple[Step, ...], sources: Mapping[str, str]) -> None:
        """All of them, or, when one fails, none.

        Args:
            sources: for a file that is rewritten, by its path: the entry of the trash with its new bytes.
        """
        done: list[Step] = []
        try:
            for step in steps:
                self._carry(step, sources.get(step.path, ""))
                done.append(step)
        except BaseException:
            for step in reversed(done):
                self._turn_round(step)
            raise

    def _carry(self, step: Step, source: str) -> None:
        try:
            match step.kind:
                case StepKind.MADE:
                    self._make(step)
                case StepKind.REMOVED:
                    self._remove(step)
                case StepKind.MOVED:
                    self._move(step.path, step.to, step.print)
                case StepKind.KEPT:
                    self._keep(step)
                case StepKind.ARRIVED:
                    self._bring(step)
                case StepKind.REWRITTEN:
                    self._rewrite(step, source)
                case StepKind.RIGHTS:
                    self._give_rights(step.path, step.print, step.was_mode, step.mode)
        except OSError as error:
            raise readable(error, step.path) from error

    def _turn_round(self, step: Step) -> None:
        """A rewritten file gets back the copy that was made of it a moment ago."""
        match step.kind:
            case StepKind.MADE:
                self._remove(step)
            case StepKind.REMOVED:
                self._make(step)
            case StepKind.MOVED:
                self._move(step.to, step.path, step.print)
            case StepKind.KEPT:
                self._bring(step)
            case StepKind.ARRIVED:
                self._keep(step)
            case StepKind.REWRITTEN:
                outer, part = _split(step.path)
                with self._door.opened(outer, step.path) as inside:
                    self._trash.replace_by_copy(step.slot, inside, part)
            case StepKind.RIGHTS:
                self._give_rights(step.path, step.print, step.mode, step.was_mode)

    def _make(self, step: Step) -> None:
        outer, part = _split(step.path)
        with self._door.opened(outer, step.path) as inside:
            os.mkdir(part, dir_fd=inside)
            if step.mode:
                os.chmod(part, step.mode, dir_fd=inside)
            sync_folder(inside)

    def _remove(self, step: Step) -> None:
        outer, part = _split(step.path)
        with self._door.opened(outer, step.path) as inside:
            os.rmdir(part, dir_fd=inside)
            sync_folder(inside)

    def _move(self, path: str, to: str, expected: str) -> None:
        (outer, part), (target, name) = _split(path), _split(to)
        with self._door.opened(outer, path) as inside, self._door.opened(target, to) as other:
            rename_new(inside, part, other, name)
            if print_of(things_at(other, name, to)) != expected:
                rename_new(other, name, inside, part)
                raise _changed(path)
            sync_folder(other)
            sync_folder(inside)

    def _keep(self, step: Step) -> None:
        with self._door.opened(_split(step.path)[0], step.path) as inside:
            doomed = self._doomed(inside, step.path, step.print)
            self._trash.name_next(step.slot)
            self._trash.keep(doomed)

    def _bring(self, step: Step) -> None:
        outer, part = _split(step.path)
        with self._door.opened(outer, step.path) as inside:
            self._trash.give_back(step.slot, inside, part)

    def _rewrite(self, step: Step, source: str) -> None:
        outer, part = _split(step.path)
        with self._door.opened(outer, step.path) as inside:
            doomed = self._doomed(inside, step.path, step.before)
            self._trash.name_next(step.slot)
            self._trash.keep_copy(doomed)
            if not doomed.unchanged(os.lstat(part, dir_fd=inside)):
                raise _changed(step.path)
            self._trash.replace_by_copy(source, inside, part)

    def _give_rights(self, path: str, expected: str, was: int, mode: int) -> None:
        outer, part = _split(path)
        with self._door.opened(outer, path) as inside:
            self._doomed(inside, path, expected)
            descriptor, found = open_file(inside, part, path, self._door.device)
            try:
                if stat.S_IMODE(found.st_mode) != was:
                    raise _changed(path)
                os.fchmod(descriptor, mode)
                os.fsync(descriptor)
            finally:
                os.close(descriptor)

    def _doomed(self, inside: int, path: str, expected: str) -> Doomed:
        """The thing as it is now, which has to be what is expected."""
        parts = tuple(path.split("/"))
        seen = seen_at(self._door, parts, path)
        if seen is None or print_of(things_at(inside, parts[-1], path)) != expected:
            raise _changed(path)
        folder = seen.kind is EntryKind.FOLDER
        return Doomed(inside, parts[-1], path, folder, lambda state: is_same(seen, state))


def _split(path: str) -> tuple[tuple[str, ...], str]:
    *outer, part = path.split("/")
    return tuple(outer), part


def _changed(path: str) -> ToolFailed:
    return ToolFailed(f"{quoted(path)} was changed meanwhile; nothing was done.")

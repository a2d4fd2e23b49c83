"""What a command changed becomes steps of the journal: all of them one action, done wholly or not at all.

New bytes are copied into the trash first, and compared with what was shown; the steps then only move and replace files
of which everything is known. So taking over is the same machinery as undo, and can be taken back by it.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from aria_desktop.core.errors import ToolFailed
from aria_desktop.safety.door import Door
from aria_desktop.safety.journal import Step, StepKind
from aria_desktop.safety.journal_tree import print_of, things_at
from aria_desktop.safety.names import components, quoted
from aria_desktop.safety.staged import Changed, ChangedKind, Staged
from aria_desktop.safety.trash import KEPT, Doomed, Trash, new_entry_name


@dataclass(frozen=True, slots=True)
class Prepared:
    """What is to be done, with all new bytes in the trash."""

    steps: tuple[Step, ...]
    sources: dict[str, str]
    """For a file that is rewritten, by its path: the entry of the trash with its new bytes."""


class TakingOver:
    def __init__(self, changes: Path, trash: Trash) -> None:
        """`changes` is the folder that `staged_reading.read_staged` has read."""
        self._changes = changes
        self._trash = trash
        self.slots: list[str] = []
        """Entries of the trash that were made here. They are of no use once the steps are done, or were not."""

    def prepared(self, staged: Staged) -> Prepared:
        """Raises ToolFailed and AriaError, with nothing changed but entries in the trash."""
        layer = Door(self._changes)
        try:
            arrived = {c.path: self._arrived(layer, c) for c in staged.changes if c.kind in _WITH_BYTES}
        finally:
            layer.close()
        steps = tuple(_step(change, arrived.get(change.path, "")) for change in staged.changes)
        return Prepared(steps, {step.path: arrived[step.path] for step in steps if step.kind is StepKind.REWRITTEN})

    def _arrived(self, layer: Door, change: Changed) -> str:
        """The entry of the trash that holds the new bytes."""
        parts, slot = components(change.path), new_entry_name()
        self.slots.append(slot)
        self._trash.name_next(slot)
        with layer.opened(parts[:-1], change.path) as inside:
            self._trash.keep_copy(Doomed(inside, parts[-1], change.path, False, _is_file))
        with self._trash.opened(slot) as kept:
            same = print_of(things_at(kept, KEPT, change.path)) == change.after
            if same:
                os.chmod(KEPT, change.mode, dir_fd=kept)
        if not same:
            raise ToolFailed(f"{quoted(change.path)} is not what was shown; nothing was changed.")
        return slot


def _is_file(state: os.stat_result) -> bool:
    return stat.S_ISREG(state.st_mode)


_WITH_BYTES = (ChangedKind.MADE, ChangedKind.CHANGED)


def _step(change: Changed, arrived: str) -> Step:
    match change.kind:
        case ChangedKind.DELETED:
            return Step(StepKind.KEPT, change.path, slot=new_entry_name(), print=change.before)
        case ChangedKind.FOLDER_MADE:
            return Step(StepKind.MADE, change.path, mode=change.mode)
        case ChangedKind.MOVED:
            return Step(StepKind.MOVED, change.path, to=change.to, print=change.before)
        case ChangedKind.FOLDER_DELETED:
            return Step(StepKind.REMOVED, change.path, mode=change.was_mode)
        case ChangedKind.MADE:
            return Step(StepKind.ARRIVED, change.path, slot=arrived, print=change.after)
        case ChangedKind.CHANGED:
            slot = new_entry_name()
            return Step(StepKind.REWRITTEN, change.path, slot=slot, print=change.after, before=change.before)
        case ChangedKind.RIGHTS:
            print_, mode, was = change.before, change.mode, change.was_mode
            return Step(StepKind.RIGHTS, change.path, print=print_, mode=mode, was_mode=was)

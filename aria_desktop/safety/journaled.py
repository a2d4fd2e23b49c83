"""The workspace's door with a journal behind it: nothing is changed before it is written down and its old bytes kept.

Whoever changes files through the door is journaled, without a way past it: a change that can't be written down is not
made. Taking changes back goes the same way, so that it can be taken back too.
"""

from __future__ import annotations

import copy
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import AriaError, ToolFailed
from aria_desktop.safety.carrying import Carrier
from aria_desktop.safety.descriptors import read_file, readable
from aria_desktop.safety.entries import EntryKind
from aria_desktop.safety.journal import Action, Deed, Intended, Journal, Step, StepKind
from aria_desktop.safety.journal_tree import print_of, print_of_text, things_at
from aria_desktop.safety.leftovers import sweep
from aria_desktop.safety.names import components, quoted, refuse_protected
from aria_desktop.safety.paths import Change, ChangeKind, Placement, PlacementKind, Workspace
from aria_desktop.safety.placements import Placements
from aria_desktop.safety.seen import is_same, seen_at
from aria_desktop.safety.stage import sweep_stages
from aria_desktop.safety.staged import Staged
from aria_desktop.safety.staged_reading import read_staged
from aria_desktop.safety.taking_over import TakingOver
from aria_desktop.safety.trash import KEPT, Doomed, Trash, new_entry_name
from aria_desktop.safety.trash_content import TrashContent
from aria_desktop.safety.undo import Back, UndoPlan, planned
from aria_desktop.safety.undo_steps import Steps
from aria_desktop.safety.undo_words import undo_title


@dataclass(frozen=True, slots=True)
class TakenBack:
    numbers: tuple[int, ...]
    """Of the changes that were taken back."""
    fault: str = ""
    """Why the others of the plan were not, as a sentence; empty when all were."""


class JournaledWorkspace(Workspace):
    """Methods raise what `Workspace` raises, and AriaError when the journal or the trash can't be written."""

    def __init__(self, root: Path, journal: Journal) -> None:
        """What commands of a program that was killed left waiting goes."""
        super().__init__(root, journal.trash)
        self.journal = journal
        self._trash = Trash(journal.trash, self.root)
        self._placements = Placements(self._door, self._trash)
        self._carrier = Carrier(self._door, self._trash)
        self._steps = Steps(self._door, self._trash)
        self._changing = threading.Lock()
        self._deed = Deed()
        sweep_stages(self.staging)

    def acting_for(self, deed: Deed) -> Self:
        """The same workspace; what is changed through it is written down as done on behalf of `deed`."""
        view = copy.copy(self)
        view._deed = deed
        return view

    def apply(self, change: Change) -> None:
        with self._changing:
            with _told(change.path):
                steps = self._steps_of_change(change)
            with self._recording(f"{change.kind.value} {change.path}", steps):
                super().apply(change)
            self._tidy(steps)

    def carry_out(self, placement: Placement) -> None:
        with self._changing:
            with _told(placement.source or placement.destination):
                steps = self._steps_of_placement(placement)
            slot = next((step.slot for step in steps if step.slot), "")
            with self._recording(_title(placement), steps):
                self._trash.name_next(slot)
                super().carry_out(placement)
            self._tidy(steps)

    @property
    def staging(self) -> Path:
        """Where the changes of commands wait, see `stage`; beside the trash."""
        return self.journal.trash.with_name("staging")

    def staged(self, changes: Path, cancel: CancelToken) -> Staged:
        """What a layer over this workspace says; raises like `staged_reading.read_staged`."""
        return read_staged(changes, self._door, cancel)

    def take_over(self, changes: Path, staged: Staged, title: str) -> None:
        """Make what was read from a layer the workspace's, as one change. Raises ToolFailed, with nothing changed, when
        anything is no longer as it was read."""
        taking = TakingOver(changes, self._trash)
        with self._changing:
            try:
                prepared = taking.prepared(staged)
                with self._recording(title, prepared.steps):
                    self._steps.carry_out(prepared.steps, prepared.sources)
            finally:
                self._drop(taking.slots)
            self._tidy(prepared.steps)

    def plan_undo(self, actions: Sequence[Action]) -> UndoPlan:
        """What taking back `actions` would do; raises AriaError when one is of another workspace."""
        elsewhere = next((a for a in actions if a.workspace and a.workspace != str(self.root)), None)
        if elsewhere is not None:
            raise AriaError(f"Change {elsewhere.number} was made in {elsewhere.workspace}, not in {self.root}.")
        return planned(self._door, self._trash, actions)

    def take_back(self, plan: UndoPlan) -> TakenBack:
        """Carry a plan out, change by change, each wholly or not at all, until one does not work."""
        numbers: list[int] = []
        with self._changing:
            self._sweep([*plan.idle, *(back.action for back in plan.back)])
            self.journal.settle(plan.idle)
            for back in plan.back:
                try:
                    self._take_back(back)
                except AriaError as error:
                    return TakenBack(tuple(numbers), f"Change {back.action.number} could not be undone: {error.text}")
                numbers.append(back.action.number)
            # Not before: what is still to be taken back has to keep its bytes.
            self._tidy([step for back in plan.back for step in back.steps])
        return TakenBack(tuple(numbers))

    def restore(self, slot: str, path: str) -> None:
        """Put what an entry of the trash holds where it was. Raises ToolFailed when something has its name."""
        parts = components(path)
        refuse_protected(parts)
        with self._changing, _told(path):
            with self._trash.opened(slot) as kept:
                expected = print_of(things_at(kept, KEPT, path))
            made = tuple(Step(StepKind.MADE, folder) for folder in self._door.new_folders(parts))
            steps = (*made, Step(StepKind.ARRIVED, path, slot=slot, print=expected))
            with self._recording(f"restore {path}", steps):
                self._steps.carry_out(steps, {})

    def text_now(self, path: str) -> bytes | None:
        """The bytes of a file of at most a text's size, for showing; None when it can't be read."""
        parts = components(path)
        with suppress(AriaError, OSError), self._door.opened(parts[:-1], path) as inside:
            return read_file(inside, parts[-1], path, self._door.device)[0]
        return None

    def text_kept(self, slot: str) -> bytes | None:
        """The same for an entry of the trash."""
        with suppress(AriaError, OSError), self._trash.opened(slot) as inside:
            return read_file(inside, KEPT, slot, os.fstat(inside).st_dev)[0]
        return None

    def _recording(self, title: str, steps: tuple[Step, ...], undoes: int = 0) -> AbstractContextManager[int]:
        return self.journal.recording(Intended(self._deed, str(self.root), title, steps, undoes))

    def _drop(self, slots: Sequence[str]) -> None:
        content = TrashContent(self.journal.trash)
        for slot in slots:
            with suppress(OSError):
                content.remove(slot)

    def _sweep(self, actions: Sequence[Action]) -> None:
        """What a change left beside its file when it was cut off goes."""
        paths = {path for action in actions for step in action.steps for path in (step.path, step.to) if path}
        for folder in {components(path)[:-1] for path in paths}:
            with suppress(AriaError), self._door.opened(folder, "/".join(folder)) as inside:
                sweep(inside)

    def _tidy(self, steps: Sequence[Step]) -> None:
        """What is too old goes next time, when it can't be removed now: the change itself is made."""
        with suppress(AriaError, OSError):
            self.journal.tidy_when_due([step.slot for step in steps if step.kind is not StepKind.ARRIVED])

    def _take_back(self, back: Back) -> None:
        """Raises ToolFailed when it is not what was planned any more."""
        fresh = planned(self._door, self._trash, [back.action]).back
        if not fresh or _bare(fresh[0].steps) != _bare(back.steps):
            raise ToolFailed("Something was changed meanwhile.")
        with self._recording(undo_title(back.action), back.steps, back.action.number):
            self._steps.carry_out(back.steps, back.sources)

    def _steps_of_change(self, change: Change) -> tuple[Step, ...]:
        """Old bytes are in the trash when this returns."""
        made = tuple(Step(StepKind.MADE, folder) for folder in change.new_folders)
        after = print_of_text(change.after.encode(change.encoding))
        if change.kind is ChangeKind.CREATE:
            return (*made, Step(StepKind.ARRIVED, change.path, print=after))
        slot, before = self._kept_copy(change.path)
        return (*made, Step(StepKind.REWRITTEN, change.path, slot=slot, print=after, before=before))

    def _kept_copy(self, path: str) -> tuple[str, str]:
        """The entry of the trash with a copy of the file, and the print of it."""
        parts = components(path)
        seen = seen_at(self._door, parts, path)
        if seen is None or seen.kind is not EntryKind.FILE:
            raise ToolFailed(f"{quoted(path)} was changed meanwhile; nothing was written.")
        slot = new_entry_name()
        with self._door.opened(parts[:-1], path) as inside:
            self._trash.name_next(slot)
            self._trash.keep_copy(Doomed(inside, parts[-1], path, False, lambda state: is_same(seen, state)))
        with self._trash.opened(slot) as kept:
            return slot, print_of(things_at(kept, KEPT, path))

    def _steps_of_placement(self, placement: Placement) -> tuple[Step, ...]:
        made = [Step(StepKind.MADE, folder) for folder in placement.new_folders]
        to, source = placement.destination, placement.source
        if placement.lost is not None:
            made.append(Step(StepKind.KEPT, to, slot=new_entry_name(), print=self._print(to)))
        match placement.kind:
            case PlacementKind.MOVE:
                return (*made, Step(StepKind.MOVED, source, to=to, print=self._print(source)))
            case PlacementKind.COPY:
                return (*made, Step(StepKind.ARRIVED, to, print=self._print(source)))
            case PlacementKind.DELETE:
                return (Step(StepKind.KEPT, source, slot=new_entry_name(), print=self._print(source)),)
            case PlacementKind.FOLDER:
                return (*made, Step(StepKind.MADE, to))

    def _print(self, path: str) -> str:
        parts = components(path)
        with self._door.opened(parts[:-1], path) as inside:
            things = things_at(inside, parts[-1], path)
        if not things:
            raise ToolFailed(f"{quoted(path)} was changed meanwhile; nothing was done.")
        return print_of(things)


def acting_for(workspace: Workspace, deed: Deed) -> Workspace:
    """The workspace as a call uses it; one without a journal as it is."""
    return workspace.acting_for(deed) if isinstance(workspace, JournaledWorkspace) else workspace


@contextmanager
def _told(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise readable(error, path) from error


def _title(placement: Placement) -> str:
    match placement.kind:
        case PlacementKind.MOVE | PlacementKind.COPY:
            return f"{placement.kind.value} {placement.source} to {placement.destination}"
        case PlacementKind.DELETE:
            return f"delete {placement.source}"
        case PlacementKind.FOLDER:
            return f"make the folder {placement.destination}"


def _bare(steps: Sequence[Step]) -> list[Step]:
    """Without the names of entries that will be made."""
    return [replace(step, slot="") for step in steps]

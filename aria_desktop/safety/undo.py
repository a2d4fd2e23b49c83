"""What taking changes back would do, found out without doing any of it.

A change is taken back only where what it left is still exactly there: the same bytes under the same name. What was
changed since is refused with the reason, alone; the rest can still be taken back. What a change that was cut off did
is seen on disk, and only that is taken back. All is tried on a picture of the disk (`journal_tree`), newest first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from aria_desktop.core.errors import AriaError
from aria_desktop.safety.door import Door
from aria_desktop.safety.entries import EntryKind
from aria_desktop.safety.journal import Action, ActionState, Step, StepKind
from aria_desktop.safety.journal_tree import Item, Things, Tree, print_of, things_at
from aria_desktop.safety.names import quoted
from aria_desktop.safety.trash import KEPT, Trash, new_entry_name


class _Changed(Exception):
    """Something is no longer as the change left it; the text says what."""


class _Idle(Exception):
    """All is as it was before the change."""


@dataclass(frozen=True, slots=True)
class Back:
    """One change, and the steps that take it back, in order."""

    action: Action
    steps: tuple[Step, ...]
    sources: Mapping[str, str] = field(default_factory=dict)
    """For a file that is rewritten, by its path: the entry of the trash with the bytes that it gets."""


@dataclass(frozen=True, slots=True)
class Refused:
    action: Action
    reason: str
    """A sentence."""


@dataclass(frozen=True, slots=True)
class UndoPlan:
    back: tuple[Back, ...]
    """In the order in which they are carried out: newest first."""
    refused: tuple[Refused, ...]
    idle: tuple[Action, ...]
    """All is as it was before these: they never came to it, or somebody put it right."""
    before: Things
    """What lies at the places that are concerned now, by path."""
    after: Things
    """What will lie there."""
    sources: Mapping[str, str]
    """Tokens of files that lie in the trash, and the entries with their bytes."""
    stays: tuple[str, ...]
    """Folders that a change made and that stay, as they hold other things by now."""


def planned(door: Door, trash: Trash, actions: Sequence[Action]) -> UndoPlan:
    """What taking back `actions` would do. Touches nothing.

    Args:
        actions: in any order, all of the workspace that `door` holds open.
    """
    tree = Tree.read(door, *_places(actions))
    kept = _Kept(trash, actions)
    trial = _Trial(tree, kept)
    before = tree.items
    back: list[Back] = []
    refused: list[Refused] = []
    idle: list[Action] = []
    for action in sorted(actions, key=lambda action: -action.number):
        try:
            back.append(trial.taken_back(action))
        except _Changed as changed:
            refused.append(Refused(action, str(changed)))
        except _Idle:
            idle.append(action)
    return UndoPlan(
        tuple(back),
        tuple(refused),
        tuple(idle),
        before,
        trial.tree.items,
        kept.sources(),
        tuple(sorted(set(trial.stays))),
    )


def _places(actions: Sequence[Action]) -> tuple[list[str], list[str]]:
    """Paths to read whole, and folders of which only the names in them matter."""
    whole: list[str] = []
    folders: list[str] = []
    for step in (step for action in actions for step in action.steps):
        if step.kind in (StepKind.MADE, StepKind.REMOVED):
            folders.append(step.path)
        else:
            whole += [path for path in (step.path, step.to) if path]
    return whole, folders


class _Kept:
    """What the entries of the trash hold, as far as the actions name them."""

    def __init__(self, trash: Trash, actions: Sequence[Action]) -> None:
        self._things: dict[str, dict[str, Item]] = {}
        for slot in {step.slot for action in actions for step in action.steps if step.slot}:
            try:
                with trash.opened(slot) as inside:
                    self._things[slot] = things_at(inside, KEPT, slot)
            except (OSError, AriaError):
                self._things[slot] = {}

    def things(self, slot: str, expected: str) -> dict[str, Item]:
        """Raises _Changed when the bytes are gone, or are others."""
        things = self._things.get(slot, {})
        if not things:
            raise _Changed("What it replaced or deleted is no longer kept.")
        if print_of(things) != expected:
            raise _Changed("What was kept of it is damaged.")
        return things

    def holds(self, slot: str) -> bool:
        return bool(self._things.get(slot))

    def sources(self) -> dict[str, str]:
        things = [(slot, found[""]) for slot, found in self._things.items() if found]
        return {item.token: slot for slot, item in things if item.kind is EntryKind.FILE}


class _Trial:
    """The picture, changed step by step."""

    def __init__(self, tree: Tree, kept: _Kept) -> None:
        self.tree = tree
        self.stays: list[str] = []
        self._kept = kept
        self._sources: dict[str, str] = {}
        self._replaced: dict[str, Step] = {}
        """What the change that is tried put into the trash, by the path at which it lay."""

    def taken_back(self, action: Action) -> Back:
        """Raises _Changed and _Idle, with the picture as it was."""
        if action.state is ActionState.DAMAGED:
            raise _Changed("The record of this change is damaged.")
        tree, self._sources = self.tree.copy(), {}
        self._replaced = {step.path: step for step in action.steps if step.kind is StepKind.KEPT}
        stays = len(self.stays)
        try:
            steps = [new for step in reversed(action.steps) for new in self._inverse(step)]
        except _Changed:
            self.tree = tree
            del self.stays[stays:]
            raise
        if not steps:
            self.tree = tree
            raise _Idle
        return Back(action, tuple(steps), self._sources)

    def _inverse(self, step: Step) -> Iterator[Step]:
        for path in (step.path, step.to):
            if reason := self.tree.trouble(path):
                raise _Changed(reason)
        match step.kind:
            case StepKind.MADE:
                yield from self._remove(step)
            case StepKind.REMOVED:
                yield from self._make(step.path, step.mode)
            case StepKind.MOVED:
                yield from self._move_back(step)
            case StepKind.KEPT:
                yield from self._bring_back(step)
            case StepKind.ARRIVED:
                yield from self._put_away(step)
            case StepKind.REWRITTEN:
                yield from self._write_back(step)
            case StepKind.RIGHTS:
                yield from self._give_rights_back(step)

    def _remove(self, step: Step) -> Iterator[Step]:
        there = self.tree.at(step.path)
        if there is None:
            return
        if there.kind is not EntryKind.FOLDER or len(self.tree.things(step.path)) > 1:
            self.stays.append(step.path)
            return
        self.tree.take(step.path)
        yield Step(StepKind.REMOVED, step.path, mode=there.mode)

    def _make(self, path: str, mode: int) -> Iterator[Step]:
        there = self.tree.at(path)
        if there is not None and there.kind is EntryKind.FOLDER:
            return
        if there is not None:
            raise _Changed(f"There is something called {quoted(path)} now.")
        yield from self._folders(path)
        self.tree.put(path, {"": Item(EntryKind.FOLDER, "", mode)})
        yield Step(StepKind.MADE, path, mode=mode)

    def _folders(self, path: str) -> Iterator[Step]:
        if blocking := self.tree.in_the_way(path):
            raise _Changed(f"There is something called {quoted(blocking)} now.")
        for folder in self.tree.missing_folders(path):
            self.tree.put(folder, {"": Item(EntryKind.FOLDER, "", 0)})
            yield Step(StepKind.MADE, folder)

    def _move_back(self, step: Step) -> Iterator[Step]:
        here, there = self.tree.print(step.path), self.tree.print(step.to)
        if here == step.print and (not there or self._still_there(step.to)):
            return
        if there != step.print:
            raise _Changed(_what_is(step.to, there))
        if here:
            raise _Changed(f"There is something called {quoted(step.path)} now.")
        things = self.tree.take(step.to)
        yield from self._folders(step.path)
        self.tree.put(step.path, things)
        yield Step(StepKind.MOVED, step.to, to=step.path, print=step.print)

    def _bring_back(self, step: Step) -> Iterator[Step]:
        here = self.tree.print(step.path)
        if here == step.print:
            return
        things = self._kept.things(step.slot, step.print)
        if here:
            raise _Changed(f"There is something called {quoted(step.path)} now.")
        yield from self._folders(step.path)
        self.tree.put(step.path, things)
        yield Step(StepKind.ARRIVED, step.path, slot=step.slot, print=step.print)

    def _put_away(self, step: Step) -> Iterator[Step]:
        here = self.tree.print(step.path)
        if not here or self._still_there(step.path):
            return
        if here != step.print:
            raise _Changed(_what_is(step.path, here))
        self.tree.take(step.path)
        yield Step(StepKind.KEPT, step.path, slot=new_entry_name(), print=step.print)

    def _still_there(self, path: str) -> bool:
        """What was to be replaced lies there as before: the change was cut off before it began."""
        replaced = self._replaced.get(path)
        return replaced is not None and self.tree.print(path) == replaced.print and not self._kept.holds(replaced.slot)

    def _write_back(self, step: Step) -> Iterator[Step]:
        here = self.tree.print(step.path)
        if here == step.before:
            return
        if here != step.print:
            raise _Changed(_what_is(step.path, here))
        things = self._kept.things(step.slot, step.before)
        self.tree.take(step.path)
        self.tree.put(step.path, things)
        self._sources[step.path] = step.slot
        yield Step(StepKind.REWRITTEN, step.path, slot=new_entry_name(), print=step.before, before=step.print)

    def _give_rights_back(self, step: Step) -> Iterator[Step]:
        there, here = self.tree.at(step.path), self.tree.print(step.path)
        if there is None or here != step.print:
            raise _Changed(_what_is(step.path, here))
        if there.mode == step.was_mode:
            return
        if there.mode != step.mode:
            raise _Changed(f"The rights of {quoted(step.path)} were changed since.")
        self.tree.put(step.path, {"": replace(there, mode=step.was_mode)})
        yield replace(step, mode=step.was_mode, was_mode=step.mode)


def _what_is(path: str, found: str) -> str:
    return f"{quoted(path)} was changed since." if found else f"{quoted(path)} is gone."

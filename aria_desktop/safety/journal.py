"""The journal: what ARIA changed in workspaces, written down before it is changed, so that it can be taken back.

One file per change, in ARIA's own data. What must stay true:

* The record of a change, and the old bytes that it names (in `trash`), are on disk before the change begins. A
  second file says how it ended. A record without one is of a change that was cut off: it may or may not have
  happened, and what is on disk tells.
* Records only tell; nothing here ever makes one happen again.
* A number is never given twice while its record, or a later one, is kept.
* Bytes go after `Keeping.days`, or when all together are too many: oldest first, and never those of the newest turn.
"""

from __future__ import annotations

import json
import os
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from aria_desktop.core import regular
from aria_desktop.core.errors import AriaError
from aria_desktop.safety.descriptors import put_file, readable, sync_folder
from aria_desktop.safety.leftovers import temporary_name
from aria_desktop.safety.names import components, refuse_protected
from aria_desktop.safety.renaming import rename_new
from aria_desktop.safety.trash_content import TrashContent

RECORD = ".json"
END = ".end"
TIDY_EVERY_S = 3600.0
_PERMISSIONS = frozenset(range(0o10000))
_SLOT = re.compile(r"|[0-9]{8}T[0-9]{6}Z-[0-9a-f]{8}")
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


class StepKind(StrEnum):
    MADE = "made"
    """A folder."""
    REMOVED = "removed"
    """An empty folder."""
    MOVED = "moved"
    """From `path` to `to`."""
    KEPT = "kept"
    """From `path` to the trash, as `slot`."""
    ARRIVED = "arrived"
    """At `path`, out of the trash or new."""
    REWRITTEN = "rewritten"
    """The file's bytes were replaced; a copy of the old ones is in the trash, as `slot`."""
    RIGHTS = "rights"
    """The file's permission bits, which were `was_mode`, are `mode`."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that is different after a change. Paths are relative to the workspace, with /."""

    kind: StepKind
    path: str
    to: str = ""
    slot: str = ""
    """Entry of the trash."""
    print: str = ""
    """Of the thing after the step; see `journal_tree.print_of`."""
    before: str = ""
    """Of the file before it was rewritten."""
    mode: int = 0
    """Permission bits: of a folder that was made or removed, or of a file that got other ones."""
    was_mode: int = 0
    """Permission bits of the file before it got other ones."""


class ActionState(StrEnum):
    DONE = "done"
    FAILED = "failed"
    """It was said not to have worked."""
    UNKNOWN = "unknown"
    """It was cut off, or runs right now."""
    NO_EFFECT = "no effect"
    """It was looked at, and all is as it was before: it never came to it, or somebody put it right."""
    DAMAGED = "damaged"
    """Its record can't be read; nothing of it is known but its number."""


@dataclass(frozen=True, slots=True)
class Deed:
    """On whose behalf something is changed."""

    turn_id: str = ""
    """Empty outside of turns."""
    call_id: str = ""
    tool: str = ""


@dataclass(frozen=True, slots=True)
class Action:
    number: int
    state: ActionState
    deed: Deed
    workspace: str
    """Absolute."""
    title: str
    """For instance "edit notes.txt"."""
    steps: tuple[Step, ...]
    undoes: int
    """Number of the action that this one took back; 0 for none."""
    at: float
    """Unix time."""


@dataclass(frozen=True, slots=True)
class Keeping:
    days: int = 30
    size: int = 1_000_000_000
    """Bytes of all that is kept."""


@dataclass(frozen=True, slots=True)
class Intended:
    """A change as it is written down before it begins."""

    deed: Deed
    workspace: str
    title: str
    steps: tuple[Step, ...]
    undoes: int = 0


class Journal:
    """All methods may be called from any thread. Only the owner of the database writes (see `storage.lock`)."""

    def __init__(
        self, folder: Path, trash: Path, keeping: Keeping = Keeping(), clock: Callable[[], float] = time.time
    ) -> None:
        """Both folders are made when they are needed."""
        self.trash = trash
        self.keeping = keeping
        self._folder = folder
        self._clock = clock
        self._lock = threading.RLock()
        self._due = 0.0
        self._size = 0
        """Bytes of all that is kept, as of the last time it was tidied, and of what was put there since."""

    def actions(self) -> tuple[Action, ...]:
        """Oldest first."""
        return tuple(self._read(number) for number in self._numbers())

    @contextmanager
    def recording(self, intended: Intended) -> Iterator[int]:
        """The change is made in the body. Raises AriaError, with nothing changed, when it can't be written down.

        Yields its number.
        """
        with self._lock:
            number = self._begin(intended)
            try:
                yield number
            except BaseException:
                self._end(number, ActionState.FAILED)
                raise
            self._end(number, ActionState.DONE)

    def settle(self, actions: Sequence[Action]) -> None:
        """Write down that these were found to have no effect."""
        with self._lock:
            for action in actions:
                self._end(action.number, ActionState.NO_EFFECT)

    def tidy_when_due(self, slots: Sequence[str]) -> None:
        """Tidy when it was not done for an hour, or when `slots`, which were filled since, make it too much."""
        with self._lock:
            content = TrashContent(self.trash)
            self._size += sum(content.size_of(slot) for slot in slots)
            if self._clock() >= self._due or self._size > self.keeping.size:
                self.tidy()

    def tidy(self) -> int:
        """Drop what is too old or too much. Returns how many records and loose entries went."""
        with self._lock:
            self._due = self._clock() + TIDY_EVERY_S
            content, actions = TrashContent(self.trash), self.actions()
            newest = newest_turn(actions)
            oldest_kept = self._clock() - self.keeping.days * 86_400
            dropped, size = 0, content.size()
            for action in actions:
                if action.number in newest:
                    continue
                if action.at >= oldest_kept and size <= self.keeping.size:
                    continue
                size -= sum(content.remove(step.slot) for step in action.steps if step.slot)
                self._forget(action.number)
                dropped += 1
            known = {step.slot for action in self.actions() for step in action.steps}
            dropped += content.remove_loose(known, oldest_kept, size - self.keeping.size)
            self._size = content.size()
            return dropped

    def _numbers(self) -> list[int]:
        try:
            names = [path.name for path in self._folder.iterdir()]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise self._unusable(error) from error
        stems = {name.removesuffix(RECORD) for name in names if name.endswith(RECORD)}
        return sorted(int(stem) for stem in stems if stem.isascii() and stem.isdigit())

    def _read(self, number: int) -> Action:
        record, written = self._folder / f"{number:08d}{RECORD}", 0.0
        try:
            written = record.stat().st_mtime
            return _action(number, json.loads(regular.content(record)), self._state(number))
        except (AriaError, OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return Action(number, ActionState.DAMAGED, Deed(), "", "", (), 0, written)

    def _state(self, number: int) -> ActionState:
        try:
            return ActionState(regular.content(self._folder / f"{number:08d}{END}").decode("ascii"))
        except (OSError, ValueError):
            return ActionState.UNKNOWN

    def _begin(self, intended: Intended) -> int:
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            number = max(self._numbers(), default=0) + 1
            record = json.dumps({"at": self._clock(), **asdict(intended)}, indent=1)
            self._put(f"{number:08d}{RECORD}", record.encode())
        except OSError as error:
            raise readable(error, "ARIA's journal") from error
        return number

    def _end(self, number: int, state: ActionState) -> None:
        """What was done stays done also when this can't be written: then it is not known to have ended."""
        with suppress(OSError):
            self._put(f"{number:08d}{END}", state.value.encode())

    def _put(self, name: str, content: bytes) -> None:
        """Raises FileExistsError for a record that another process has made meanwhile."""
        inside = os.open(self._folder, _FOLDER)
        try:
            if name.endswith(END):
                put_file(inside, name, content, 0o600)
                return
            fresh = temporary_name()
            put_file(inside, fresh, content, 0o600)
            rename_new(inside, fresh, inside, name)
            sync_folder(inside)
        finally:
            os.close(inside)

    def _forget(self, number: int) -> None:
        """The end goes last: a record that is left would be taken for one that was cut off."""
        for ending in (RECORD, END):
            (self._folder / f"{number:08d}{ending}").unlink(missing_ok=True)

    def _unusable(self, error: OSError) -> AriaError:
        return AriaError(f"The journal {self._folder} can't be used: {error.strerror}.", "Look at its rights.")


def newest_turn(actions: Sequence[Action]) -> frozenset[int]:
    """The numbers of the last change, of those that were made in the same turn, and of what they took back."""
    if not actions:
        return frozenset()
    turn = actions[-1].deed.turn_id
    newest = [actions[-1], *(action for action in actions if turn and action.deed.turn_id == turn)]
    return frozenset(number for action in newest for number in (action.number, action.undoes))


def _action(number: int, data: dict[str, Any], state: ActionState) -> Action:
    return Action(
        number,
        state,
        Deed(**data["deed"]),
        str(data["workspace"]),
        str(data["title"]),
        tuple(_step(step) for step in data["steps"]),
        int(data["undoes"]),
        float(data["at"]),
    )


def _step(data: dict[str, Any]) -> Step:
    """Raises ValueError and its like for one that no change of ours makes: a record is not trusted to name places."""
    step = Step(**{**data, "kind": StepKind(data["kind"])})
    for path in (step.path, step.to) if step.kind is StepKind.MOVED or step.to else (step.path,):
        parts = components(path)
        if not parts or "/".join(parts) != path:
            raise ValueError(path)
        refuse_protected(parts)
    if not _SLOT.fullmatch(step.slot) or not {step.mode, step.was_mode} <= _PERMISSIONS:
        raise ValueError(step.slot)
    if not isinstance(step.print, str) or not isinstance(step.before, str):
        raise TypeError(step.print)
    return step

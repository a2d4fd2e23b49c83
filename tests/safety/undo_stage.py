"""A journaled workspace for tests, what lies in it to the byte, and a long turn of changes in it."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from aria_desktop.safety import undo_choice
from aria_desktop.safety.journal import Action, Deed, Journal, Keeping
from aria_desktop.safety.journaled import JournaledWorkspace, TakenBack

State = dict[str, tuple[str, int, int, bytes]]
"""Kind, permission bits, time of writing (files only) and bytes, by path."""


def state_of(root: Path) -> State:
    return {str(path.relative_to(root)): _told(path) for path in sorted(root.rglob("*"))}


def _told(path: Path) -> tuple[str, int, int, bytes]:
    found = path.lstat()
    if stat.S_ISDIR(found.st_mode):
        return "folder", stat.S_IMODE(found.st_mode), 0, b""
    return "file", stat.S_IMODE(found.st_mode), found.st_mtime_ns, path.read_bytes()


@dataclass(frozen=True)
class Stage:
    root: Path
    home: Path
    limits: Keeping = field(default_factory=Keeping)

    @property
    def journal(self) -> Journal:
        return Journal(self.home / "journal", self.home / "trash", self.limits)

    def keeping(self, keeping: Keeping, clock: Callable[[], float]) -> Journal:
        return Journal(self.home / "journal", self.home / "trash", keeping, clock)

    @contextmanager
    def acting(
        self, turn: str = "t1", call: str = "c1", journal: Journal | None = None
    ) -> Iterator[JournaledWorkspace]:
        with JournaledWorkspace(self.root, journal or self.journal) as workspace:
            yield workspace.acting_for(Deed(turn, call, "a_tool"))

    def actions(self) -> tuple[Action, ...]:
        return self.journal.actions()

    def undo(self, actions: tuple[Action, ...], turn: str) -> TakenBack:
        with self.acting(turn) as workspace:
            plan = workspace.plan_undo(actions)
            assert not plan.refused, plan.refused
            return workspace.take_back(plan)

    def undo_turn(self, turn: str = "", by: str = "undo") -> TakenBack:
        return self.undo(undo_choice.of_turn(self.actions(), turn), by)

    def undo_undo(self, by: str = "again") -> TakenBack:
        return self.undo(undo_choice.last_undo(self.actions()), by)


def furnished(root: Path) -> None:
    """Files with unusual bytes, permissions and times."""
    (root / "notes").mkdir(mode=0o750)
    contents = {
        "a.txt": b"one\r\ntwo\r\n",
        "b.txt": "\ufeffäö€\n".encode("utf-16-le"),
        "notes/c.md": b"no end of line",
        "notes/d.bin": bytes(range(256)),
        "script.sh": b"#!/bin/sh\n",
    }
    for number, (name, content) in enumerate(contents.items()):
        path = root / name
        path.write_bytes(content)
        path.chmod((0o644, 0o600, 0o640, 0o444, 0o755)[number])
        os.utime(path, ns=(10**18 + number, 10**18 + 123_456_789 + number))


def ten_actions(workspace: JournaledWorkspace) -> None:
    """One of each kind and more, several of them on the same files."""
    carry, apply = workspace.carry_out, workspace.apply
    apply(workspace.plan_append("a.txt", "three"))
    apply(workspace.plan_edit("a.txt", workspace.read_text("a.txt"), workspace.read_text("a.txt").upper()))
    apply(workspace.plan_write("deep/er/new.txt", "fresh\n"))
    carry(workspace.plan_move("a.txt", "deep/a.txt"))
    carry(workspace.plan_copy("notes/d.bin", "deep/er/new.txt"))
    carry(workspace.plan_delete("notes/c.md"))
    carry(workspace.plan_folder("empty/inner"))
    carry(workspace.plan_move("notes", "empty/inner/"))
    apply(workspace.plan_write("b.txt", "another text\n"))
    carry(workspace.plan_delete("deep"))

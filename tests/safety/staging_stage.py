"""A workspace with a journal, commands that run over it in a layer, and the same ones run plainly beside it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from aria_desktop.core.cancel import CancelToken
from aria_desktop.safety.cage import CageLimits, System
from aria_desktop.safety.cage_run import Ran, run_command
from aria_desktop.safety.journal import Deed, Journal
from aria_desktop.safety.journaled import JournaledWorkspace
from aria_desktop.safety.stage import Stage
from aria_desktop.safety.staged import Staged
from tests.safety.layers import Picture, picture_of, readable_system
from tests.safety.users import acting_as, folder_for

LIMITS = CageLimits(seconds=20.0)


@dataclass(frozen=True)
class Bed:
    folder: Path
    system: System

    @property
    def root(self) -> Path:
        return self.folder / "ws"

    @property
    def outside(self) -> Path:
        return self.folder / "outside"

    @property
    def staging(self) -> Path:
        return self.folder / "data" / "staging"

    @property
    def journal(self) -> Journal:
        return Journal(self.folder / "data" / "journal", self.folder / "data" / "trash")

    @contextmanager
    def opened(self) -> Iterator[JournaledWorkspace]:
        with JournaledWorkspace(self.root, self.journal) as workspace:
            yield workspace.acting_for(Deed("t1", "c1", "run_terminal"))

    def run(self, command: str, stage: Stage) -> Ran:
        return run_command(self.system, command, self.root, LIMITS, lambda _: None, CancelToken(), stage.layer)

    def refused(self, command: str) -> Staged:
        """Run, and nothing of it is kept."""
        with Stage(self.staging) as stage, self.opened() as workspace:
            self.run(command, stage)
            return workspace.staged(stage.layer.changes, CancelToken())

    def kept(self, command: str) -> Staged:
        """Run, and all of it is kept that can be; a command that changed nothing is no change."""
        with Stage(self.staging) as stage, self.opened() as workspace:
            self.run(command, stage)
            staged = workspace.staged(stage.layer.changes, CancelToken())
            if staged.changes:
                workspace.take_over(stage.layer.changes, staged, "command")
            return staged

    def taken_back(self) -> None:
        """The last change."""
        with self.opened() as workspace:
            plan = workspace.plan_undo(self.journal.actions()[-1:])
            assert not plan.refused, plan.refused
            assert workspace.take_back(plan).fault == ""

    def plainly(self, command: str) -> None:
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder), "LANG": "C.UTF-8"}
        nothing = subprocess.DEVNULL
        subprocess.run(
            ["/usr/bin/bash", "-c", command],
            cwd=self.root, env=environment, stdin=nothing, stdout=nothing, stderr=nothing, timeout=20, check=False,
        )  # fmt: skip

    def picture(self) -> tuple[Picture, Picture]:
        """Of the workspace, and of what lies outside."""
        return picture_of(self.root), picture_of(self.outside)


@contextmanager
def bed(uid: int) -> Iterator[Bed]:
    with folder_for(uid) as folder:
        system = readable_system(folder)
        with acting_as(uid):
            made = Bed(folder, system)
            furnish(made)
            yield made
            _open_up(made.root)


def furnish(made: Bed) -> None:
    """Files with unusual bytes, permissions and times, a hook of git's, and a file with a second name outside."""
    contents = {
        "a.txt": b"one\r\ntwo\r\n",
        "b.bin": bytes(range(256)),
        "c d.md": "äö€ no end of line".encode(),
        "run.sh": b"#!/bin/sh\n",
        "sub/deep/e.txt": b"deep\n",
        "sub/f.txt": b"flat\n",
        "project/.git/hooks/pre-commit": b"as it was\n",
        "project/code.py": b"print()\n",
    }
    for number, (name, content) in enumerate(contents.items()):
        path = made.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod((0o644, 0o600, 0o640, 0o755)[number % 4])
        os.utime(path, ns=(10**18 + number, 10**18 + 123_456_789 + number))
    (made.root / "sub").chmod(0o750)
    (made.root / "empty").mkdir()
    made.outside.mkdir()
    (made.outside / "canary").write_text("as it was\n")
    (made.root / "twin").hardlink_to(made.outside / "canary")


def _open_up(root: Path) -> None:
    """What a command left without rights could not be removed by pytest."""
    for outer, folders, _ in os.walk(root):
        for name in folders:
            if not (Path(outer) / name).is_symlink():
                (Path(outer) / name).chmod(0o700)

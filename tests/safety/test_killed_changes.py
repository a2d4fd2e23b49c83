"""A change that is killed between its steps leaves nothing that the door later refuses."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from aria_desktop.safety import leftovers, renaming
from aria_desktop.safety.paths import Workspace
from tests.conftest import REPOSITORY

VICTIM = """
import os, signal, sys
from pathlib import Path
from aria_desktop.safety import renaming
from aria_desktop.safety.paths import Workspace

root, step = Path(sys.argv[1]), sys.argv[2]
die = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
if step == "unlink":
    renaming._renameat2 = None
    os.unlink = die
else:
    rename = renaming._renameat2
    def renamed_and_dead(*arguments):
        rename(*arguments)
        die()
    renaming._renameat2 = renamed_and_dead
with Workspace(root) as workspace:
    workspace.apply(workspace.plan_write("b.txt", "whole\\n"))
"""


def killed(root: Path, step: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", VICTIM, str(root), step], cwd=REPOSITORY, check=False, timeout=60, capture_output=True
    )
    assert ended.returncode == -signal.SIGKILL, ended.stderr.decode()


def test_after_a_kill_behind_the_kernel_s_rename_there_is_one_whole_file_with_one_name(tmp_path: Path) -> None:
    assert renaming._renameat2 is not None
    killed(tmp_path, "rename")
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["b.txt"]
    assert (tmp_path / "b.txt").stat().st_nlink == 1
    with Workspace(tmp_path) as workspace:
        assert workspace.read_text("b.txt") == "whole\n"


def test_a_second_name_left_by_the_steps_is_known_and_taken_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed(tmp_path, "unlink")
    assert (tmp_path / "b.txt").stat().st_nlink == 2
    with Workspace(tmp_path) as workspace:
        assert workspace.read_text("b.txt") == "whole\n"
        change = workspace.plan_append("b.txt", "more")
        monkeypatch.setattr(leftovers, "STARTED_NS", time.time_ns() + 10**9)
        workspace.apply(change)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["b.txt"]
    assert (tmp_path / "b.txt").read_text() == "whole\nmore\n"


def test_only_old_files_of_our_own_form_are_swept(tmp_path: Path) -> None:
    old, young, others = ".aria-0123456789ab.tmp", ".aria-ba9876543210.tmp", [".aria-x.tmp", "a.tmp"]
    for name in (old, young, *others):
        (tmp_path / name).touch()
    for name in (old, *others):
        os.utime(tmp_path / name, ns=(0, 0))
    (tmp_path / ".aria-000000000000.tmp").mkdir()
    inside = os.open(tmp_path, os.O_RDONLY)
    try:
        leftovers.sweep(inside)
    finally:
        os.close(inside)
    left = {path.name for path in tmp_path.iterdir()} - {"aria-home"}
    assert left == {young, *others, ".aria-000000000000.tmp"}


def test_a_name_that_is_taken_is_never_replaced_in_either_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_text("mine")
    (tmp_path / "b").write_text("theirs")
    inside = os.open(tmp_path, os.O_RDONLY)
    try:
        for kernel in (renaming._renameat2, None):
            monkeypatch.setattr(renaming, "_renameat2", kernel)
            with pytest.raises(FileExistsError):
                renaming.rename_new(inside, "a", inside, "b")
            renaming.rename_new(inside, "a", inside, "c")
            assert ((tmp_path / "b").read_text(), (tmp_path / "c").read_text()) == ("theirs", "mine")
            assert (tmp_path / "c").stat().st_nlink == 1
            (tmp_path / "folder").mkdir()
            renaming.rename_new(inside, "folder", inside, "other")
            (tmp_path / "other").rmdir()
            (tmp_path / "c").rename(tmp_path / "a")
    finally:
        os.close(inside)

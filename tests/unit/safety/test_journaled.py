"""No change goes past the journal, and a fault on the way leaves all as it was."""

from __future__ import annotations

import errno
import inspect
import os
from pathlib import Path

import pytest

from aria_desktop.core.errors import DiskFull, ToolFailed
from aria_desktop.safety import undo_choice
from aria_desktop.safety.journal import ActionState, Deed, Step
from aria_desktop.safety.journaled import JournaledWorkspace, acting_for
from aria_desktop.safety.paths import Workspace
from aria_desktop.safety.undo_steps import Steps
from tests.safety.undo_stage import Stage, furnished, state_of, ten_actions

LOOKS = {
    "close", "entries", "fault", "kind_of", "listing", "plan_append", "plan_copy", "plan_delete", "plan_edit",
    "plan_folder", "plan_move", "plan_write", "read_text", "text_or_none",
}  # fmt: skip
CHANGES = {"apply", "carry_out"}


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    root = tmp_path / "ws"
    root.mkdir()
    furnished(root)
    return Stage(root, tmp_path / "data")


def test_every_method_that_changes_something_is_journaled() -> None:
    """A new method of the door has to be journaled too, or to be one of those that only look."""
    public = {name for name, _ in inspect.getmembers(Workspace, inspect.isfunction) if not name.startswith("_")}
    new = public - LOOKS - CHANGES
    assert all(getattr(JournaledWorkspace, name) is not getattr(Workspace, name) for name in CHANGES | new), new


def test_a_workspace_without_a_journal_is_used_as_it_is(stage: Stage) -> None:
    with Workspace(stage.root) as plain:
        assert acting_for(plain, Deed("t", "c", "x")) is plain


@pytest.mark.parametrize("number", range(1, 14))
def test_a_disk_that_is_full_at_any_write_leaves_the_file_whole(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    before, calls, real = state_of(stage.root), [0], os.fsync

    def full(descriptor: int) -> None:
        calls[0] += 1
        if calls[0] == number:
            raise OSError(errno.ENOSPC, "no space")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    with stage.acting() as workspace:
        change = workspace.plan_append("script.sh", "more")
        try:
            workspace.apply(change)
        except DiskFull:
            assert state_of(stage.root) == before
        else:
            assert workspace.read_text("script.sh").endswith("more\n")
            monkeypatch.undo()
            stage.undo(undo_choice.of_turn(stage.actions()), "u")
            assert state_of(stage.root) == before


@pytest.mark.parametrize("number", range(1, 14))
def test_an_undo_of_a_change_that_fails_on_the_way_is_no_undo(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    before = state_of(stage.root)
    with stage.acting() as workspace:
        ten_actions(workspace)
    real, calls = Steps._carry, [0]

    def failing(self: Steps, step: Step, source: str) -> None:
        calls[0] += 1
        if calls[0] == number:
            raise ToolFailed("The disk has a fault.")
        real(self, step, source)

    with monkeypatch.context() as patched, stage.acting("u") as workspace:
        patched.setattr(Steps, "_carry", failing)
        taken = workspace.take_back(workspace.plan_undo(undo_choice.of_turn(stage.actions(), "t1")))
        assert "The disk has a fault." in taken.fault
    assert [action.state for action in stage.actions() if action.undoes][-1] is ActionState.FAILED
    assert len(taken.numbers) == len([a for a in stage.actions() if a.undoes]) - 1
    stage.undo_turn("t1")
    assert state_of(stage.root) == before


def test_a_change_that_the_door_refuses_is_written_down_as_failed(stage: Stage) -> None:
    with stage.acting() as workspace:
        change = workspace.plan_append("a.txt", "x")
        (stage.root / "a.txt").write_bytes(b"mine")
        with pytest.raises(ToolFailed, match="changed meanwhile"):
            workspace.apply(change)
    assert [action.state for action in stage.actions()] == [ActionState.FAILED]
    assert (stage.root / "a.txt").read_bytes() == b"mine"

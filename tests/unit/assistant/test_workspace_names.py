"""Names of the workspace: those that the model is told, and those that code knows beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from aria_desktop.assistant import workspace_names
from aria_desktop.assistant.workspace_names import SHOWN, names_in
from aria_desktop.safety.paths import Workspace


def test_file_names_are_told_as_paths_without_hidden_ones(tmp_path: Path) -> None:
    (tmp_path / "notes" / "old").mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").touch()
    for name in ("b.txt", "a\n.txt", "notes/today.md", "notes/old/x", ".hidden"):
        (tmp_path / name).touch()
    (tmp_path / "link").symlink_to("b.txt")
    with Workspace(tmp_path) as workspace:
        assert names_in(workspace).shown == (
            "a<U+000A>.txt", "b.txt", "notes/", "notes/old/", "notes/today.md", "notes/old/x",
        )  # fmt: skip


def test_many_names_are_cut_and_that_is_said(tmp_path: Path) -> None:
    for number in range(SHOWN + 10):
        (tmp_path / f"{number:03}").touch()
    with Workspace(tmp_path) as workspace:
        names = names_in(workspace)
    assert len(names.shown) == SHOWN + 1
    assert names.shown[-2:] == ("039", "…")
    assert names.known[-1] == f"{SHOWN + 9:03}"


def test_a_folder_that_can_not_be_looked_into_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "a\u202eb").mkdir()
    (tmp_path / "c").touch()
    with Workspace(tmp_path) as workspace:
        assert names_in(workspace).shown == ("a<U+202E>b/", "c")


def test_more_than_code_knows_is_not_walked_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace_names, "KNOWN", 3)
    for folder in ("a", "b", "c", "d"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x").touch()
    with Workspace(tmp_path) as workspace:
        assert names_in(workspace).known == ("a/", "b/", "c/")

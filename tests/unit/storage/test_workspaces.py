"""The folders that were chosen: which can be, what is kept of them, and that another one in their place is noticed."""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from aria_desktop.core.errors import AriaError, StorageError, UsageError
from aria_desktop.safety import undo_choice
from aria_desktop.safety.journal import Deed, Journal
from aria_desktop.storage.paths import AppPaths, find_paths
from aria_desktop.storage.workspaces import NAME, WorkspaceChanged, Workspaces


@pytest.fixture
def paths(tmp_path: Path) -> AppPaths:
    for folder in ("a", "b", "models", "logs"):
        (tmp_path / folder).mkdir()
    return replace(find_paths(), output=tmp_path / "out", models=tmp_path / "models", logs=tmp_path / "logs")


@pytest.fixture
def workspaces(paths: AppPaths) -> Workspaces:
    return Workspaces(paths)


@pytest.fixture
def journal(paths: AppPaths) -> Journal:
    return Journal(paths.data / "journal", paths.data / "trash")


class TestChoosing:
    def test_the_default_one_is_there_without_a_list_and_looking_makes_none(
        self, workspaces: Workspaces, paths: AppPaths
    ) -> None:
        assert [(one.path, one.used, one.default, one.fault) for one in workspaces.listed()] == [
            (paths.output, True, True, "")
        ]
        assert workspaces.used() == paths.output
        assert not (paths.data / NAME).exists()

    def test_added_used_and_removed(self, workspaces: Workspaces, paths: AppPaths, tmp_path: Path) -> None:
        assert workspaces.add(tmp_path / "a") == tmp_path / "a"
        workspaces.add(tmp_path / "b" / ".." / "b")
        assert workspaces.used() == paths.output
        assert workspaces.use(tmp_path / "a") == workspaces.used() == tmp_path / "a"
        assert workspaces.names() == tuple(str(tmp_path / name) for name in ("out", "a", "b"))
        assert [one.used for one in workspaces.listed()] == [False, True, False]
        assert stat.S_IMODE((paths.data / NAME).stat().st_mode) == 0o600
        workspaces.remove(tmp_path / "a")
        assert workspaces.used() == paths.output
        assert workspaces.names() == (str(paths.output), str(tmp_path / "b"))
        assert (tmp_path / "a").is_dir()
        workspaces.use(tmp_path / "b")
        assert workspaces.use(paths.output) == workspaces.used() == paths.output

    def test_the_same_one_twice_is_one(self, workspaces: Workspaces, tmp_path: Path) -> None:
        for _ in range(2):
            workspaces.add(tmp_path / "a")
        assert len(workspaces.listed()) == 2

    def test_what_was_not_chosen_is_neither_used_nor_removed(self, workspaces: Workspaces, tmp_path: Path) -> None:
        for attempt in (workspaces.use, workspaces.remove):
            with pytest.raises(UsageError, match="no workspace that you have chosen"):
                attempt(tmp_path / "a")
        with pytest.raises(UsageError, match="default workspace can't be removed"):
            workspaces.remove(workspaces.default)

    @pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"folders": [{"path": 5}], "used": ""}', b'{"more": 1}'])
    def test_a_list_that_can_not_be_understood_is_said_and_can_be_begun_anew(
        self, workspaces: Workspaces, paths: AppPaths, data: bytes
    ) -> None:
        paths.data.mkdir(parents=True)
        (paths.data / NAME).write_bytes(data)
        for attempt in (workspaces.listed, workspaces.used):
            with pytest.raises(StorageError, match="no folder that you have chosen can be used") as caught:
                attempt()
            assert "aria workspace remove --all" in caught.value.hint
        workspaces.forget_all()
        assert workspaces.used() == paths.output


class TestWhatCanNotBeOne:
    @pytest.mark.parametrize(
        ("name", "reason"),
        [
            ("/", "home folder"),
            ("~", "home folder"),
            ("models", "keeps its own data"),
            ("models/some-model", "keeps its own data"),
            ("logs", "keeps its own data"),
            (".", "keeps its own data"),
            ("aria-home", "keeps its own data"),
            ("aria-home/data", "keeps its own data"),
            ("link", "a link leads from there to"),
            ("link/in", "a link leads from there to"),
            ("none", "no such file"),
            ("file", "it is no folder"),
            ("a\0b", "its name can't be used"),
        ],
    )
    def test_is_refused_with_the_reason(
        self, workspaces: Workspaces, paths: AppPaths, tmp_path: Path, name: str, reason: str
    ) -> None:
        for folder in (paths.data, tmp_path / "a" / "in", tmp_path / "models" / "some-model"):
            folder.mkdir(parents=True)
        (tmp_path / "link").symlink_to("a")
        (tmp_path / "file").touch()
        folder = {"/": Path("/"), "~": Path.home()}.get(name, tmp_path / name)
        with pytest.raises(UsageError, match=f"(?i){reason}") as caught:
            workspaces.add(folder)
        assert caught.value.hint
        assert not (paths.data / NAME).exists()

    def test_a_loop_of_links_is_refused(self, workspaces: Workspaces, tmp_path: Path) -> None:
        (tmp_path / "loop").symlink_to("loop")
        with pytest.raises(UsageError):
            workspaces.add(tmp_path / "loop")

    def test_a_folder_of_another_user_is_refused(
        self, workspaces: Workspaces, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Root could give one away; anybody else can only be another one than who owns it."""
        monkeypatch.setattr(os, "geteuid", lambda: (tmp_path / "a").stat().st_uid + 1)
        with pytest.raises(UsageError, match="belongs to another user"):
            workspaces.add(tmp_path / "a")

    def test_a_link_that_takes_the_place_of_a_chosen_one_is_not_followed(
        self, workspaces: Workspaces, journal: Journal, tmp_path: Path
    ) -> None:
        workspaces.add(tmp_path / "a")
        (tmp_path / "a").rmdir()
        (tmp_path / "a").symlink_to("b")
        with pytest.raises(WorkspaceChanged):
            workspaces.opened(tmp_path / "a", journal)
        assert "a link leads" in workspaces.listed()[1].fault


class TestWorking:
    def test_another_folder_in_the_place_of_a_chosen_one_is_noticed(
        self, workspaces: Workspaces, journal: Journal, tmp_path: Path
    ) -> None:
        workspaces.add(tmp_path / "a")
        workspaces.use(tmp_path / "a")
        with workspaces.opened(tmp_path / "a", journal) as workspace:
            assert workspace.root == tmp_path / "a"
        (tmp_path / "a").rename(tmp_path / "old")
        (tmp_path / "b").rename(tmp_path / "a")
        with pytest.raises(WorkspaceChanged, match="another one than the one that you chose") as caught:
            workspaces.opened(tmp_path / "a", journal)
        assert f"aria workspace add {tmp_path / 'a'}" in caught.value.hint
        with pytest.raises(WorkspaceChanged):
            workspaces.use(tmp_path / "a")
        assert workspaces.names() == (str(workspaces.default),)
        workspaces.add(tmp_path / "a")
        workspaces.opened(tmp_path / "a", journal).close()

    def test_it_is_the_folder_held_open_that_is_compared(
        self, workspaces: Workspaces, journal: Journal, tmp_path: Path
    ) -> None:
        workspaces.add(tmp_path / "a")
        with workspaces.opened(tmp_path / "a", journal) as workspace:
            (tmp_path / "a").rename(tmp_path / "old")
            (tmp_path / "b").rename(tmp_path / "a")
            assert workspace.identity == ((tmp_path / "old").stat().st_dev, (tmp_path / "old").stat().st_ino)
            with pytest.raises(WorkspaceChanged):
                workspaces.opened(tmp_path / "a", journal)
            workspace.apply(workspace.plan_write("x.txt", "x"))
        assert [path.name for path in (tmp_path / "old").iterdir()] == ["x.txt"]
        assert list((tmp_path / "a").iterdir()) == []

    def test_own_folders_are_never_worked_in(self, workspaces: Workspaces, paths: AppPaths, journal: Journal) -> None:
        for folder in (paths.data, paths.models, paths.logs, paths.config, Path.home()):
            with pytest.raises(UsageError):
                workspaces.opened(folder, journal)

    def test_a_chosen_one_that_is_gone_is_said_and_the_default_one_is_made(
        self, workspaces: Workspaces, journal: Journal, tmp_path: Path
    ) -> None:
        workspaces.add(tmp_path / "a")
        (tmp_path / "a").rmdir()
        with pytest.raises(AriaError, match="can't be opened"):
            workspaces.opened(tmp_path / "a", journal)
        workspaces.opened(workspaces.default, journal).close()
        assert workspaces.default.is_dir()

    def test_undo_and_trash_keep_to_their_workspace(
        self, workspaces: Workspaces, journal: Journal, tmp_path: Path
    ) -> None:
        for name in ("a", "b"):
            (tmp_path / name / "x.txt").write_text(name)
            with workspaces.opened(workspaces.add(tmp_path / name), journal) as opened:
                workspace = opened.acting_for(Deed(f"t-{name}", f"c-{name}", "delete_file"))
                workspace.carry_out(workspace.plan_delete("x.txt"))
        with workspaces.opened(tmp_path / "a", journal) as workspace:
            with pytest.raises(AriaError, match="not in"):
                workspace.plan_undo(undo_choice.of_turn(journal.actions(), "t-b"))
            plan = workspace.plan_undo(undo_choice.of_turn(journal.actions(), "t-a"))
            assert workspace.take_back(plan).fault == ""
        assert (tmp_path / "a" / "x.txt").read_text() == "a"
        assert not (tmp_path / "b" / "x.txt").exists()

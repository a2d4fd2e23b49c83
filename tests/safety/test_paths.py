"""The file door on a real file system: what passes, what is refused, and that nothing is left half done.

Layout: `ws/` is the workspace, `ws2/` and `secret` lie beside it. State is judged, never a text alone.
"""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from aria_desktop.core.errors import AriaError, DiskFull, ToolFailed
from aria_desktop.safety import descriptors, renaming
from aria_desktop.safety.descriptors import PathAliased, PathIsLink, PathNotRegular
from aria_desktop.safety.names import PathOutside
from aria_desktop.safety.paths import ChangeKind, EntryKind, FileMissing, Workspace


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "secret").write_text("outside")
    (tmp_path / "ws2").mkdir()
    (tmp_path / "ws2" / "f").write_text("beside")
    root = tmp_path / "ws"
    (root / "sub").mkdir(parents=True)
    (root / "a.txt").write_text("one\n")
    return root


@pytest.fixture
def workspace(root: Path) -> Iterator[Workspace]:
    with Workspace(root) as workspace:
        yield workspace


def everything(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


class TestReading:
    def test_a_file_is_read_whole_with_its_line_ends(self, root: Path, workspace: Workspace) -> None:
        (root / "sub" / "b.txt").write_bytes("zwei\r\nüber".encode())
        assert workspace.read_text("sub/b.txt") == "zwei\r\nüber"
        assert workspace.read_text("./sub//b.txt") == "zwei\r\nüber"

    def test_a_missing_file_or_folder_is_named(self, workspace: Workspace) -> None:
        with pytest.raises(FileMissing, match=r'"sub/none\.txt"'):
            workspace.read_text("sub/none.txt")
        with pytest.raises(FileMissing):
            workspace.read_text("nowhere/none.txt")
        assert workspace.text_or_none("nowhere/none.txt") is None

    def test_a_folder_is_no_file_and_a_file_no_folder(self, workspace: Workspace) -> None:
        for name in ("sub", "sub/", ".", "", "a.txt/", "a.txt/x"):
            with pytest.raises(PathNotRegular):
                workspace.read_text(name)
        with pytest.raises(PathNotRegular):
            workspace.listing("a.txt")

    def test_a_huge_file_is_refused_before_it_is_read(self, root: Path, workspace: Workspace) -> None:
        with (root / "big.txt").open("wb") as file:
            file.truncate(1 << 40)
        with pytest.raises(ToolFailed, match="too large"):
            workspace.read_text("big.txt")

    def test_a_listing_tells_kinds_and_sizes_by_name(self, root: Path, workspace: Workspace) -> None:
        (root / "link").symlink_to("a.txt")
        listing = workspace.listing()
        assert [(e.name, e.kind, e.size) for e in listing.entries] == [
            ("a.txt", EntryKind.FILE, 4),
            ("link", EntryKind.OTHER, 0),
            ("sub", EntryKind.FOLDER, 0),
        ]
        assert workspace.listing("sub/").entries == ()

    def test_a_long_listing_is_capped_and_counted(self, root: Path, workspace: Workspace) -> None:
        for number in range(1_100):
            (root / "sub" / f"{number:04}").touch()
        listing = workspace.listing("sub")
        assert (len(listing.entries), listing.total, listing.entries[0].name) == (1_000, 1_100, "0000")

    def test_two_threads_list_the_same_folder(self, workspace: Workspace) -> None:
        found: list[int] = []
        threads = [
            threading.Thread(target=lambda: found.extend(workspace.listing().total for _ in range(200)))
            for _ in range(2)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [2] * 400


class TestWriting:
    def test_planning_touches_nothing(self, root: Path, workspace: Workspace) -> None:
        before = everything(root)
        change = workspace.plan_write("new/deep/b.txt", "text")
        assert everything(root) == before
        assert not (root / "new").exists()
        assert (change.kind, change.path, change.before, change.after) == (
            ChangeKind.CREATE,
            "new/deep/b.txt",
            None,
            "text",
        )
        assert change.full_path == str(root / "new/deep/b.txt")
        assert change.new_folders == ("new", "new/deep")

    def test_a_new_file_is_made_with_its_folders(self, root: Path, workspace: Workspace) -> None:
        workspace.apply(workspace.plan_write("new/deep/b.txt", "text\n"))
        assert everything(root / "new") == {"deep/b.txt": b"text\n"}

    def test_an_existing_file_is_replaced_and_keeps_its_permissions(self, root: Path, workspace: Workspace) -> None:
        (root / "a.txt").chmod(0o640)
        change = workspace.plan_write("a.txt", "two\n")
        assert (change.kind, change.before) == (ChangeKind.OVERWRITE, "one\n")
        workspace.apply(change)
        assert (root / "a.txt").read_text() == "two\n"
        assert (root / "a.txt").stat().st_mode & 0o777 == 0o640

    def test_text_is_added_at_the_end(self, root: Path, workspace: Workspace) -> None:
        change = workspace.plan_append("a.txt", "two")
        assert (change.kind, change.before, change.after) == (ChangeKind.APPEND, "one\n", "one\ntwo\n")
        workspace.apply(change)
        assert (root / "a.txt").read_text() == "one\ntwo\n"

    def test_nothing_is_added_to_a_file_that_is_not_there(self, root: Path, workspace: Workspace) -> None:
        with pytest.raises(FileMissing):
            workspace.plan_append("none.txt", "two")
        assert "none.txt" not in everything(root)

    def test_writing_the_same_text_again_is_no_change(self, workspace: Workspace) -> None:
        with pytest.raises(ToolFailed, match="exactly this text already"):
            workspace.plan_write("a.txt", "one\n")

    def test_the_workspace_s_own_name_in_front_is_dropped(self, root: Path, workspace: Workspace) -> None:
        assert workspace.read_text("ws/a.txt") == "one\n"
        assert workspace.plan_write("ws/b.txt", "x").path == "b.txt"
        (root / "ws").mkdir()
        assert workspace.plan_write("ws/b.txt", "x").path == "ws/b.txt"

    @pytest.mark.parametrize(("old", "new"), [("README", "readme"), ("caf\u00e9.txt", "cafe\u0301.txt")])
    def test_a_second_name_that_some_systems_do_not_tell_apart_is_refused(
        self, root: Path, workspace: Workspace, old: str, new: str
    ) -> None:
        (root / old).write_text("x")
        with pytest.raises(ToolFailed, match="same name on many systems"):
            workspace.plan_write(new, "y")

    def test_a_folder_in_other_case_is_refused_too(self, workspace: Workspace) -> None:
        with pytest.raises(ToolFailed, match="same name on many systems"):
            workspace.plan_write("SUB/x.txt", "y")

    def test_a_binary_file_is_not_overwritten(self, root: Path, workspace: Workspace) -> None:
        (root / "photo.bin").write_bytes(b"\x89PNG\0\0")
        with pytest.raises(ToolFailed, match="no text file"):
            workspace.plan_write("photo.bin", "x")


class TestBetweenPlanAndApply:
    def test_a_file_that_was_changed_meanwhile_is_left_alone(self, root: Path, workspace: Workspace) -> None:
        change = workspace.plan_append("a.txt", "two")
        (root / "a.txt").write_text("somebody else\n")
        with pytest.raises(ToolFailed, match="was changed meanwhile"):
            workspace.apply(change)
        assert everything(root) == {"a.txt": b"somebody else\n"}

    def test_a_file_that_was_removed_meanwhile_is_not_made_again(self, root: Path, workspace: Workspace) -> None:
        change = workspace.plan_write("a.txt", "two")
        (root / "a.txt").unlink()
        with pytest.raises(ToolFailed, match="was changed meanwhile"):
            workspace.apply(change)
        assert everything(root) == {}

    def test_a_file_that_appeared_meanwhile_is_not_replaced(self, root: Path, workspace: Workspace) -> None:
        change = workspace.plan_write("b.txt", "mine")
        (root / "b.txt").write_text("theirs")
        with pytest.raises(ToolFailed):
            workspace.apply(change)
        assert (root / "b.txt").read_text() == "theirs"

    def test_a_file_that_appears_at_the_last_moment_is_not_replaced(self, root: Path, workspace: Workspace) -> None:
        change = workspace.plan_write("b.txt", "mine")
        inside = os.open(root, os.O_RDONLY)
        try:
            (root / "b.txt").write_text("theirs")
            with pytest.raises(FileExistsError):
                descriptors.put_file(inside, "b.txt", change.after.encode(), None)
        finally:
            os.close(inside)
        assert everything(root) == {"a.txt": b"one\n", "b.txt": b"theirs"}

    def test_without_hard_links_a_new_file_is_made_and_none_is_replaced(
        self, root: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def no_links(*_: object, **__: object) -> None:
            raise PermissionError(1, "Operation not permitted")

        monkeypatch.setattr(os, "link", no_links)
        monkeypatch.setattr(renaming, "_renameat2", None)
        workspace.apply(workspace.plan_write("b.txt", "mine"))
        assert everything(root) == {"a.txt": b"one\n", "b.txt": b"mine"}
        inside = os.open(root, os.O_RDONLY)
        try:
            with pytest.raises(FileExistsError):
                descriptors.put_file(inside, "b.txt", b"other", None)
        finally:
            os.close(inside)
        assert everything(root) == {"a.txt": b"one\n", "b.txt": b"mine"}

    def test_a_folder_that_became_a_link_is_not_followed(self, root: Path, workspace: Workspace) -> None:
        change = workspace.plan_write("sub/f", "mine")
        (root / "sub").rmdir()
        (root / "sub").symlink_to(root.parent / "ws2")
        with pytest.raises(PathIsLink):
            workspace.apply(change)
        assert everything(root.parent / "ws2") == {"f": b"beside"}

    def test_a_full_disk_leaves_the_old_bytes_and_nothing_beside_them(
        self, root: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        change = workspace.plan_write("a.txt", "two\n")
        fresh = workspace.plan_write("new/b.txt", "text")

        def full(_: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fsync", full)
        for planned in (change, fresh):
            with pytest.raises(DiskFull, match="no space left"):
                workspace.apply(planned)
        assert everything(root) == {"a.txt": b"one\n"}
        assert not (root / "new").exists()


class TestLinksAndSpecialFiles:
    @pytest.mark.parametrize(
        "target", ["../secret", "/etc/passwd", "a.txt", "nowhere", "loop", "/proc/self/cwd", "/dev/stdin", ".."]
    )
    def test_a_link_is_never_followed(self, root: Path, workspace: Workspace, target: str) -> None:
        (root / "loop").symlink_to(target)
        outside = everything(root.parent / "ws2")
        for attempt in (
            lambda: workspace.read_text("loop"),
            lambda: workspace.plan_write("loop", "x"),
            lambda: workspace.plan_append("loop", "x"),
            lambda: workspace.listing("loop"),
            lambda: workspace.read_text("loop/a.txt"),
            lambda: workspace.plan_write("loop/b.txt", "x"),
        ):
            with pytest.raises(PathIsLink, match="links are not followed"):
                attempt()
        assert everything(root.parent / "ws2") == outside
        assert (root.parent / "secret").read_text() == "outside"
        assert not (root / "nowhere").exists()

    def test_a_hard_link_is_refused_for_reading_and_writing_with_the_reason(
        self, root: Path, workspace: Workspace
    ) -> None:
        (root / "alias").hardlink_to(root.parent / "secret")
        for attempt in (
            lambda: workspace.read_text("alias"),
            lambda: workspace.plan_write("alias", "x"),
            lambda: workspace.plan_append("alias", "x"),
        ):
            with pytest.raises(PathAliased, match="hard link"):
                attempt()
        assert (root.parent / "secret").read_text() == "outside"

    def test_pipes_sockets_and_devices_are_refused_at_once(
        self, root: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        os.mkfifo(root / "pipe")
        monkeypatch.chdir(root)
        with socket.socket(socket.AF_UNIX) as server:
            server.bind("socket")
            for name in ("pipe", "socket"):
                for attempt in (workspace.read_text, lambda name: workspace.plan_write(name, "x")):
                    with pytest.raises(PathNotRegular):
                        attempt(name)

    def test_another_disk_inside_the_workspace_is_refused(self, workspace: Workspace) -> None:
        workspace._door.device += 1
        with pytest.raises(PathOutside, match="another disk"):
            workspace.read_text("sub/x")
        with pytest.raises(PathOutside, match="another disk"):
            workspace.read_text("a.txt")


class TestTheWorkspaceItself:
    def test_a_missing_workspace_is_said_with_a_way_out(self, tmp_path: Path) -> None:
        with pytest.raises(AriaError, match="can't be opened") as caught:
            Workspace(tmp_path / "none")
        assert "--workspace" in caught.value.hint

    def test_a_link_is_resolved_once(self, root: Path, tmp_path: Path) -> None:
        (tmp_path / "short").symlink_to(root)
        with Workspace(tmp_path / "short") as workspace:
            assert workspace.root == root
            (tmp_path / "short").unlink()
            assert workspace.read_text("a.txt") == "one\n"

    def test_a_workspace_that_is_gone_or_closed_is_said(self, tmp_path: Path) -> None:
        gone = tmp_path / "gone"
        gone.mkdir()
        workspace = Workspace(gone)
        change = workspace.plan_write("a.txt", "x")
        gone.rmdir()
        gone.mkdir()
        for attempt in (lambda: workspace.apply(change), lambda: workspace.listing()):
            with pytest.raises(AriaError, match="gone"):
                attempt()
        assert everything(gone) == {}
        workspace.close()
        workspace.close()
        with pytest.raises(ToolFailed):
            workspace.read_text("a.txt")

    def test_no_descriptor_is_left_open(self, root: Path, workspace: Workspace) -> None:
        (root / "sub" / "link").symlink_to("..")
        before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
        for name in ("a.txt", "none/x", "sub/x", "sub/link/x", "../x", "sub"):
            for attempt in (workspace.read_text, workspace.listing, lambda name: workspace.plan_write(name, "x")):
                try:
                    attempt(name)
                except ToolFailed:
                    continue
        workspace.apply(workspace.plan_write("n/o/p.txt", "x"))
        assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208

"""Files and folders change their place on a real file system: what passes, what is refused, what is never lost."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from aria_desktop.core.errors import PathRefused, ToolFailed
from aria_desktop.safety import carrying, renaming, trash
from aria_desktop.safety.descriptors import PathAliased, PathIsLink, PathNotRegular
from aria_desktop.safety.names import NameRefused, PathOutside, PathProtected
from aria_desktop.safety.paths import EntryKind, FileMissing, Placement, Workspace


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "secret").write_text("outside")
    root = tmp_path / "ws"
    (root / "sub").mkdir(parents=True)
    (root / "a.txt").write_text("one\n")
    (root / "sub" / "b.txt").write_text("two\n")
    return root


@pytest.fixture
def bin_folder(tmp_path: Path) -> Path:
    return tmp_path / "data" / "trash"


@pytest.fixture
def workspace(root: Path, bin_folder: Path) -> Iterator[Workspace]:
    with Workspace(root, bin_folder) as workspace:
        yield workspace


def everything(folder: Path) -> dict[str, str]:
    found = {str(p.relative_to(folder)): p.read_text() for p in sorted(folder.rglob("*")) if p.is_file()}
    return found | {f"{p.relative_to(folder)}/": "" for p in sorted(folder.rglob("*")) if p.is_dir()}


def kept(bin_folder: Path) -> dict[str, str]:
    """Path in the workspace -> text, of the files in the trash; every entry has its note."""
    found = {}
    for entry in bin_folder.iterdir() if bin_folder.is_dir() else ():
        note = json.loads((entry / "entry.json").read_text())
        thing = entry / "kept"
        found[note["path"]] = thing.read_text() if thing.is_file() else ",".join(sorted(everything(thing)))
        assert note["kind"] == ("file" if thing.is_file() else "folder")
        assert note["deleted_at"].endswith("Z")
    return found


AT_START = {"a.txt": "one\n", "sub/b.txt": "two\n", "sub/": ""}


class TestMoving:
    @pytest.mark.parametrize(
        ("source", "destination", "after"),
        [
            ("a.txt", "c.txt", {"c.txt": "one\n", "sub/b.txt": "two\n", "sub/": ""}),
            ("a.txt", "sub", {"sub/a.txt": "one\n", "sub/b.txt": "two\n", "sub/": ""}),
            ("a.txt", "new/", {"new/a.txt": "one\n", "new/": "", "sub/b.txt": "two\n", "sub/": ""}),
            ("sub/b.txt", ".", {"a.txt": "one\n", "b.txt": "two\n", "sub/": ""}),
            ("sub", "x/y", {"a.txt": "one\n", "x/": "", "x/y/": "", "x/y/b.txt": "two\n"}),
            ("a.txt", "A.TXT", {"A.TXT": "one\n", "sub/b.txt": "two\n", "sub/": ""}),
        ],
    )
    def test_a_file_or_folder_gets_its_new_place(
        self, root: Path, workspace: Workspace, source: str, destination: str, after: dict[str, str]
    ) -> None:
        planned = workspace.plan_move(source, destination)
        assert everything(root) == AT_START
        workspace.carry_out(planned)
        assert everything(root) == after

    def test_folders_on_the_way_are_named_before(self, workspace: Workspace) -> None:
        planned = workspace.plan_move("a.txt", "x/y/c.txt")
        assert (planned.new_folders, planned.destination) == (("x", "x/y"), "x/y/c.txt")
        assert (planned.lost, planned.lost_text) == (None, None)

    def test_what_is_replaced_is_shown_and_goes_to_the_trash(
        self, root: Path, workspace: Workspace, bin_folder: Path
    ) -> None:
        planned = workspace.plan_move("a.txt", "sub/b.txt")
        assert planned.lost is not None
        assert (planned.source_text, planned.lost_text) == ("one\n", "two\n")
        workspace.carry_out(planned)
        assert everything(root) == {"sub/b.txt": "one\n", "sub/": ""}
        assert kept(bin_folder) == {"sub/b.txt": "two\n"}

    def test_without_a_trash_nothing_is_replaced_or_deleted(self, root: Path) -> None:
        with Workspace(root) as workspace:
            with pytest.raises(ToolFailed, match="no trash"):
                workspace.plan_delete("a.txt")
            with pytest.raises(ToolFailed, match="no trash"):
                workspace.carry_out(workspace.plan_move("a.txt", "sub/b.txt"))
        assert everything(root) == AT_START

    @pytest.mark.parametrize(
        ("source", "destination", "error"),
        [
            ("a.txt", "a.txt", ToolFailed),
            ("a.txt", "./", ToolFailed),
            ("a.txt", " ", ToolFailed),
            ("sub", "sub/inner", ToolFailed),
            ("sub", "a.txt", ToolFailed),
            ("none.txt", "c.txt", FileMissing),
            ("a.txt/", "c.txt", PathNotRegular),
            ("a.txt", "../c.txt", PathOutside),
            ("../secret", "c.txt", PathOutside),
            ("a.txt", "/tmp/c.txt", PathOutside),
            ("a.txt", "con.txt", NameRefused),
            ("a.txt", ".git/config", PathProtected),
            ("a.txt", ".bashrc", PathProtected),
            (".", "sub", PathRefused),
            ("a.txt", "SUB/c.txt", ToolFailed),
        ],
    )
    def test_what_is_refused_changes_nothing(
        self, root: Path, workspace: Workspace, source: str, destination: str, error: type[ToolFailed]
    ) -> None:
        with pytest.raises(error):
            workspace.plan_move(source, destination)
        assert everything(root) == AT_START

    @pytest.mark.parametrize("inner", [".git/config", "activate"])
    def test_a_folder_brings_nothing_into_a_place_where_it_is_obeyed(
        self, root: Path, workspace: Workspace, inner: str
    ) -> None:
        (root / "sub" / inner).parent.mkdir(exist_ok=True)
        (root / "sub" / inner).write_text("x")
        with pytest.raises(PathProtected):
            workspace.plan_move("sub", "bin")

    def test_links_and_second_names_are_refused(self, root: Path, workspace: Workspace) -> None:
        (root / "link").symlink_to(root.parent / "secret")
        (root / "alias").hardlink_to(root.parent / "secret")
        (root / "out").symlink_to(root.parent)
        attempts: tuple[tuple[Callable[[], Placement], type[PathRefused]], ...] = (
            (lambda: workspace.plan_move("link", "c.txt"), PathIsLink),
            (lambda: workspace.plan_copy("alias", "c.txt"), PathAliased),
            (lambda: workspace.plan_delete("link"), PathIsLink),
            (lambda: workspace.plan_move("a.txt", "link"), PathIsLink),
            (lambda: workspace.plan_move("a.txt", "out/c.txt"), PathIsLink),
            (lambda: workspace.plan_folder("out/new"), PathIsLink),
        )
        for attempt, error in attempts:
            with pytest.raises(error):
                attempt()
        assert (root.parent / "secret").read_text() == "outside"


class TestCopying:
    def test_a_copy_has_the_bytes_and_the_permissions(self, root: Path, workspace: Workspace) -> None:
        (root / "photo.bin").write_bytes(bytes(range(256)) * 1_000)
        (root / "photo.bin").chmod(0o640)
        workspace.carry_out(workspace.plan_copy("photo.bin", "sub/"))
        assert (root / "sub" / "photo.bin").read_bytes() == (root / "photo.bin").read_bytes()
        assert (root / "sub" / "photo.bin").stat().st_mode & 0o777 == 0o640

    def test_a_folder_and_a_huge_file_are_not_copied(self, root: Path, workspace: Workspace) -> None:
        with (root / "big").open("wb") as file:
            file.truncate(1 << 40)
        with pytest.raises(PathNotRegular, match="only files"):
            workspace.plan_copy("sub", "other")
        with pytest.raises(ToolFailed, match="too large"):
            workspace.plan_copy("big", "other")

    def test_what_is_replaced_is_back_when_copying_fails(
        self, root: Path, workspace: Workspace, bin_folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        planned = workspace.plan_copy("a.txt", "sub/b.txt")

        def full(*_: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr("shutil.copyfileobj", full)
        with pytest.raises(Exception, match="no space left"):
            workspace.carry_out(planned)
        assert everything(root) == AT_START
        assert kept(bin_folder) == {}


class TestDeleting:
    def test_a_file_goes_to_the_trash_with_a_note_of_where_it_was(
        self, root: Path, workspace: Workspace, bin_folder: Path
    ) -> None:
        planned = workspace.plan_delete("sub/b.txt")
        assert planned.source_text == "two\n"
        assert not bin_folder.exists()
        workspace.carry_out(planned)
        assert everything(root) == {"a.txt": "one\n", "sub/": ""}
        assert kept(bin_folder) == {"sub/b.txt": "two\n"}
        assert bin_folder.stat().st_mode & 0o777 == 0o700

    def test_a_folder_goes_as_it_is_and_all_in_it_was_told(
        self, root: Path, workspace: Workspace, bin_folder: Path
    ) -> None:
        (root / "sub" / "out").symlink_to(root.parent)
        (root / "sub" / ".hidden").write_text("x")
        planned = workspace.plan_delete("sub")
        assert planned.seen is not None
        assert planned.seen.inside == (".hidden", "b.txt", "out")
        workspace.carry_out(planned)
        assert everything(root) == {"a.txt": "one\n"}
        [entry] = bin_folder.iterdir()
        assert (entry / "kept" / "b.txt").read_text() == "two\n"
        assert (entry / "kept" / "out").is_symlink()
        assert (root.parent / "secret").read_text() == "outside"

    def test_to_another_disk_a_file_is_copied_and_a_folder_stays(
        self, root: Path, workspace: Workspace, bin_folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def across(*names: object) -> None:
            if "kept" in names[1::2] and isinstance(names[1], str) and not names[1].startswith(".aria-"):
                raise OSError(errno.EXDEV, "Invalid cross-device link")
            renaming.rename_new(*names)  # type: ignore[arg-type]

        monkeypatch.setattr(trash, "rename_new", across)
        workspace.carry_out(workspace.plan_delete("a.txt"))
        with pytest.raises(ToolFailed, match="another disk"):
            workspace.carry_out(workspace.plan_delete("sub"))
        assert everything(root) == {"sub/b.txt": "two\n", "sub/": ""}
        assert kept(bin_folder) == {"a.txt": "one\n"}

    def test_a_trash_in_the_workspace_is_refused(self, root: Path) -> None:
        with Workspace(root, root / "trash") as workspace, pytest.raises(ToolFailed, match="workspace itself"):
            workspace.carry_out(workspace.plan_delete("a.txt"))
        assert everything(root) == AT_START

    def test_a_pipe_that_takes_the_place_of_a_file_holds_nothing_up(
        self, root: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def across(*_: object) -> None:
            (root / "a.txt").unlink(missing_ok=True)
            os.mkfifo(root / "a.txt")
            raise OSError(errno.EXDEV, "Invalid cross-device link")

        monkeypatch.setattr(trash, "rename_new", across)
        with pytest.raises(ToolFailed, match="changed"):
            workspace.carry_out(workspace.plan_delete("a.txt"))
        assert (root / "a.txt").is_fifo()

    def test_a_folder_with_too_much_in_it_is_refused(self, root: Path, workspace: Workspace) -> None:
        for number in range(1_000):
            (root / "sub" / str(number)).touch()
        with pytest.raises(ToolFailed, match="too much"):
            workspace.plan_delete("sub")


class TestMakingFolders:
    def test_a_folder_is_made_with_those_on_the_way(self, root: Path, workspace: Workspace) -> None:
        planned = workspace.plan_folder("x/y/")
        assert (planned.destination, planned.new_folders) == ("x/y", ("x",))
        workspace.carry_out(planned)
        assert (root / "x" / "y").is_dir()

    @pytest.mark.parametrize("name", ["sub", "a.txt", ".", "SUB", ".git", "a.txt/x"])
    def test_what_is_there_or_must_not_be_is_refused(self, root: Path, workspace: Workspace, name: str) -> None:
        with pytest.raises(ToolFailed):
            workspace.plan_folder(name)
        assert everything(root) == AT_START


def rewritten(root: Path) -> None:
    (root / "a.txt").write_text("somebody else's\n")


def exchanged(root: Path) -> None:
    (root / "new").write_text("one\n")
    (root / "new").rename(root / "a.txt")


def gone(root: Path) -> None:
    (root / "a.txt").unlink()


class TestBetweenPlanAndCarryingOut:
    def test_what_can_not_be_put_back_is_said_to_be_in_the_trash(
        self, root: Path, workspace: Workspace, bin_folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def taken(*_: object) -> None:
            (root / "sub" / "b.txt").write_text("theirs")
            raise OSError(errno.EEXIST, "File exists")

        planned = workspace.plan_move("a.txt", "sub/b.txt")
        monkeypatch.setattr(carrying, "rename_new", taken)
        with pytest.raises(ToolFailed, match="could not be put back: it is in ARIA's trash"):
            workspace.carry_out(planned)
        assert kept(bin_folder) == {"sub/b.txt": "two\n"}
        assert everything(root) == AT_START | {"sub/b.txt": "theirs"}

    @pytest.mark.parametrize("meanwhile", [rewritten, exchanged, gone])
    @pytest.mark.parametrize("kind", ["move", "copy", "delete", "replace"])
    def test_what_is_not_as_it_was_shown_is_left_alone(
        self, root: Path, workspace: Workspace, bin_folder: Path, kind: str, meanwhile: Callable[[Path], None]
    ) -> None:
        plans: dict[str, Callable[[], Placement]] = {
            "move": lambda: workspace.plan_move("a.txt", "x/c.txt"),
            "copy": lambda: workspace.plan_copy("a.txt", "x/c.txt"),
            "delete": lambda: workspace.plan_delete("a.txt"),
            "replace": lambda: workspace.plan_move("sub/b.txt", "a.txt"),
        }
        planned = plans[kind]()
        meanwhile(root)
        before = everything(root)
        with pytest.raises(ToolFailed, match="changed meanwhile"):
            workspace.carry_out(planned)
        assert everything(root) == before
        assert kept(bin_folder) == {}

    def test_a_folder_that_got_something_more_is_not_deleted(self, root: Path, workspace: Workspace) -> None:
        planned = workspace.plan_delete("sub")
        (root / "sub" / "new.txt").write_text("x")
        with pytest.raises(ToolFailed, match="changed meanwhile"):
            workspace.carry_out(planned)
        assert (root / "sub" / "new.txt").exists()

    def test_a_destination_that_appeared_is_not_replaced(self, root: Path, workspace: Workspace) -> None:
        planned = [workspace.plan_move("a.txt", "c.txt"), workspace.plan_copy("a.txt", "c.txt")]
        (root / "c.txt").write_text("theirs")
        for one in planned:
            with pytest.raises(ToolFailed):
                workspace.carry_out(one)
        assert everything(root) == {**AT_START, "c.txt": "theirs"}

    def test_many_files_moved_to_one_place_are_all_there(self, root: Path, workspace: Workspace) -> None:
        for number in range(30):
            (root / f"{number}.txt").write_text(str(number))
        for number in range(30):
            workspace.carry_out(workspace.plan_move(f"{number}.txt", "target/"))
        assert {p.name: p.read_text() for p in (root / "target").iterdir()} == {f"{n}.txt": str(n) for n in range(30)}


def test_kinds_and_entries_are_seen_without_opening(root: Path, workspace: Workspace) -> None:
    (root / ".hidden").mkdir()
    (root / ".hidden" / "x").touch()
    (root / "link").symlink_to("a.txt")
    assert [(e.name, e.kind) for e in workspace.entries()] == [
        ("a.txt", EntryKind.FILE),
        ("sub", EntryKind.FOLDER),
        ("sub/b.txt", EntryKind.FILE),
    ]
    kinds = {name: workspace.kind_of(name) for name in ("a.txt", "sub/", "link", "none", "none/x", ".")}
    assert list(kinds.values()) == [EntryKind.FILE, EntryKind.FOLDER, EntryKind.OTHER, None, None, EntryKind.FOLDER]


def test_no_descriptor_is_left_open(root: Path, workspace: Workspace) -> None:
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    workspace.carry_out(workspace.plan_copy("a.txt", "n/o/c.txt"))
    workspace.carry_out(workspace.plan_move("n/o/c.txt", "sub/b.txt"))
    workspace.carry_out(workspace.plan_delete("n"))
    for name in ("none", "../x", "sub/x/y"):
        with pytest.raises(ToolFailed):
            workspace.plan_move(name, "c")
    assert len(list(workspace.entries())) == 3
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208
    assert (root / "sub" / "b.txt").read_text() == "one\n"

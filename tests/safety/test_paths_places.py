"""Hostile paths that a name alone does not make: how the workspace is given, what appears between two looks, devices,
and what its rights forbid; as root and as an ordinary user."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from aria_desktop.core.errors import AriaError, ToolFailed
from aria_desktop.safety.descriptors import PathAliased, PathNotRegular
from aria_desktop.safety.paths import Workspace
from tests.safety.conftest import Tried
from tests.safety.users import UIDS, acting_as, folder_for

SET = "hostile paths, in operation"


@contextmanager
def place(uid: int) -> Iterator[Path]:
    """`ws` with a file, and a secret beside it; all of it is that user's."""
    with folder_for(uid) as base:
        with acting_as(uid):
            (base / "ws" / "sub").mkdir(parents=True)
            (base / "ws" / "a.txt").write_text("one\n")
            (base / "secret").write_text("outside")
        yield base


def attempts(workspace: Workspace, name: str) -> tuple[Callable[[], object], ...]:
    return (
        lambda: workspace.read_text(name),
        lambda: workspace.plan_write(name, "x"),
        lambda: workspace.plan_append(name, "x"),
        lambda: workspace.plan_move(name, "elsewhere"),
        lambda: workspace.plan_copy(name, "elsewhere"),
        lambda: workspace.plan_delete(name),
    )


@pytest.mark.parametrize("uid", UIDS)
@pytest.mark.parametrize("given", ["ws", "ws/", "ws/.", "sub/../ws", "./ws//"])
def test_p24_however_the_root_is_given_it_is_one_folder(given: str, uid: int, tried: Tried) -> None:
    with place(uid) as base, acting_as(uid):
        (base / "sub").mkdir()
        tried.begin(SET, uid=uid)
        with Workspace(Path(f"{base}/{given}"), base / "trash") as workspace:
            assert workspace.root == base / "ws"
            assert workspace.read_text("a.txt") == "one\n"
            for attempt in attempts(workspace, "../secret"):
                with pytest.raises(ToolFailed):
                    attempt()
        assert (base / "ws" / ".." / "secret").read_text() == "outside"
        tried.control(SET, uid=uid)


@pytest.mark.parametrize("uid", UIDS)
def test_p41_p42_a_second_name_that_appears_after_the_listing_is_refused_also_for_deletion(
    uid: int, tried: Tried
) -> None:
    """Deleting is moving into the trash, so ARIA would keep a name of a file that lies elsewhere."""
    with place(uid) as base, acting_as(uid):
        tried.begin(SET, uid=uid)
        with Workspace(base / "ws", base / "trash") as workspace:
            planned = workspace.plan_delete("a.txt")
            assert "a.txt" in [entry.name for entry in workspace.listing().entries]
            (base / "ws" / "a.txt").unlink()
            (base / "ws" / "a.txt").hardlink_to(base / "secret")
            for attempt in attempts(workspace, "a.txt"):
                with pytest.raises(PathAliased, match="hard link"):
                    attempt()
            with pytest.raises(ToolFailed):
                workspace.carry_out(planned)
        assert (base / "secret").stat().st_nlink == 2
        assert not list((base / "trash").glob("*/kept"))
        assert (base / "ws" / "a.txt").read_text() == "outside"
        tried.control(SET, uid=uid)


DEVICES = {"P47 character device": (stat.S_IFCHR, (1, 5)), "P48 block device": (stat.S_IFBLK, (7, 0))}


@pytest.mark.parametrize("uid", UIDS)
@pytest.mark.parametrize("device", DEVICES)
def test_a_device_is_never_opened(device: str, uid: int, tried: Tried) -> None:
    kind, numbers = DEVICES[device]
    with place(uid) as base:
        node = base / "ws" / "node"
        if os.geteuid() == 0:
            os.mknod(node, kind | 0o666, os.makedev(*numbers))
        else:  # nobody else can make one; this one is always there
            node = Path("/dev/zero")
        with acting_as(uid):
            tried.begin(SET, uid=uid)
            with Workspace(node.parent, base / "trash") as workspace:
                for attempt in attempts(workspace, node.name):
                    with pytest.raises(PathNotRegular):
                        attempt()
        assert stat.S_IFMT(node.lstat().st_mode) == kind or node == Path("/dev/zero")


@pytest.mark.parametrize("uid", UIDS)
def test_p89_a_folder_with_a_link_in_it_goes_without_what_the_link_leads_to(uid: int, tried: Tried) -> None:
    with place(uid) as base, acting_as(uid):
        tried.begin(SET, uid=uid)
        (base / "kept").mkdir()
        (base / "kept" / "f").write_text("outside")
        (base / "ws" / "sub" / "out").symlink_to(base / "kept")
        shutil.copytree(base / "ws", base / "naive", symlinks=True)
        with Workspace(base / "ws", base / "trash") as workspace:
            planned = workspace.plan_delete("sub")
            assert planned.seen is not None
            assert planned.seen.inside == ("out",)
            workspace.carry_out(planned)
        assert (base / "kept" / "f").read_text() == "outside"
        subprocess.run(["/usr/bin/find", "-L", base / "naive" / "sub", "-type", "f", "-delete"], check=True)
        assert not (base / "kept" / "f").exists()
        tried.control(SET, uid=uid)


@pytest.mark.parametrize("uid", UIDS)
def test_p91_what_rights_forbid_is_said_and_nothing_is_half_done(uid: int, tried: Tried) -> None:
    """Rights do not stop root: for root the same is a change like any other, and leaves the rights as they are."""
    with place(uid) as base, acting_as(uid):
        tried.begin(SET, 2, uid=uid)
        root = base / "ws"
        (root / "sub" / "b.txt").write_text("two\n")
        (root / "sub" / "b.txt").chmod(0o444)
        (root / "sub").chmod(0o555)
        with Workspace(root, base / "trash") as workspace:
            refusals = [
                refusal_of(lambda: workspace.apply(workspace.plan_append("sub/b.txt", "more"))),
                refusal_of(lambda: workspace.carry_out(workspace.plan_move("a.txt", "sub/a.txt"))),
            ]
        (root / "sub").chmod(0o755)
        assert stat.S_IMODE((root / "sub" / "b.txt").stat().st_mode) == 0o444
        assert [bool(refusal) for refusal in refusals] == [uid != 0] * 2
        assert all(refusal.endswith("the system does not permit it.") for refusal in refusals if refusal)
        as_it_was, changed = (
            {"a.txt": "one\n", "sub/b.txt": "two\n"},
            {"sub/a.txt": "one\n", "sub/b.txt": "two\nmore\n"},
        )
        found = {str(p.relative_to(root)): p.read_text() for p in root.rglob("*") if p.is_file()}
        assert found == (as_it_was if uid else changed)


def refusal_of(deed: Callable[[], object]) -> str:
    try:
        deed()
    except AriaError as error:
        return error.text
    return ""

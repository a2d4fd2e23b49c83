"""Shapes of attacks on the door to the files that are on no earlier list: what each is about stands in
docs/fresh-attacks.md by its number.

Judged by state. Each is first done plainly, without the door: the positive control.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import AriaError, PathRefused, ToolFailed
from aria_desktop.safety.door import Door
from aria_desktop.safety.paths import Workspace
from aria_desktop.safety.staged_reading import read_staged
from tests.safety.conftest import Tried
from tests.safety.layers import picture_of
from tests.safety.staging_stage import Bed, bed
from tests.safety.users import UIDS

SET = "fresh attacks: files"

OBEYED = {
    "D01 an interpreter's or debugger's own": [
        *(".pdbrc", ".ocamlinit", ".ghci", ".pryrc", ".iex.exs", ".erlang", ".octaverc", ".rdbgrc", ".byebugrc"),
        *(".gdbearlyinit", ".sqliterc"),
    ],
    "D02 an editor's": [".nvimrc", ".nvim.lua", ".lvimrc", ".nanorc", ".helix/languages.toml", ".nvim/init.lua"],
    "D03 an agent's": [".windsurf/x", ".roo/mcp.json", ".continue/x", ".kiro/x", ".aider.conf.yml"],
    "D04 a hook of git's that is seldom used": [
        *(f"hooks/{name}" for name in ("reference-transaction", "push-to-checkout", "post-index-change")),
        *(f"hooks/{name}" for name in ("applypatch-msg", "pre-merge-commit", "sendemail-validate", "proc-receive")),
    ],
    "D05 another system's short name for .git": ["git~2/config", "GIT~14/hooks/x"],
    "D06 a repository without .git": ["x/HEAD", "HEAD", "repo.git/config", "Repo.GIT/hooks/x"],
    "D07 another system of versions": [".jj/config.toml", ".bzr/x", "_darcs/prefs/x"],
    "D08 a start of a build or an environment": [
        *(".mvn/jvm.config", ".yarn/plugins/x.cjs", ".pnp.cjs", ".pnpmfile.cjs"),
        *("pyvenv.cfg", ".direnv/x", "lib/x.egg-link", ".ipython/profile_default/startup/x.py"),
    ],
    "D09 a file that a desktop follows when it only shows it": [
        *("x.library-ms", "x.search-ms", "x.searchConnector-ms", "x.theme", "x.website", "folder.htt"),
        *("x.webloc", "x.inetloc", "x.fileloc", "x.terminal", "x.settingcontent-ms", "x.appref-ms"),
    ],
}
UNSEEN = {
    "D10 a letter that is drawn as nothing": ["a\u3164.txt", "\u3164", "a\u115f.txt", "a\uffa0"],
    "D11 a sign or mark that is drawn as nothing": ["\u2800.txt", "a\u034f.txt", "a\u17b4"],
}
TWINS = {
    "D12 another blank": ("my notes.txt", ["my\u00a0notes.txt", "my\u2009notes.txt", "my\u3000notes.txt"]),
    "D13 a selector that changes nothing": ("a.txt", ["a\ufe0f.txt", "a.txt\ufe00", "\U000e0100a.txt", "a.t\u180bxt"]),
}
STEPS = {
    "D14 a folder gets the name that makes its files obeyed": ("h/reference-transaction", "h", "hooks"),
    "D15 a file gets a name that is obeyed": ("x.txt", "x.txt", ".pdbrc"),
    "D16 a repository gets its last part": ("x.txt", "x.txt", "HEAD"),
    "D17 a folder with an obeyed one deep in it": ("d/e/git~3/config", "d", "n"),
}


@pytest.mark.parametrize("shape", OBEYED)
def test_what_is_obeyed_later_is_not_made(shape: str, tmp_path: Path, tried: Tried) -> None:
    tried.begin(SET, len(OBEYED[shape]))
    with Workspace(tmp_path, tmp_path.parent / "trash") as workspace:
        for name in OBEYED[shape]:
            with pytest.raises(PathRefused) as refused:
                workspace.plan_write(name, "x")
            assert refused.value.code == "path_protected", name
    assert not list(tmp_path.iterdir())
    _plainly_made(tmp_path, OBEYED[shape], tried)


@pytest.mark.parametrize("shape", UNSEEN)
def test_a_name_holds_nothing_that_can_not_be_seen(shape: str, tmp_path: Path, tried: Tried) -> None:
    tried.begin(SET, len(UNSEEN[shape]))
    with Workspace(tmp_path) as workspace:
        for name in UNSEEN[shape]:
            with pytest.raises(PathRefused) as refused:
                workspace.plan_write(name, "x")
            assert refused.value.code == "path_name", name
    assert not list(tmp_path.iterdir())
    _plainly_made(tmp_path, UNSEEN[shape], tried)


@pytest.mark.parametrize("shape", TWINS)
def test_no_second_file_looks_the_same(shape: str, tmp_path: Path, tried: Tried) -> None:
    there, twins = TWINS[shape]
    (tmp_path / there).write_text("as it was")
    tried.begin(SET, len(twins))
    with Workspace(tmp_path) as workspace:
        for name in twins:
            with pytest.raises((PathRefused, ToolFailed)):
                workspace.plan_write(name, "x")
        assert workspace.read_text(there) == "as it was"
    assert [path.name for path in tmp_path.iterdir()] == [there]
    _plainly_made(tmp_path, twins, tried)


@pytest.mark.parametrize("shape", STEPS)
def test_two_harmless_steps_are_not_one_harmful(shape: str, tmp_path: Path, tried: Tried) -> None:
    made, source, destination = STEPS[shape]
    root = tmp_path / "ws"
    (root / made).parent.mkdir(parents=True)
    (root / made).write_text("#!/bin/sh\n")
    before = picture_of(root)
    tried.begin(SET)
    with Workspace(root, tmp_path / "trash") as workspace, pytest.raises(PathRefused) as refused:
        workspace.plan_move(source, destination)
    assert refused.value.code == "path_protected"
    assert picture_of(root) == before
    (root / source).rename(root / destination)
    tried.control(SET)


@pytest.mark.parametrize("uid", UIDS)
def test_d18_no_command_leaves_a_repository_that_runs_something(uid: int, tried: Tried) -> None:
    """git takes a folder for a repository by what lies in it, and runs what its settings say."""
    make = (
        "git init -q --bare n; git -C n config core.bare false; git -C n config core.worktree .;"
        " git -C n config core.fsmonitor 'touch /tmp/never; false'"
    )
    with bed(uid) as there:
        tried.begin(SET, uid=uid)
        staged = there.kept(make)
        assert any(left.path == "n/HEAD" for left in staged.left_out)
        assert not _is_repository(there.root / "n")
        there.plainly(make)
        assert _is_repository(there.root / "n")
        tried.control(SET, uid=uid)


@pytest.mark.parametrize("uid", UIDS)
@pytest.mark.parametrize(
    ("shape", "prepare"),
    [
        ("D19 the file became a link", lambda path: (path.unlink(), path.symlink_to("../../outside/canary"))),
        ("D20 the file got a second name outside", lambda path: _twin(path).hardlink_to(path)),
        ("D21 the file became a pipe", lambda path: _to_pipe(path)),
        ("D22 the folder became a link", lambda path: _folder_to_link(path.parent)),
    ],
    ids=lambda value: value.partition(" ")[0] if isinstance(value, str) else "",
)
def test_an_undo_goes_nowhere_else(shape: str, prepare: object, uid: int, tried: Tried) -> None:
    assert callable(prepare)
    with bed(uid) as there:
        there.kept("echo new > sub/f.txt")
        prepare(there.root / "sub/f.txt")
        canary, twin = there.outside / "canary", _twin(there.root / "sub/f.txt")
        before = canary.read_bytes(), twin.exists() and twin.read_bytes()
        tried.begin(SET, uid=uid)
        # Of a file with a second name only the name in the workspace gets other bytes.
        assert _take_back(there) or shape.startswith("D20")
        assert (canary.read_bytes(), twin.exists() and twin.read_bytes()) == before
        assert sorted(path.name for path in there.outside.iterdir()) == ["canary"]
        _would_have_gone_elsewhere(there, shape, tried, uid)


@pytest.mark.parametrize("uid", UIDS)
def test_d23_an_undo_does_not_bring_in_what_took_the_place_of_kept_bytes(uid: int, tried: Tried) -> None:
    with bed(uid) as there:
        there.kept("echo new > a.txt")
        for kept in (there.folder / "data" / "trash").rglob("*"):
            if kept.is_file() and kept.read_bytes() == b"one\r\ntwo\r\n":
                kept.unlink()
                kept.symlink_to(there.outside / "canary")
                tried.control(SET, uid=uid)
        tried.begin(SET, uid=uid)
        assert _take_back(there)
        assert (there.root / "a.txt").read_bytes() == b"new\n"


def _take_back(there: Bed) -> bool:
    """Whether it was refused."""
    with there.opened() as workspace:
        try:
            plan = workspace.plan_undo(there.journal.actions()[-1:])
        except AriaError:
            return True
        if plan.back:
            workspace.take_back(plan)
        return bool(plan.refused) and not plan.back


def _would_have_gone_elsewhere(there: Bed, shape: str, tried: Tried, uid: int) -> None:
    """Written by its path, as it is now, the file is another one. A pipe would only hang."""
    elsewhere = {"D19": there.outside / "canary", "D22": there.outside / "f.txt"}
    if path := elsewhere.get(shape[:3]):
        there.plainly("echo elsewhere >> sub/f.txt")
        assert b"elsewhere" in path.read_bytes()
        tried.control(SET, uid=uid)


def _twin(path: Path) -> Path:
    """Beside the workspace that has `path` in one of its folders."""
    return path.parent.parent.with_name("twin-of-f")


def _to_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _folder_to_link(folder: Path) -> None:
    folder.rename(folder.with_name("moved"))
    folder.symlink_to("../outside")


def _plainly_made(root: Path, names: list[str], tried: Tried) -> None:
    """Without the door each of them is made, on this system."""
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
        tried.control(SET)


def _is_repository(folder: Path) -> bool:
    asked = ["git", "-C", str(folder), "rev-parse", "--absolute-git-dir"]
    environment = {"PATH": "/usr/bin:/bin", "HOME": "/", "GIT_CEILING_DIRECTORIES": str(folder.parent)}
    done = subprocess.run(asked, env=environment, capture_output=True, text=True, check=False)
    return done.stdout.strip() == str(folder)


def test_d24_the_layer_can_not_be_taken_for_the_workspace(tmp_path: Path, tried: Tried) -> None:
    """A layer that holds a link to itself, a folder marked as hiding all, and one of 70 levels: read to an end."""
    root, changes = tmp_path / "ws", tmp_path / "changes"
    (root / "keep").mkdir(parents=True)
    (root / "keep" / "x").write_text("x")
    deep = changes.joinpath(*["d"] * 70)
    deep.mkdir(parents=True)
    (changes / "loop").symlink_to(".")
    (changes / "keep").mkdir()
    os.setxattr(changes / "keep", "trusted.overlay.opaque" if os.geteuid() == 0 else "user.x", b"y")
    before = picture_of(root)
    tried.begin(SET)
    staged = read_staged(changes, Door(root), CancelToken())
    assert not [change for change in staged.changes if change.path.startswith("keep")]
    assert {left.path for left in staged.left_out} >= {"loop"}
    assert picture_of(root) == before
    assert list((changes / "loop").iterdir())
    tried.control(SET)

"""Folders and files are the user's alone, and a file is replaced whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from aria_desktop.core.errors import DiskFull, StorageError
from aria_desktop.storage.files import guarded_folder, private_folder, replace_file


@pytest.fixture(autouse=True)
def open_umask() -> object:
    """The rights must not depend on a careful umask."""
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_missing_folders_are_made_for_the_user_alone(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    private_folder(tmp_path / "a" / "b")
    assert (mode(tmp_path / "a"), mode(tmp_path / "a" / "b"), mode(tmp_path)) == (0o700, 0o700, 0o755)


def test_a_file_in_the_place_of_a_folder_is_said_and_kept(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("mine")
    for path in (tmp_path / "a", tmp_path / "a" / "b"):
        with pytest.raises(StorageError, match="Can't make the folder"):
            private_folder(path)
    assert (tmp_path / "a").read_text() == "mine"


def test_a_guarded_folder_is_closed_to_others(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir(mode=0o777)
    assert mode(guarded_folder(tmp_path / "run")) == 0o700


def test_a_guarded_folder_that_somebody_else_made_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "run").mkdir()
    own = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: own + 1)
    with pytest.raises(StorageError, match="somebody else"):
        guarded_folder(tmp_path / "run")


def test_a_guarded_folder_is_no_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "run").symlink_to(tmp_path / "real")
    with pytest.raises(StorageError):
        guarded_folder(tmp_path / "run")


def test_a_replaced_file_is_private_and_leaves_no_scratch_file(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file"
    replace_file(path, b"one")
    replace_file(path, b"two")
    assert path.read_bytes() == b"two"
    assert mode(path) == 0o600
    assert list(path.parent.iterdir()) == [path]


def test_a_link_to_the_file_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    (tmp_path / "dotfiles" / "real").write_bytes(b"one")
    (tmp_path / "link").symlink_to(tmp_path / "dotfiles" / "real")
    replace_file(tmp_path / "link", b"two")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "dotfiles" / "real").read_bytes() == b"two"


def test_when_it_fails_the_old_file_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    replace_file(path, b"old")

    def full(descriptor: int) -> None:
        raise OSError(28, os.strerror(28), descriptor)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DiskFull, match="disk is full") as caught:
        replace_file(path, b"new")
    assert "space" in caught.value.hint
    assert path.read_bytes() == b"old"
    assert list(tmp_path.glob(".file*")) == []

"""The files of a workspace as a front end is shown them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from aria_desktop.assistant.kept_files import MOST_SHOWN, listed, shown
from aria_desktop.core.errors import AriaError
from aria_desktop.core.listings import MOST_FILES
from aria_desktop.core.requests import ListFiles, ShowFile
from aria_desktop.safety.paths import Workspace


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "output"
    folder.mkdir()
    return folder


def test_files_are_listed_with_the_newest_first(root: Path) -> None:
    for name, time in (("old.txt", 100), ("new.txt", 300), ("middle.py", 200)):
        (root / name).write_text(name)
        os.utime(root / name, (time, time))
    (root / "folder").mkdir()
    (root / ".hidden").write_text("x")
    (root / "link.txt").symlink_to(root / "old.txt")
    found = listed(ListFiles("r1", "w"), lambda _: Workspace(root))
    assert [(file.name, file.size, file.modified) for file in found.files] == [
        ("new.txt", 7, 300.0),
        ("middle.py", 9, 200.0),
        ("old.txt", 7, 100.0),
    ]
    assert found.total == 3


def test_of_very_many_the_newest_are_told_and_how_many_there_are(root: Path) -> None:
    for number in range(MOST_FILES + 5):
        (root / f"{number}.txt").write_text("")
    found = listed(ListFiles("r1"), lambda _: Workspace(root))
    assert (len(found.files), found.total) == (MOST_FILES, MOST_FILES + 5)


def test_the_start_of_a_text_is_shown(root: Path) -> None:
    (root / "a.txt").write_text("milk\n")
    (root / "long.txt").write_text("x" * (MOST_SHOWN + 1))
    short = shown(ShowFile("r1", "a.txt"), lambda _: Workspace(root))
    assert (short.name, short.text, short.cut) == ("a.txt", "milk\n", False)
    long = shown(ShowFile("r1", "long.txt"), lambda _: Workspace(root))
    assert (len(long.text), long.cut) == (MOST_SHOWN, True)


@pytest.mark.parametrize("name", ["gone.txt", "../secret.txt", "/etc/passwd", "link.txt", "picture.bin", ""])
def test_what_is_no_text_of_the_workspace_is_refused_with_a_reason(root: Path, name: str) -> None:
    (root.parent / "secret.txt").write_text("secret")
    (root / "link.txt").symlink_to(root.parent / "secret.txt")
    (root / "picture.bin").write_bytes(b"\x00\x01\xff")
    with pytest.raises(AriaError) as raised:
        shown(ShowFile("r1", name), lambda _: Workspace(root))
    assert raised.value.text

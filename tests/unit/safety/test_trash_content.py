"""The trash is told and emptied entry by entry, and nothing beside an entry is ever removed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from aria_desktop.safety.trash import Doomed, Trash
from aria_desktop.safety.trash_content import TrashContent


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    workspace = tmp_path / "ws"
    (workspace / "deep").mkdir(parents=True)
    (workspace / "a.txt").write_text("five\n")
    (workspace / "deep" / "b.txt").write_text("12345678")
    trash = Trash(tmp_path / "data" / "trash", workspace)
    inside = os.open(workspace, os.O_RDONLY)
    try:
        for name in ("a.txt", "deep"):
            trash.keep(Doomed(inside, name, name, name == "deep", lambda _: True))
    finally:
        os.close(inside)
    return tmp_path / "data" / "trash"


def test_entries_tell_where_they_were_and_how_large_they_are(folder: Path) -> None:
    entries = TrashContent(folder).entries()
    assert {(entry.path, entry.kind, entry.why, entry.size) for entry in entries} == {
        ("a.txt", "file", "kept", 5),
        ("deep", "folder", "kept", 8),
    }
    assert TrashContent(folder).size() == 13


@pytest.mark.parametrize("name", ["", ".", "..", "../..", "nothing", "../trash", "link"])
def test_only_an_entry_is_removed(folder: Path, name: str) -> None:
    (folder / "link").symlink_to(folder.parent)
    before = sorted(folder.parent.rglob("*"))
    assert TrashContent(folder).remove(name) == 0
    assert sorted(folder.parent.rglob("*")) == before


def test_an_entry_goes_whole(folder: Path) -> None:
    content = TrashContent(folder)
    for entry in content.entries():
        assert content.remove(entry.name) == entry.size
    assert content.entries() == ()


@pytest.mark.parametrize("note", [b"", b"{", b"[]", b'"x"', b"\xff"])
def test_a_note_that_can_not_be_read_hides_nothing(folder: Path, note: bytes) -> None:
    for path in folder.glob("*/entry.json"):
        path.write_bytes(note)
    assert {(entry.path, entry.size) for entry in TrashContent(folder).entries()} == {("", 5), ("", 8)}


def test_there_need_not_be_any(tmp_path: Path) -> None:
    content = TrashContent(tmp_path / "nothing")
    assert (content.entries(), content.size(), content.remove("x")) == ((), 0, 0)

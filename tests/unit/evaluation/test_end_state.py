"""A workspace is laid out and looked at to the byte, and nothing outside it is ever read."""

from __future__ import annotations

import os
from pathlib import Path

from aria_desktop.evaluation.end_state import FILE_BYTES, EndState, lay_out, look_at


def test_what_is_laid_out_is_found(tmp_path: Path) -> None:
    lay_out(tmp_path, {"a.txt": "one\r\n", "deep/er/b.md": "ü"})
    assert look_at(tmp_path) == EndState(
        {"a.txt": b"one\r\n", "deep/er/b.md": "ü".encode()}, frozenset({"deep", "deep/er"})
    )


def test_links_and_pipes_are_not_opened(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_text("secret")
    root = tmp_path / "root"
    root.mkdir()
    (root / "link").symlink_to(outside / "secret")
    (root / "folder").symlink_to(outside)
    os.mkfifo(root / "pipe")
    found = look_at(root)
    assert found.files == {"link": b"", "pipe": b""}
    assert found.folders == {"folder"}


def test_a_file_that_a_command_blew_up_is_cut(tmp_path: Path) -> None:
    with (tmp_path / "big").open("wb") as file:
        file.truncate(FILE_BYTES + 1)
    assert len(look_at(tmp_path).files["big"]) == FILE_BYTES


def test_an_empty_folder_has_an_empty_state(tmp_path: Path) -> None:
    assert look_at(tmp_path) == EndState()
    assert look_at(tmp_path).paths == frozenset()

"""Where the window was: kept whole, and never a reason not to open."""

from __future__ import annotations

from pathlib import Path

import pytest

from aria_desktop.storage.window_place import NAME, NOWHERE, WindowPlace, read_place, write_place


def test_it_comes_back_as_it_was(tmp_path: Path) -> None:
    place = WindowPlace(bytes(range(256)), "HISTORY")
    write_place(tmp_path, place)
    assert read_place(tmp_path) == place


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]", b'{"geometry": "%%", "page": ""}', b"\xff\xfe", b"7"])
def test_what_cant_be_read_is_the_usual_place(tmp_path: Path, content: bytes) -> None:
    (tmp_path / NAME).write_bytes(content)
    assert read_place(tmp_path) == NOWHERE


def test_nothing_kept_is_the_usual_place(tmp_path: Path) -> None:
    assert read_place(tmp_path) == NOWHERE

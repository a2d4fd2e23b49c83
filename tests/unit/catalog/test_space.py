"""Room on the disk, and what the disk's answers become."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from aria_desktop.catalog.space import RESERVE_BYTES, free_bytes, require_space, writing_to
from aria_desktop.core.errors import DiskFull, StorageError


def test_free_space_of_a_folder_that_is_not_there_yet_is_that_of_its_disk(tmp_path: Path) -> None:
    assert free_bytes(tmp_path / "none" / "yet") > 0


def test_a_reserve_is_left_for_everything_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aria_desktop.catalog.space.free_bytes", lambda _: RESERVE_BYTES + 10)
    require_space(tmp_path, 10)
    with pytest.raises(DiskFull, match=r"11 bytes are needed, 100 MB are free"):
        require_space(tmp_path, 11)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_says_how_to_go_on(tmp_path: Path, code: int) -> None:
    with pytest.raises(DiskFull) as full, writing_to(tmp_path):
        raise OSError(code, "full")
    assert "the same command goes on then" in full.value.hint


def test_other_trouble_is_quoted(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="can't be written: Permission denied"), writing_to(tmp_path):
        raise PermissionError(errno.EACCES, "Permission denied")

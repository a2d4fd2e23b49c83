"""The file of leave given before: private, whole, and no leave at all when it can't be understood."""

from __future__ import annotations

import stat
import threading
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from aria_desktop.core.approval import RiskLevel
from aria_desktop.core.errors import StorageError
from aria_desktop.safety.grants import Grant, Granted
from aria_desktop.storage.grants import GrantFile

GRANT = Grant("g1", "create_file", (("path", "*.txt"),), "/w", "", RiskLevel.LOW, 1.0, 2.0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "grants.json"


def test_without_a_file_there_is_none(path: Path) -> None:
    assert GrantFile(path).read() == Granted(0.0)
    assert not path.parent.exists(), "looking makes nothing"


def test_what_is_written_is_read_and_belongs_to_the_user_alone(path: Path) -> None:
    GrantFile(path).change(lambda kept: Granted(5.0, (*kept.grants, GRANT)))
    assert GrantFile(path).read() == Granted(5.0, (GRANT,))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b"{",
        b"\xff\xfe",
        b'{"seen": "5", "grants": []}',
        b'{"seen": 5.0, "grants": [{}]}',
        b'{"seen": 5.0, "grants": [], "more": 1}',
        b"[" * 100_000,
        b" " * 2_000_000,
    ],
    ids=lambda data: str(data[:12]),
)
def test_what_cannot_be_understood_is_an_error_and_can_be_cleared(path: Path, data: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(data)
    with pytest.raises(StorageError, match="no leave counts"):
        GrantFile(path).read()
    with pytest.raises(StorageError, match="no leave counts"):
        GrantFile(path).change(lambda kept: kept)
    assert path.read_bytes() == data
    GrantFile(path).clear()
    assert GrantFile(path).read() == Granted(0.0)


def with_one_more(grant: Grant, kept: Granted) -> Granted:
    return Granted(0.0, (*kept.grants, grant))


def test_changes_at_the_same_time_are_all_there(path: Path) -> None:
    def add(number: int) -> None:
        for step in range(10):
            GrantFile(path).change(partial(with_one_more, replace(GRANT, id=f"g{number}-{step}")))

    threads = [threading.Thread(target=add, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({grant.id for grant in GrantFile(path).read().grants}) == 40

"""What crosses from the sealed window to fetch mode: names of the catalogue, once, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aria_desktop.core.errors import UsageError
from aria_desktop.storage.fetch_request import NAME, take_request, write_request
from aria_desktop.storage.left_off import NAME as LEFT_OFF
from aria_desktop.storage.left_off import LeftOff, take_left_off, write_left_off


def listed(name: str) -> bool:
    return name in ("tiny", "base")


def test_names_of_the_catalogue_come_through_once(tmp_path: Path) -> None:
    write_request(tmp_path, ("tiny", "base", "tiny"))
    assert (tmp_path / NAME).stat().st_mode & 0o777 == 0o600
    assert take_request(tmp_path, listed) == ("tiny", "base")
    with pytest.raises(UsageError, match="No models were asked for"):
        take_request(tmp_path, listed)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"{}",
        b"[]",
        b'["tiny"]',
        b'{"models": []}',
        b'{"models": "tiny"}',
        b'{"models": ["tiny", 5]}',
        b'{"models": ["tiny", "https://evil.example"]}',
        b'{"models": ["../tiny"]}',
        b'{"models": ["tiny"], "hub": "https://evil.example"}',
        b'{"models": ["tiny"]}' + b" " * 70_000,
    ],
)
def test_anything_else_is_refused_and_gone(tmp_path: Path, content: bytes) -> None:
    (tmp_path / NAME).write_bytes(content)
    with pytest.raises(UsageError):
        take_request(tmp_path, listed)
    assert not (tmp_path / NAME).exists()


def test_where_the_window_was_is_told_once(tmp_path: Path) -> None:
    left = LeftOff("s1", "/home/you/work", "MODELS")
    write_left_off(tmp_path, left)
    assert take_left_off(tmp_path) == left
    assert take_left_off(tmp_path) == LeftOff()


@pytest.mark.parametrize("content", ["", "[]", "{}", json.dumps({"session_id": "s"})])
def test_a_note_that_can_not_be_read_is_the_usual_beginning(tmp_path: Path, content: str) -> None:
    (tmp_path / LEFT_OFF).write_text(content)
    assert take_left_off(tmp_path) == LeftOff()
    assert not (tmp_path / LEFT_OFF).exists()

"""Measurements are on disk as soon as they are made, and a run goes on from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from aria_desktop.core.errors import UsageError
from aria_desktop.evaluation.records import Records

SETTINGS = {"bench": "legal", "cases": ["a", "b"]}


def test_a_run_goes_on_from_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    Records(path, SETTINGS).add("1", {"legal": True, "text": "é"})
    again = Records(path, SETTINGS)
    assert again.all == {"1": {"legal": True, "text": "é"}}
    again.add("2", {"legal": False})
    assert list(Records(path, SETTINGS).all) == ["1", "2"]


def test_a_line_that_a_kill_cut_off_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    Records(path, SETTINGS).add("1", {"n": 1})
    with path.open("a") as file:
        file.write('{"key": "2", "n"')
    assert list(Records(path, SETTINGS).all) == ["1"]
    assert path.read_text().endswith("}\n")


def test_measurements_of_other_settings_are_not_mixed(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    Records(path, SETTINGS).add("1", {"n": 1})
    with pytest.raises(UsageError, match="other settings") as raised:
        Records(path, {**SETTINGS, "cases": ["a"]})
    assert "--fresh" in raised.value.hint
    assert Records(path, {**SETTINGS, "cases": ["a"]}, fresh=True).all == {}


@pytest.mark.parametrize("content", ["no json\n", "[" * 100_000 + "\n", "[1]\n[2]\n", '{"bench": "legal"}\n{"n": 1}\n'])
def test_a_file_of_something_else_is_left_alone(tmp_path: Path, content: str) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text(content)
    with pytest.raises(UsageError, match=r"r\.jsonl"):
        Records(path, SETTINGS)
    assert path.read_text() == content


def test_without_a_file_nothing_is_kept() -> None:
    records = Records(None, SETTINGS)
    records.add("1", {"n": 1})
    assert records.all == {"1": {"n": 1}}

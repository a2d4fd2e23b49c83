"""Figures say what they are held against, and whether they keep to it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aria_desktop.evaluation.report import Figure, Report


@pytest.mark.parametrize(
    ("figure", "row"),
    [
        (Figure("steps", 3, ""), ("steps", "3", "", "")),
        (Figure("time", 2.0, "s", limit=3.0), ("time", "2 s", "at most 3 s", "met")),
        (Figure("time", 4.0, "s", limit=3.0), ("time", "4 s", "at most 3 s", "MISSED")),
        (
            Figure("ratio", 21.5, "x", least=20, interval=(20.25, 23)),
            ("ratio", "21.5 x (20.2 to 23)", "at least 20 x", "met"),
        ),
        (Figure("ratio", 19.0, "x", least=20), ("ratio", "19 x", "at least 20 x", "MISSED")),
    ],
)
def test_a_row(figure: Figure, row: tuple[str, ...]) -> None:
    assert figure.row() == row


def test_the_record_says_what_was_missed(tmp_path: Path) -> None:
    report = Report("loop", "a machine", (Figure("ratio", 19.0, "x", least=20, interval=(18.0, 20.5)),), ({"n": 1},))
    report.write(tmp_path / "out.json")
    record = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert not record["met"]
    assert record["figures"][0]["interval"] == [18.0, 20.5]
    assert "MISSED" in report.table()

"""The benchmarks of decoding and of prompts as they are called, on the small model and a few cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aria_desktop.cli import main
from tests.conftest import REPOSITORY

CASES = REPOSITORY / "tests" / "evals" / "commands.jsonl"
SMALL = "qwen2.5-coder-0.5b-instruct"


def measured(name: str, folder: Path, *more: str) -> dict[str, Any]:
    """The report; goals that depend on the clock may be missed by a machine that does other things too."""
    out = folder / f"{name}.json"
    words = ["--cases", str(CASES), "--model", SMALL, "--out", str(out), "--records", str(folder / "records.jsonl")]
    assert main(["bench", name, *words, *more]) in (0, 1)
    report: dict[str, Any] = json.loads(out.read_text("utf-8"))
    return report


def value(report: dict[str, Any], name: str) -> float:
    (figure,) = (figure for figure in report["figures"] if figure["name"] == name)
    return float(figure["value"])


@pytest.mark.timeout(1800)
def test_replies_are_written_three_ways_and_once_only(warm_home: Path, tmp_path: Path) -> None:
    assert warm_home.is_dir()
    report = measured("decode", tmp_path, "--limit", "1")
    assert len(report["items"]) == 1
    for item in report["items"]:
        assert item["free"]["text"] == item["ours"]["text"] == item["text"]
        assert item["free"]["steps"] == item["free"]["tokens"]
        assert item["ours"]["steps"] < item["ours"]["tokens"]
        assert json.loads(item["grammar"]["text"])
    assert value(report, "ours: decode steps saved") >= 40
    assert measured("decode", tmp_path, "--limit", "1")["items"] == report["items"]


@pytest.mark.timeout(1800)
def test_a_conversation_reads_its_unchanging_start_once(warm_home: Path, tmp_path: Path) -> None:
    assert warm_home.is_dir()
    report = measured("prefix", tmp_path, "--sessions", "1", "--turns", "1")
    assert value(report, "ours: tokens of the unchanging start evaluated again") == 0
    assert value(report, "restart: tokens of the unchanging start evaluated again") == 0
    ours = value(report, "ours: prompt tokens evaluated")
    assert ours < value(report, "without any reuse: prompt tokens evaluated") / 8


def test_cases_that_are_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("legal", "decode", "prefix"):
        assert main(["bench", name, "--cases", str(tmp_path / "none.jsonl")]) == 2
        assert "none.jsonl" in capsys.readouterr().err

"""200 replies of the small model to the agent's real prompts, half of them at temperature 1: all can be carried out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aria_desktop.cli import main
from tests.conftest import REPOSITORY

CASES = REPOSITORY / "tests" / "evals" / "commands.jsonl"
SMALL = "qwen2.5-coder-0.5b-instruct"


@pytest.mark.timeout(1800)
def test_200_replies_are_legal(warm_home: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out, records = tmp_path / "legal.json", tmp_path / "legal.jsonl"
    words = ["--cases", str(CASES), "--model", SMALL, "--count", "200", "--out", str(out), "--records", str(records)]
    code = main(["bench", "legal", *words])
    report = json.loads(out.read_text("utf-8"))
    illegal = [(item["case"], item["temperature"], item["text"][:300]) for item in report["items"] if not item["legal"]]
    assert illegal == []
    assert code == 0
    items = report["items"]
    assert [sum(item["temperature"] == t for item in items) for t in (0.0, 1.0)] == [100, 100]
    assert len({item["text"] for item in items}) > 100
    assert sum(item["decode_steps"] for item in items) < 0.6 * sum(item["tokens"] for item in items)
    assert "illegal replies" in capfd.readouterr().out
    assert warm_home.is_dir()

"""`aria eval` as it is called: cases of a file through engines in their own processes, into a folder of results."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from aria_desktop.cli import main
from tests.conftest import REPOSITORY

CASES = REPOSITORY / "tests" / "evals" / "commands.jsonl"
SMALL = "qwen2.5-coder-0.5b-instruct"
WAIT_S = 60.0
"""Longer than anything here takes; only a failing test waits for it."""


def called(tool: str, **arguments: object) -> str:
    return json.dumps({"calls": [{"tool": tool, **arguments}], "then": ""}, separators=(",", ":"))


def scripted(folder: Path, *steps: object) -> str:
    """A model's name; the first step is the reading of the unchanging prompt."""
    script = folder / "script.json"
    script.write_text(json.dumps({"language": ["", *steps]}))
    return f"scripted:{script}"


def written(folder: Path, *cases: dict[str, Any]) -> Path:
    path = folder / "cases.jsonl"
    path.write_text("".join(json.dumps({"kind": "made up", **case}) + "\n" for case in cases))
    return path


THREE: tuple[dict[str, Any], ...] = (
    {"id": "a", "say": "note hi", "expect": {"tools": [["create_file"]], "workspace": {"n.txt": {"contains": ["hi"]}}}},
    {"id": "b", "say": "note no", "confirm": "deny", "expect": {"tools": [["create_file"]], "absent": ["n.txt"]}},
    {"id": "c", "say": "thanks", "expect": {"tools": [[]], "answer": {"contains_any": ["welcome"]}}},
)
REPLIES = (
    called("create_file", path="n.txt", content="hi"),
    called("create_file", path="n.txt", content="no"),
    '{"answer":"Sure."}',
)


def results(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "results.jsonl").read_text("utf-8").splitlines()]


def test_three_cases_with_an_engine_that_follows_a_script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, model = tmp_path / "out", scripted(tmp_path, *REPLIES)
    words = ["eval", "--cases", str(written(tmp_path, *THREE)), "--model", model, "--out", str(out)]
    assert main(words) == 0
    said = capsys.readouterr()
    assert "2 of 3" in said.out
    assert "Replies: 3 from the model, 0 from" in said.out
    assert [result["passed"] for result in results(out)] == [True, True, False]
    (found,) = json.loads((out / "summary.json").read_text())["models"]
    assert (found["cases"], found["passed"], found["legal_replies"], found["replies"]) == (3, 2, 3, 3)
    assert sorted(path.name for path in out.iterdir()) == [
        "replies", "report.html", "results.csv", "results.jsonl", "settings.json", "summary.json",
    ]  # fmt: skip

    assert main([*words, "--fresh"]) == 0
    assert "Replies: 0 from the model, 3 from" in capsys.readouterr().out

    other = [*words[:-1], str(tmp_path / "other"), "--cache", str(out / "replies"), "--without", "confidence"]
    assert main([*other, "--beside", str(out)]) == 0
    said = capsys.readouterr()
    assert "Replies: 0 from the model, 3 from" in said.out
    assert said.out.splitlines()[0].split() == [model, model]
    assert "c (made up, " in said.out


def test_ctrl_c_keeps_what_is_done_and_the_same_command_goes_on(tmp_path: Path, user_folders: Path) -> None:
    out = tmp_path / "out"
    model = scripted(tmp_path, REPLIES[0], {"pieces": ["{"], "then": "hang"}, "", *REPLIES[1:])
    words = ["eval", "--cases", str(written(tmp_path, *THREE)), "--model", model, "--out", str(out)]
    program = [sys.executable, "-m", "aria_desktop", *words]
    environment = {**os.environ, "ARIA_HOME": str(user_folders)}
    started = subprocess.Popen(program, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    record = tmp_path / "script.json.language.calls.jsonl"
    deadline = time.monotonic() + WAIT_S
    while not record.exists() or len(record.read_text().splitlines()) < 4:
        assert time.monotonic() < deadline, "the second case did not begin"
        assert started.poll() is None, started.communicate()
        time.sleep(0.05)
    started.send_signal(signal.SIGINT)
    _, said = started.communicate(timeout=WAIT_S)
    assert started.returncode == 130
    assert "What is done is kept" in said
    assert "Traceback" not in said
    assert [result["case"] for result in results(out)] == ["a"]

    finished = subprocess.run(program, env=environment, capture_output=True, text=True, timeout=WAIT_S, check=False)
    assert finished.returncode == 0, finished.stderr
    assert [(result["case"], result["passed"]) for result in results(out)] == [("a", True), ("b", True), ("c", False)]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--model", "no-such-model"], 3, "no-such-model"),
        (["--model", "scripted:/no/such/script.json"], 3, "/no/such/script.json can't be read"),
        (["--model", SMALL, "--case", "dev-999"], 2, "There is no case dev-999"),
        (["--model", SMALL, "--kind", "cooking"], 2, "There is no kind cooking"),
    ],
)
def test_what_can_not_be_run_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], code: int, said: str
) -> None:
    out = tmp_path / "out"
    assert main(["eval", "--cases", str(CASES), "--out", str(out), *words]) == code
    assert said in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("words", [["--limit", "0"], ["--repeat", "two"], ["--without", "safety"], []])
def test_wrong_arguments_are_a_wrong_command_line(tmp_path: Path, words: list[str]) -> None:
    model = ["--model", SMALL] if words else []
    with pytest.raises(SystemExit) as ended:
        main(["eval", "--cases", str(CASES), "--out", str(tmp_path / "out"), *model, *words])
    assert ended.value.code == 2


def test_development_cases_on_the_real_small_model(
    models_dir: Path, warm_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What comes out is the model's business; here counts that all of it is counted."""
    assert (models_dir / SMALL).is_dir()
    assert warm_home.is_dir()
    out, chosen = tmp_path / "out", ("dev-001", "dev-011", "dev-136")
    names = [word for case in chosen for word in ("--case", case)]
    assert main(["eval", "--cases", str(CASES), "--model", SMALL, "--out", str(out), *names]) == 0
    found = results(out)
    assert [result["case"] for result in found] == list(chosen)
    replies = [reply for result in found for reply in result["replies"] if reply["reply"]]
    (figures,) = json.loads((out / "summary.json").read_text())["models"]
    assert figures["cases"] == 3
    assert figures["replies"] == len(replies) >= 3
    assert figures["legal_replies"] == figures["replies"]
    assert figures["tokens"] == sum(reply["tokens"] for result in found for reply in result["replies"])
    assert figures["seconds_p95"] == max(result["seconds"] for result in found) > 0
    assert all(0 < result["first_words_s"] <= result["seconds"] for result in found)
    assert all(reply["prompt_tokens"] > reply["reused_tokens"] > 0 for reply in replies)
    assert all(choice["probability"] > 0 for reply in replies for choice in reply["tool_choices"])
    assert f"Replies: {sum(len(result['replies']) for result in found)} from the model" in capsys.readouterr().out

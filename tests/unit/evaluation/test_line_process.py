"""A process that is asked line by line: answers in order, and its death is said."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from aria_desktop.core.errors import EngineDied
from aria_desktop.evaluation.line_process import LineProcess

ECHO = """
import json, sys
print(json.dumps({"ready": True}), flush=True)
for line in sys.stdin:
    if json.loads(line) == {"die": 1}:
        sys.exit(7)
    print(line.strip(), flush=True)
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "echoing.py").write_text(ECHO)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return "echoing"


def test_answers_come_in_order(module: str) -> None:
    with LineProcess("the echo", module) as process:
        assert process.ask(json.dumps({"a": "ä"})) == {"a": "ä"}
        assert process.ask(json.dumps({"b": 2})) == {"b": 2}


def test_a_death_is_said(module: str) -> None:
    with (
        LineProcess("the echo", module) as process,
        pytest.raises(EngineDied, match="process of the echo ended with 7"),
    ):
        process.ask(json.dumps({"die": 1}))


def test_one_that_never_gets_ready_is_left_nowhere() -> None:
    with pytest.raises(EngineDied, match="ended with 1"), LineProcess("nobody", "no_such_module_anywhere"):
        pass
    assert "no_such_module_anywhere" not in sys.modules

"""Both loops do the same, keep it through a kill, and the figures are those of the pairs."""

from __future__ import annotations

from pathlib import Path

import pytest

from aria_desktop.cli import main
from aria_desktop.core.errors import ExitCode
from aria_desktop.evaluation import loop, loop_rounds


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "loop"
    place.mkdir()
    return place


@pytest.mark.parametrize("side", loop_rounds.SIDES)
def test_every_step_is_asked_for_and_kept(side: str, folder: Path) -> None:
    asked: list[int] = []
    running = loop_rounds.SIDES[side](folder, asked.append)
    running.turn(loop_rounds.HELD_TURN, 4)
    running.close()
    assert asked == [0, 1, 2, 3]
    assert loop_rounds.KEPT[side](folder, loop_rounds.HELD_TURN) == 3


@pytest.mark.parametrize("side", loop_rounds.SIDES)
def test_what_was_finished_is_on_disk_after_a_kill(side: str) -> None:
    assert loop.steps_after_a_kill(side) == loop.HELD_STEPS == loop_rounds.HELD_AT


@pytest.mark.parametrize("side", loop_rounds.SIDES)
def test_nothing_is_stored_where_nothing_is_to_be(side: str, folder: Path) -> None:
    asked: list[int] = []
    running = loop_rounds.SIDES[side](folder, asked.append, durable=False)
    running.turn("a", 2)
    running.close()
    assert asked == [0, 1]


def test_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    report = loop.run(processes=2, rounds=1)
    figures = {figure.name: figure for figure in report.figures}
    assert figures["ours: steps kept through a kill, of 3 finished"].met
    assert figures["LangGraph: steps kept through a kill, of 3 finished"].met
    times = figures["durable: LangGraph, times our time per step"]
    assert times.least == loop.TIMES_LESS
    assert times.interval is not None
    assert times.interval[0] <= times.value <= times.interval[1]
    assert len(report.items) == 2 * 2 * len(loop_rounds.STEPS)
    assert figures["ours: function calls per step"].value < figures["LangGraph: function calls per step"].value
    assert capsys.readouterr().out == ""


def test_without_langgraph_it_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(loop, "_NEEDED", ("no_such_package.graph",))
    assert main(["bench", "loop"]) == ExitCode.USAGE
    assert "pip install 'aria-desktop[bench]'" in capsys.readouterr().err


def test_the_processes_report_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGSMITH_API_KEY", "secret")
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    surroundings = loop._surroundings()
    assert surroundings["LANGSMITH_TRACING"] == "false"
    assert "LANGSMITH_API_KEY" not in surroundings

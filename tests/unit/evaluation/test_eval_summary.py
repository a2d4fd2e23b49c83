"""The figures count what the issue of the evaluation asks for, under its names."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from aria_desktop.core.errors import UsageError
from aria_desktop.evaluation.eval_summary import figures, read_summary, write_summary
from aria_desktop.evaluation.eval_tables import failures, rows, share, table, write_csv
from tests.unit.evaluation.examples import FAILED, PASSED

RESULTS = [PASSED, FAILED, replace(PASSED, case="a-3", state_ok=True, seconds=2.0)]
OTHER = replace(PASSED, model="big")


def test_summary_has_exactly_these_fields(tmp_path: Path) -> None:
    write_summary(tmp_path, figures([*RESULTS, OTHER], ["small", "big"]))
    found = json.loads((tmp_path / "summary.json").read_text("utf-8"))
    assert found["models"][0] == {
        "model": "small",
        "cases": 3,
        "passed": 2,
        "tools_ok": 2,
        "state_ok": 1,
        "state_cases": 2,
        "answer_ok": 2,
        "answer_cases": 2,
        "legal_replies": 3,
        "replies": 4,
        "forbidden_calls": 1,
        "withheld_calls": 1,
        "by_kind": {"chat": {"cases": 2, "passed": 2}, "delete": {"cases": 1, "passed": 0}},
        "seconds_median": 2.0,
        "seconds_p95": 3.0,
        "first_words_median": 2.5,
        "first_words_turns": 1,
        "tokens": 25,
    }
    assert found["models"][1]["model"] == "big"
    assert list(found) == ["models"]


def test_a_model_without_results_is_left_out() -> None:
    assert [model.model for model in figures(RESULTS, ["big", "small"])] == ["small"]


def test_the_ninety_fifth_percent_is_a_value_that_was_measured() -> None:
    many = [replace(PASSED, case=str(number), seconds=float(number)) for number in range(1, 101)]
    (found,) = figures(many, ["small"])
    assert (found.seconds_median, found.seconds_p95) == (50.5, 95.0)


def test_models_stand_side_by_side() -> None:
    lines = table(figures([*RESULTS, OTHER], ["small", "big"])).splitlines()
    assert lines[0].split() == ["small", "big"]
    assert lines[1].split("  ")[0] == "passed in full"
    assert "2 of 3, 67 % (21-94)" in lines[1]
    assert "1 of 1, 100 % (21-100)" in lines[1]
    assert lines[-1].split() == ["delete", "0", "of", "1", "0", "of", "0"]
    assert len({line.index("1 of 1") for line in lines if line.endswith("1 of 1")}) == 1
    assert rows(figures(RESULTS, ["small"]))[4] == ("legal replies", "3 of 4")
    assert share(0, 0) == "0 of 0"


def test_the_csv_has_a_line_for_each_case_and_no_formulas(tmp_path: Path) -> None:
    write_csv(tmp_path, RESULTS)
    with (tmp_path / "results.csv").open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    assert [line["case"] for line in found] == ["a-1", "a-2", "a-3"]
    assert found[0]["state_ok"] == ""
    assert found[1]["passed"] == "no"
    assert found[1]["calls"] == "delete_file"
    assert found[1]["answer"] == "'=1+1"
    assert found[1]["legal_replies"] == "1"


def test_another_run_is_shown_with_what_was_left_out(tmp_path: Path) -> None:
    (whole,) = figures(RESULTS, ["small"])
    write_summary(tmp_path, [whole])
    (tmp_path / "settings.json").write_text('{"without": ["examples", "rules"]}')
    (read,) = read_summary(tmp_path)
    assert read == replace(whole, model="small without examples, rules")


@pytest.mark.parametrize(
    "harm",
    [
        Path.unlink,
        lambda path: path.write_text("[]"),
        lambda path: path.write_text('{"models": [{"model": "small"}]}'),
    ],
)
def test_a_folder_without_figures_is_named(tmp_path: Path, harm: Callable[[Path], object]) -> None:
    write_summary(tmp_path, figures(RESULTS, ["small"]))
    harm(tmp_path / "summary.json")
    with pytest.raises(UsageError, match=f"no results of an evaluation in {tmp_path}"):
        read_summary(tmp_path)


def test_failed_cases_are_listed_with_their_reasons() -> None:
    assert failures(RESULTS) == "a-2 (delete, small): called delete_file, which is forbidden here; a.txt is gone"
    assert failures([PASSED]) == ""

"""The leaderboard's rules, each with the value that just passes and the one that just does not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from aria_desktop.evaluation import bfcl_self_check
from aria_desktop.evaluation.bfcl_cases import Case
from aria_desktop.evaluation.bfcl_checker import fault

PLANT = {"bed": 3, "plants": ["rose", "O'Hara lily"], "depth_cm": 12}
SCALE = {"corner": [2.5, 4.0], "unit": "km"}
LOAF = {"loaf": {"flour": "rye", "grams": 750}}


@pytest.mark.parametrize(
    ("category", "arguments", "right"),
    [
        ("simple_python", PLANT, True),
        ("simple_python", {**PLANT, "depth_cm": 12.0}, True),
        ("simple_python", {**PLANT, "depth_cm": "12"}, False),
        ("simple_python", {**PLANT, "bed": 3.0}, False),
        ("simple_python", {**PLANT, "bed": True}, False),
        ("simple_python", {**PLANT, "plants": ['O"Hara Lily', "ROSE"]}, True),
        ("simple_python", {**PLANT, "plants": ["rose"]}, False),
        ("simple_python", {**PLANT, "plants": ["rose", 5]}, False),
        ("simple_python", {**PLANT, "plants": "rose"}, False),
        ("simple_python", {**PLANT, "sun": "Half."}, True),
        ("simple_python", {**PLANT, "sun": "full"}, False),
        ("simple_python", {**PLANT, "watered": False}, True),
        ("simple_python", {**PLANT, "watered": 0}, False),
        ("simple_python", {**PLANT, "colour": "red"}, False),
        ("simple_python", {"bed": 3, "plants": ["rose", "O'Hara lily"]}, False),
        ("multiple", SCALE, True),
        ("multiple", {**SCALE, "unit": "Kilo metre"}, True),
        ("multiple", {**SCALE, "unit": "kilometres"}, False),
        ("multiple", {**SCALE, "corner": [2.5, 4]}, False),
        ("multiple", {"corner": [2.5, 4.0]}, False),
        ("live_simple", LOAF, True),
        ("live_simple", {"loaf": {"flour": "Rye-Flour", "grams": 750, "seeds": False}}, True),
        ("live_simple", {"loaf": {"flour": "rye", "grams": 751}}, False),
        ("live_simple", {"loaf": {"flour": "rye", "grams": 750, "shape": "round"}}, False),
        ("live_simple", {"loaf": {"grams": 750}}, False),
        ("live_simple", {**LOAF, "pickups": [{"day": "monday"}]}, True),
        ("live_simple", {**LOAF, "pickups": [{"day": "monday"}, {"day": "monday"}]}, False),
        ("live_simple", {**LOAF, "pickups": ["monday"]}, False),
        ("live_simple", {**LOAF, "note": True}, True),
        ("live_simple", {**LOAF, "note": None}, False),
    ],
)
def test_arguments(cases: dict[str, Case], category: str, arguments: Mapping[str, Any], right: bool) -> None:
    case = cases[category]
    assert case.answer is not None
    (name,) = case.answer
    assert (fault(case, [(name, arguments)]) == "") is right


def test_exactly_one_call_of_the_right_function(cases: dict[str, Case]) -> None:
    case = cases["multiple"]
    assert fault(case, [("map_scale", SCALE)]) == ""
    assert fault(case, []) == "0 calls instead of one"
    assert fault(case, [("map_scale", SCALE)] * 2) == "2 calls instead of one"
    assert fault(case, [("garden.plant", SCALE)]) == "garden.plant instead of map_scale"


def test_where_nothing_fits_any_call_is_wrong(cases: dict[str, Case]) -> None:
    assert fault(cases["irrelevance"], []) == ""
    assert fault(cases["irrelevance"], [("map_scale", SCALE)]) != ""


def test_every_right_answer_is_right_and_every_spoilt_one_wrong(cases: dict[str, Case]) -> None:
    report = bfcl_self_check.run(list(cases.values()))
    assert report.met
    figures = {figure.name: figure.value for figure in report.figures}
    assert figures["cases with answers"] == 4
    assert figures["right answers tried"] == 25
    assert figures["spoilt answers tried"] > 30


def test_a_case_that_no_call_can_pass_is_counted_apart() -> None:
    function = {"name": "f", "description": "", "parameters": {"type": "dict", "properties": {}, "required": ["x"]}}
    case = Case("a", "multiple", ({"role": "user", "content": "x"},), (function,), {"f": {}})
    assert not bfcl_self_check.can_be_passed(case)
    assert bfcl_self_check.run([case]).figures[1].value == 1

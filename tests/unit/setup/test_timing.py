"""The report of where the suite's time goes."""

from __future__ import annotations

from tests.timing import folder_of, line


def test_time_belongs_to_the_first_folder() -> None:
    assert folder_of("tests/chain/test_demo.py::test_it[a/b::c]") == "chain"
    assert folder_of("tests/unit/core/test_plain.py::test_it") == "unit"
    assert folder_of("tests/test_alone.py::test_it") == "tests"


def test_a_folder_over_its_budget_is_marked() -> None:
    assert line("ears", 9 * 60, 3) == "ears             3 tests     9.0 min  of 10 min"
    assert line("ears", 601, 3).endswith("OVER BUDGET")
    assert line("unit", 6000, 3) == "unit             3 tests   100.0 min"

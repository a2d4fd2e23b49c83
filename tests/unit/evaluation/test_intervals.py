"""Intervals against values that are known."""

from __future__ import annotations

import pytest

from aria_desktop.evaluation.intervals import difference, ratio, wilson


@pytest.mark.parametrize(
    ("successes", "of", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (0, 0, 0.0, 1.0), (48, 60, 0.6822, 0.8817)],
)
def test_wilson(successes: int, of: int, low: float, high: float) -> None:
    assert wilson(successes, of) == pytest.approx((low, high), abs=5e-4)


def test_a_ratio_that_never_varies_has_no_width() -> None:
    value, interval = ratio([[(1.0, 20.0)] * 5, [(2.0, 40.0)] * 5])
    assert (value, *interval) == pytest.approx((20.0, 20.0, 20.0))


def test_a_ratio_that_varies_lies_inside() -> None:
    value, (low, high) = ratio([[(1.0, 10.0 + i) for i in range(9)], [(1.0, 12.0 + i) for i in range(9)]])
    assert low < value < high
    assert low >= 10
    assert high <= 20


def test_differences_are_paired() -> None:
    ours = [True, True, False, True] * 10
    theirs = [True, False, False, True] * 10
    value, (low, high) = difference(ours, theirs)
    assert value == pytest.approx(0.25)
    assert 0.1 < low < value < high < 0.42
    assert difference(ours, ours) == (0.0, (0.0, 0.0))

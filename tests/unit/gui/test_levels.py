from __future__ import annotations

import math

import pytest

from aria_desktop.gui.state.levels import BARS, TICKS, Levels, height


@pytest.mark.parametrize(
    ("level", "shown"), [(0.0, 0.0), (-1.0, 0.0), (math.nan, 0.0), (10 ** (-48 / 20), 0.0), (1.0, 1.0), (3.0, 1.0)]
)
def test_the_ends_of_the_meter(level: float, shown: float) -> None:
    assert height(level) == pytest.approx(shown, abs=1e-9)


def test_equal_steps_in_decibels_are_equal_steps_on_the_meter() -> None:
    assert height(10 ** (-24 / 20)) == pytest.approx(0.5)
    assert height(10 ** (-12 / 20)) == pytest.approx(0.75)


def test_the_newest_bar_is_last_and_old_ones_fall_out() -> None:
    levels = Levels()
    for _ in range(BARS + 10):
        levels.add(0.0, speech=False)
    levels.add(1.0, speech=True)
    assert len(levels.bars()) == BARS
    assert levels.bars()[-2:] == (0.0, 1.0)
    assert (levels.latest, levels.peak, levels.speech) == (1.0, 1.0, True)


def test_the_peak_is_forgotten_with_the_ring() -> None:
    levels = Levels()
    levels.add(1.0, speech=True)
    for _ in range(TICKS):
        levels.add(0.0, speech=False)
    assert levels.peak == 0.0


def test_clearing() -> None:
    levels = Levels()
    levels.add(0.8, speech=True)
    levels.clear()
    assert (levels.latest, levels.peak, levels.speech, levels.heard) == (0.0, 0.0, False, 0)
    assert len(levels.bars()) == BARS

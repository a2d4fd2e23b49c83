"""Any number is taken for a moment, as it may come from somebody else's file."""

from __future__ import annotations

import math

import pytest

from aria_desktop.core import times


@pytest.mark.parametrize("odd", [math.nan, math.inf, -math.inf, 1e300, -1e300, -1.0, 253_402_300_800.0, times.LATEST])
def test_a_moment_that_no_calendar_has_is_shown_as_the_nearest_one(odd: float) -> None:
    for shown in (times.minute(odd), times.second(odd), times.utc(odd).isoformat()):
        assert shown.startswith(("1969", "1970", "5138"))
    assert times.local(odd).tm_year in (1969, 1970, 5138)


def test_what_can_have_happened() -> None:
    assert times.possible(0.0)
    assert times.possible(1_700_000_000.5)
    assert not any(map(times.possible, (-0.1, math.nan, math.inf, 1e300)))

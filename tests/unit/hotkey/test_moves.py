"""A held key is one press and one release, whatever the system repeats or loses."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from aria_desktop.hotkey.moves import HeldKey, Move, What


def test_repeats_count_once() -> None:
    key = HeldKey()
    assert key.pressed(10.0) == [Move(What.PRESS)]
    assert [key.pressed(10.0 + n / 30) for n in range(90)] == [[]] * 90
    assert key.released(13.0) == [Move(What.RELEASE, 3.0)]
    assert key.released(13.1) == []


@given(st.lists(st.booleans(), max_size=60))
def test_presses_and_releases_alternate(reports: list[bool]) -> None:
    key, moves = HeldKey(), []
    for at, down in enumerate(reports):
        moves += key.pressed(float(at)) if down else key.released(float(at))
    whats = [move.what for move in moves]
    assert whats == [What.PRESS, What.RELEASE] * (len(whats) // 2) + [What.PRESS] * (len(whats) % 2)
    assert key.down == bool(len(whats) % 2)
    assert all(move.held_s >= 0 for move in moves)


def test_a_clock_that_goes_back_holds_for_no_negative_time() -> None:
    key = HeldKey()
    key.pressed(10.0)
    assert key.released(9.0) == [Move(What.RELEASE, 0.0)]

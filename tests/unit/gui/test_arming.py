from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from aria_desktop.gui.state.arming import DELAY, Arming


def _in_front(now: float = 0.0) -> Arming:
    arming = Arming()
    arming.shown(True, now)
    arming.active(True, now)
    arming.end_seen(now)
    return arming


def test_it_takes_the_delay_from_the_last_of_the_conditions() -> None:
    for order in itertools.permutations(("shown", "active", "end")):
        arming = Arming()
        for moment, what in enumerate(order):
            match what:
                case "shown":
                    arming.shown(True, moment)
                case "active":
                    arming.active(True, moment)
                case _:
                    arming.end_seen(moment)
        assert not arming.armed(2 + DELAY - 0.01)
        assert arming.armed(2 + DELAY + 0.01)


def test_progress_is_told_for_the_line_in_the_button() -> None:
    arming = _in_front()
    assert arming.counting
    assert arming.progress(0) == 0
    assert 0.49 < arming.progress(DELAY / 2) < 0.51
    assert arming.progress(100) == 1


def test_losing_the_keyboard_starts_again() -> None:
    arming = _in_front()
    arming.active(False, 0.5)
    assert not arming.armed(10)
    arming.active(True, 10)
    assert not arming.armed(10 + DELAY - 0.01)
    assert arming.armed(10 + DELAY + 0.01)


def test_being_hidden_disarms_at_once() -> None:
    arming = _in_front()
    arming.shown(False, 5)
    assert not arming.armed(5)
    assert not arming.counting


def test_changed_content_has_to_be_read_to_its_end_again() -> None:
    arming = _in_front()
    arming.changed(5)
    assert not arming.read_to_end
    assert not arming.armed(100)
    arming.end_seen(100)
    assert arming.armed(100 + DELAY + 0.01)


def test_the_same_news_twice_does_not_start_again() -> None:
    arming = _in_front()
    arming.active(True, 0.6)
    arming.end_seen(0.6)
    assert arming.armed(DELAY)


EVENTS = st.sampled_from(["shown", "hidden", "active", "inactive", "end", "changed"])


@given(st.lists(st.tuples(EVENTS, st.integers(0, 64).map(lambda steps: steps / 64)), max_size=30))
def test_never_armed_before_the_delay_has_passed_in_front(happened: list[tuple[str, float]]) -> None:
    arming, now, in_front_since = Arming(), 0.0, None
    state = {"shown": False, "active": False, "end": False}
    for what, wait in happened:
        now += wait
        assert arming.armed(now) == (in_front_since is not None and now - in_front_since >= DELAY)
        match what:
            case "shown" | "hidden":
                state["shown"] = what == "shown"
                arming.shown(state["shown"], now)
            case "active" | "inactive":
                state["active"] = what == "active"
                arming.active(state["active"], now)
            case "end":
                state["end"] = True
                arming.end_seen(now)
            case _:
                state["end"] = False
                arming.changed(now)
        in_front_since = (in_front_since if in_front_since is not None else now) if all(state.values()) else None

from __future__ import annotations

import pytest

from aria_desktop.core.events import Activity, EngineState
from aria_desktop.gui.state.talk import Cap, Escape, Press, Ring, escape, talk


@pytest.mark.parametrize(
    ("activity", "microphone", "hearing", "ring", "press"),
    [
        (Activity.IDLE, False, None, Ring.READY, Press.LISTEN),
        (Activity.IDLE, False, EngineState.LOADING, Ring.READY, Press.LISTEN),
        (Activity.IDLE, False, EngineState.OFF, Ring.READY, Press.LISTEN),
        (Activity.IDLE, False, EngineState.FAILED, Ring.OFF, Press.EXPLAIN),
        (Activity.LISTENING, True, EngineState.READY, Ring.LISTENING, Press.SEND),
        (Activity.LISTENING, False, EngineState.READY, Ring.READY, Press.LISTEN),
        (Activity.THINKING, False, EngineState.READY, Ring.THINKING, Press.STOP_TURN),
        (Activity.THINKING, True, EngineState.READY, Ring.LISTENING, Press.SEND),
        (Activity.CONFIRMING, False, EngineState.READY, Ring.WAITING, Press.SHOW_QUESTION),
        (Activity.SPEAKING, False, EngineState.READY, Ring.SPEAKING, Press.SILENCE),
        (Activity.SPEAKING, False, EngineState.FAILED, Ring.SPEAKING, Press.SILENCE),
    ],
)
def test_what_the_ring_shows_and_does(
    activity: Activity, microphone: bool, hearing: EngineState | None, ring: Ring, press: Press
) -> None:
    shown = talk(activity, microphone, hearing)
    assert (shown.ring, shown.press) == (ring, press)
    assert shown.state
    assert shown.action
    assert shown.hint


def test_listening_is_shown_exactly_while_the_microphone_is_open() -> None:
    for activity in Activity:
        for hearing in (None, *EngineState):
            assert talk(activity, True, hearing).ring is Ring.LISTENING
            assert talk(activity, False, hearing).ring is not Ring.LISTENING


def test_keys_are_drawn_as_keys() -> None:
    assert talk(Activity.IDLE, False, None).hint == ("Hold", Cap("Ctrl"), Cap("Space"), "and speak")


@pytest.mark.parametrize(
    ("activity", "microphone", "does"),
    [
        (Activity.IDLE, False, Escape.NOTHING),
        (Activity.SPEAKING, False, Escape.SILENCE),
        (Activity.SPEAKING, True, Escape.SILENCE),
        (Activity.LISTENING, True, Escape.DROP_RECORDING),
        (Activity.THINKING, True, Escape.DROP_RECORDING),
        (Activity.THINKING, False, Escape.STOP_TURN),
        (Activity.CONFIRMING, False, Escape.STOP_TURN),
    ],
)
def test_escape_silences_then_forgets_then_stops(activity: Activity, microphone: bool, does: Escape) -> None:
    assert escape(activity, microphone) is does

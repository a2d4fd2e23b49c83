"""What presses, taps and holds of the talk key come to, by its mode."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aria_desktop.assistant.talk_key import TAP_S, TalkKey, TalkMode
from aria_desktop.core.events import TalkAct
from aria_desktop.core.requests import KeyMove


class Session:
    """The microphone as the acts leave it."""

    def __init__(self, mode: TalkMode) -> None:
        self.key = TalkKey(mode)
        self.open = self.hands_free = False

    def move(self, move: KeyMove, held_s: float = 0.0) -> TalkAct:
        act = self.key.act(move, held_s, open_=self.open, hands_free=self.hands_free)
        self.open = (self.open or act is TalkAct.LISTEN) and act not in (TalkAct.SEND, TalkAct.DROP, TalkAct.HANDS_OFF)
        self.hands_free = (self.hands_free or act is TalkAct.HANDS_FREE) and act is not TalkAct.HANDS_OFF
        return act

    def press(self, held_s: float) -> list[TalkAct]:
        return [self.move(KeyMove.PRESS), self.move(KeyMove.RELEASE, held_s)]


HELD, TAPPED = 1.5, 0.1


@pytest.mark.parametrize(
    ("mode", "presses", "acts"),
    [
        (TalkMode.AUTO, [HELD], "listen send"),
        (TalkMode.AUTO, [TAP_S], "listen send"),
        (TalkMode.AUTO, [TAPPED, TAPPED], "listen nothing send nothing"),
        (TalkMode.AUTO, [TAPPED, HELD, HELD], "listen nothing send nothing listen send"),
        (TalkMode.HOLD, [HELD, TAPPED, HELD], "listen send listen drop listen send"),
        (TalkMode.TOGGLE, [HELD, TAPPED, TAPPED], "listen nothing send nothing listen nothing"),
        (TalkMode.HANDS_FREE, [TAPPED, HELD], "hands_free nothing hands_off nothing"),
    ],
)
def test_presses(mode: TalkMode, presses: list[float], acts: str) -> None:
    session = Session(mode)
    assert [act for held_s in presses for act in session.press(held_s)] == [TalkAct(word) for word in acts.split()]


@pytest.mark.parametrize("mode", TalkMode)
def test_cancel_forgets_what_is_said_and_the_release_after_it_means_nothing(mode: TalkMode) -> None:
    session = Session(mode)
    session.move(KeyMove.PRESS)
    assert session.move(KeyMove.CANCEL) in (TalkAct.DROP, TalkAct.HANDS_OFF)
    assert session.move(KeyMove.RELEASE, HELD) is TalkAct.NOTHING
    assert session.move(KeyMove.CANCEL) is TalkAct.STOP_TURN


def test_a_command_starts_and_stops_once() -> None:
    session = Session(TalkMode.AUTO)
    moves = [KeyMove.STOP, KeyMove.START, KeyMove.START, KeyMove.STOP, KeyMove.STOP, KeyMove.TOGGLE, KeyMove.TOGGLE]
    acts = "nothing listen nothing send nothing listen send"
    assert [session.move(move) for move in moves] == [TalkAct(word) for word in acts.split()]


def test_a_recording_that_ended_by_itself_is_not_sent_again_by_the_release() -> None:
    session = Session(TalkMode.HOLD)
    session.move(KeyMove.PRESS)
    session.open = False
    assert session.move(KeyMove.RELEASE, HELD) is TalkAct.NOTHING


@given(st.sampled_from(TalkMode), st.lists(st.tuples(st.sampled_from(KeyMove), st.floats(0, 5)), max_size=40))
def test_no_order_of_moves_opens_twice_or_sends_what_is_closed(
    mode: TalkMode, moves: list[tuple[KeyMove, float]]
) -> None:
    session = Session(mode)
    for move, held_s in moves:
        before = session.open
        act = session.move(move, held_s)
        assert before is not (act is TalkAct.LISTEN) or act not in (TalkAct.LISTEN, TalkAct.SEND, TalkAct.DROP)


@given(st.lists(st.floats(0, 5), max_size=20))
def test_held_down_in_hold_mode_it_is_never_open_after_the_release(holds: list[float]) -> None:
    session = Session(TalkMode.HOLD)
    for held_s in holds:
        session.press(held_s)
        assert not session.open

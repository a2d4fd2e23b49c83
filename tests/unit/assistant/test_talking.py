"""The talk key and hands-free listening in a session."""

from __future__ import annotations

import pytest

from aria_desktop.assistant import listener
from aria_desktop.assistant.parts import Preferences
from aria_desktop.assistant.talk_key import TalkMode
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.errors import MicrophoneMissing
from aria_desktop.core.events import (
    LevelMeasured,
    ListeningDoubted,
    ListeningEnded,
    ListeningStarted,
    TalkAct,
    TalkKeyMoved,
    TurnEnded,
)
from aria_desktop.core.requests import KeyMove, MoveTalkKey
from tests.unit.assistant.stage import FakeMicrophone, Stage, answering, quiet, speech

HANDS_FREE = lambda: Preferences(talk_mode=TalkMode.HANDS_FREE)  # noqa: E731


def acts(stage: Stage, number: int) -> list[TalkAct]:
    stage.log.wait(TalkKeyMoved, number)
    return [moved.act for moved in stage.log.of(TalkKeyMoved)]


def test_a_held_key_is_a_turn_of_the_request_that_pressed_it(stage: Stage) -> None:
    stage.will_hear("Create a.txt")
    stage.will(answering("Yes."))
    with stage.session() as session:
        session.submit(MoveTalkKey("k1", KeyMove.PRESS))
        stage.log.wait(ListeningStarted)
        stage.microphone.feed(speech(1.0))
        stage.log.wait(LevelMeasured, 20)
        session.submit(MoveTalkKey("k2", KeyMove.RELEASE, held_s=1.2))
        stage.microphone.idle()
        assert stage.ended("k1").outcome is TurnOutcome.ANSWERED
    assert acts(stage, 2) == [TalkAct.LISTEN, TalkAct.SEND]


def test_cancel_forgets_the_recording(stage: Stage) -> None:
    with stage.session() as session:
        session.submit(MoveTalkKey("k1", KeyMove.START))
        stage.log.wait(ListeningStarted)
        stage.microphone.feed(speech(1.0))
        session.submit(MoveTalkKey("k2", KeyMove.CANCEL))
        stage.microphone.idle()
        assert stage.ended("k1").outcome is TurnOutcome.CANCELLED
    assert acts(stage, 2) == [TalkAct.LISTEN, TalkAct.DROP]


class Microphones:
    """A new one for each recording, which hears what it is told and then silence."""

    def __init__(self, *sounds: float) -> None:
        self._sounds = list(sounds)
        self.opened = 0

    def open(self) -> FakeMicrophone:
        microphone = FakeMicrophone()
        if self._sounds:
            microphone.feed(quiet(0.3), speech(self._sounds.pop(0)), quiet(3.0))
        else:
            microphone.idle()
        self.opened += 1
        return microphone


def test_hands_free_listens_again_after_each_turn_until_it_is_turned_off(stage: Stage) -> None:
    microphones = Microphones(1.0, 1.0)
    stage.will_hear("one", "two")
    stage.will(answering("First."), answering("Second."))
    with stage.session(
        open_microphone=microphones.open, preferences=lambda: Preferences(max_s=3.0, talk_mode=TalkMode.HANDS_FREE)
    ) as session:
        session.submit(MoveTalkKey("k1", KeyMove.TOGGLE))
        stage.log.wait(TurnEnded, 2)
        stage.log.wait(ListeningStarted, 3)
        # Longer than any recording may be: it waits for the first word.
        stage.log.wait(LevelMeasured, 200)
        session.submit(MoveTalkKey("k2", KeyMove.TOGGLE))
        stage.log.wait(ListeningEnded, 3)
    assert acts(stage, 2) == [TalkAct.HANDS_FREE, TalkAct.HANDS_OFF]
    assert [ended.reason for ended in stage.log.of(ListeningEnded)] == ["silence", "silence", "dropped"]
    assert microphones.opened == 3


def test_hands_free_tells_a_missing_microphone_once_and_goes_on_by_itself(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener, "RETRY_S", 0.01)
    there = Microphones(1.0)
    missing = 30

    def plugged_in_late() -> FakeMicrophone:
        nonlocal missing
        missing -= 1
        if missing >= 0:
            raise MicrophoneMissing("There is no microphone.", "Plug one in.")
        return there.open()

    stage.will_hear("one")
    stage.will(answering("First."))
    with stage.session(open_microphone=plugged_in_late, preferences=HANDS_FREE) as session:
        session.submit(MoveTalkKey("k1", KeyMove.PRESS))
        assert stage.log.wait(TurnEnded).outcome is TurnOutcome.ANSWERED
        session.submit(MoveTalkKey("k2", KeyMove.PRESS))
    assert [doubt.reason for doubt in stage.log.of(ListeningDoubted)] == ["There is no microphone."]


def test_hands_free_outlives_a_microphone_that_goes_while_nothing_is_said(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener, "RETRY_S", 0.01)
    pulled, second = FakeMicrophone(), FakeMicrophone()
    pulled.feed(quiet(1.0))
    pulled.unplug()
    second.feed(quiet(0.3), speech(1.0), quiet(3.0))
    later = FakeMicrophone()
    later.idle()
    devices = [pulled, second]
    stage.will_hear("one")
    stage.will(answering("First."))
    opened = lambda: devices.pop(0) if devices else later  # noqa: E731
    with stage.session(open_microphone=opened, preferences=HANDS_FREE) as session:
        session.submit(MoveTalkKey("k1", KeyMove.PRESS))
        assert stage.log.wait(TurnEnded).outcome is TurnOutcome.ANSWERED
        session.submit(MoveTalkKey("k2", KeyMove.PRESS))
    assert [doubt.reason for doubt in stage.log.of(ListeningDoubted)] == ["The fake microphone is gone."]
    assert pulled.closed.is_set()


def test_a_microphone_that_goes_while_it_is_spoken_into_ends_the_recording_and_not_hands_free(stage: Stage) -> None:
    pulled, later = FakeMicrophone(), FakeMicrophone()
    pulled.feed(quiet(0.3), speech(1.0))
    pulled.unplug()
    later.idle()
    devices = [pulled]
    opened = lambda: devices.pop() if devices else later  # noqa: E731
    with stage.session(open_microphone=opened, preferences=HANDS_FREE) as session:
        session.submit(MoveTalkKey("k1", KeyMove.PRESS))
        ended = stage.log.wait(TurnEnded)
        stage.log.wait(ListeningStarted, 2)
        session.submit(MoveTalkKey("k2", KeyMove.PRESS))
    assert (ended.outcome, ended.text) == (TurnOutcome.FAILED, "The fake microphone is gone.")


def test_no_sleeping_microphone_is_waited_for_with_the_key_held(stage: Stage) -> None:
    def gone() -> FakeMicrophone:
        raise MicrophoneMissing("There is no microphone.", "Plug one in.")

    with stage.session(open_microphone=gone) as session:
        session.submit(MoveTalkKey("k1", KeyMove.PRESS))
        assert stage.ended("k1").outcome is TurnOutcome.FAILED


def test_zeros_are_told_while_they_last_and_lost_sound_is_told_once(stage: Stage) -> None:
    stage.microphone.lost = 3
    with stage.session() as session:
        session.submit(MoveTalkKey("k1", KeyMove.START))
        stage.microphone.feed(*[quiet(0.1)] * 40)
        stage.log.wait(LevelMeasured, 90)
        session.submit(MoveTalkKey("k2", KeyMove.CANCEL))
        stage.microphone.idle()
        stage.ended("k1")
    reasons = [doubt.reason for doubt in stage.log.of(ListeningDoubted)]
    assert len(reasons) == 2
    assert "lost" in reasons[0]
    assert "only zeros" in reasons[1]


def test_a_mode_that_is_chosen_while_hands_free_listening_lasts_ends_it(stage: Stage) -> None:
    modes = [TalkMode.HANDS_FREE]
    first, later = FakeMicrophone(), FakeMicrophone()
    first.idle()
    later.idle()
    devices = [first]
    opened = lambda: devices.pop() if devices else later  # noqa: E731
    with stage.session(open_microphone=opened, preferences=lambda: Preferences(talk_mode=modes[-1])) as session:
        session.submit(MoveTalkKey("k1", KeyMove.PRESS))
        stage.log.wait(ListeningStarted)
        modes.append(TalkMode.HOLD)
        session.submit(MoveTalkKey("k2", KeyMove.CANCEL))
        stage.log.wait(ListeningEnded)
        session.submit(MoveTalkKey("k3", KeyMove.PRESS))
        stage.log.wait(ListeningStarted, 2)
        assert acts(stage, 3) == [TalkAct.HANDS_FREE, TalkAct.DROP, TalkAct.LISTEN]

"""Which sound goes with what, and that a loudspeaker may fail."""

from __future__ import annotations

import itertools

import pytest

from aria_desktop.assistant.earcons import PEAK, Earcon, Earcons, earcon_for, sound_of
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.events import Event, ListeningEnded, ListeningStarted, TurnEnded
from aria_desktop.core.interfaces import AudioSink
from tests.unit.assistant.stage import FakeSpeaker

NOTHING = TurnEnded("", "s", "r", TurnOutcome.NOTHING_HEARD, "", ())


@pytest.mark.parametrize(
    ("event", "earcon"),
    [
        (ListeningStarted("mic"), Earcon.LISTENING),
        (ListeningEnded(1.0, "released"), Earcon.TAKEN),
        (ListeningEnded(1.0, "silence"), Earcon.TAKEN),
        (ListeningEnded(1.0, "dropped"), None),
        (ListeningEnded(1.0, "The microphone is gone."), None),
        (NOTHING, Earcon.NOTHING),
        (TurnEnded("t", "s", "r", TurnOutcome.ANSWERED, "Yes.", ()), None),
    ],
)
def test_which_sound_goes_with_what(event: Event, earcon: Earcon | None) -> None:
    assert earcon_for(event) is earcon


@pytest.mark.parametrize("earcon", Earcon)
def test_a_sound_is_short_soft_and_without_clicks(earcon: Earcon) -> None:
    sound = sound_of(earcon)
    samples = list(memoryview(sound.pcm).cast("h"))
    assert sound.seconds <= 0.1
    assert max(map(abs, samples)) <= PEAK * 32767
    assert samples[0] == samples[-1] == 0
    assert max(abs(b - a) for a, b in itertools.pairwise(samples)) < 800


def test_sounds_are_played_in_order_and_a_missing_loudspeaker_is_no_harm() -> None:
    speakers = [FakeSpeaker(), FakeSpeaker(broken=True), FakeSpeaker()]
    left = list(speakers)

    def open_sink() -> AudioSink:
        return left.pop(0)

    earcons = Earcons(open_sink, opening=True)
    for event in (ListeningStarted("mic"), ListeningEnded(1.0, "dropped"), ListeningEnded(1.0, "silence"), NOTHING):
        earcons(event)
    earcons.close()
    assert [speaker.played for speaker in speakers] == [
        [sound_of(Earcon.LISTENING)],
        [],
        [sound_of(Earcon.NOTHING)],
    ]


def test_a_microphone_that_opens_is_heard_only_by_those_who_want_it() -> None:
    speaker = FakeSpeaker()
    earcons = Earcons(lambda: speaker, opening=False)
    earcons(ListeningStarted("mic"))
    earcons(ListeningEnded(1.0, "silence"))
    earcons.close()
    assert speaker.played == [sound_of(Earcon.TAKEN)]

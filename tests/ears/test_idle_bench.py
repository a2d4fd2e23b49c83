"""The benchmark of idling, on a virtual microphone and with the real detectors: it counts what it says it counts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from aria_desktop.app_audio import strict_detector
from aria_desktop.audio.microphone import Microphone
from aria_desktop.core.audio import SPEECH, AudioChunk, joined
from aria_desktop.core.errors import EngineFailed, MicrophoneMissing
from aria_desktop.evaluation.idle import DEVICE, Feed, Left, fed, figures_of, idling, minute_of, run
from aria_desktop.testing.sounds import silence
from tests.ears.virtual_sound import VirtualSound

SENTENCE = "read/command_living_room_light_en.flac"


def test_an_open_microphone_is_measured(sound: VirtualSound) -> None:
    del sound
    percent, doubts = idling(Microphone, strict_detector, 2.0)
    assert 0 < percent < 100
    assert doubts == ["The microphone delivers only zeros: it is muted, or it is the wrong one."]


def test_who_speaks_meanwhile_spoils_it(sound: VirtualSound, clip: Callable[[str], AudioChunk]) -> None:
    spoken = joined([silence(2.5, SPEECH), clip(SENTENCE), silence(1.5, SPEECH)])
    with sound.speaking(spoken), pytest.raises(EngineFailed, match="Somebody spoke"):
        idling(Microphone, strict_detector, 8.0)


def test_without_a_microphone_it_says_so(clip: Callable[[str], AudioChunk]) -> None:
    def gone() -> Microphone:
        raise MicrophoneMissing("There is no microphone.", "Plug one in.")

    # Hands-free listening waits for one; what was never opened is not idle.
    with pytest.raises(MicrophoneMissing):
        run(gone, strict_detector, clip(SENTENCE), 1, 0, lambda _done, _of: None)


def test_each_minute_is_a_recording_and_no_sample_is_lost(clip: Callable[[str], AudioChunk]) -> None:
    shown: list[int] = []
    day = fed(strict_detector, minute_of(clip(SENTENCE)), 3, lambda done, _of: shown.append(done))
    assert (day.recordings, day.lost) == (3, 0)
    assert shown == sorted(shown)
    assert shown[-1] == 3
    assert {figure.name: figure.met for figure in figures_of(day)}["samples lost"]


def test_a_room_in_which_nobody_speaks_misses_its_recordings() -> None:
    day = fed(strict_detector, minute_of(silence(1.0, SPEECH)), 1, lambda _done, _of: None)
    assert day.recordings == 0
    assert not all(figure.met for figure in figures_of(day))


def test_a_recording_takes_up_where_the_one_before_stopped() -> None:
    feed = Feed(bytes(DEVICE.frame_bytes * DEVICE.rate), 2)
    first = iter(feed.opened())
    next(first)
    feed.close()
    assert list(first) == []
    given = feed.at
    rest = list(feed.opened())
    assert feed.at == 100
    assert given > 0
    assert sum(len(chunk.pcm) for chunk in rest) == feed.given


def test_what_is_held_is_counted() -> None:
    before = Left.now()
    with open("/dev/null") as _held:  # noqa: PTH123
        assert Left.now().handles == before.handles + 1

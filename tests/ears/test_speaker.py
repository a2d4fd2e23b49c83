"""The real loudspeaker code, listened to where a person would."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from aria_desktop.audio.devices import speakers
from aria_desktop.audio.speaker import Speaker
from aria_desktop.core.audio import AudioFormat
from aria_desktop.core.errors import SpeakerMissing
from aria_desktop.testing.sounds import tone
from tests.ears.virtual_sound import HEARD, VirtualSound

VOICE = AudioFormat(22_050)


def loud_spans(pcm: bytes | bytearray) -> list[tuple[float, float]]:
    """Stretches with sound, in seconds; holes of less than 6 ms are none."""
    samples: NDArray[np.int32] = np.abs(np.frombuffer(bytes(pcm[: len(pcm) // 2 * 2]), "<i2").astype(np.int32))
    step = HEARD.rate // 500
    loud = samples[: len(samples) // step * step].reshape(-1, step).max(axis=1) > 500
    return list(_spans(loud.tolist()))


def _spans(loud: list[bool]) -> Iterator[tuple[float, float]]:
    start = None
    for at, is_loud in enumerate([*loud, False, False, False]):
        if is_loud and start is None:
            start = at
        if start is not None and not any(loud[at : at + 3]):
            yield start / 500, at / 500
            start = None


def test_chunks_are_heard_as_one_sound_without_gaps(sound: VirtualSound) -> None:
    speaker = Speaker()
    with sound.ear_at_the_speaker() as heard:
        for _ in range(5):
            speaker.play(tone(0.4, VOICE, hertz=500))
        assert speaker.finish() == pytest.approx(2.0, abs=0.001)
    spans = loud_spans(heard)
    assert len(spans) == 1, spans
    assert spans[0][1] - spans[0][0] == pytest.approx(2.0, abs=0.03)


def test_silenced_it_stops_and_tells_how_much_was_heard(sound: VirtualSound) -> None:
    speaker = Speaker()
    told: list[float] = []

    def silence() -> None:
        told.append(speaker.stop_now())

    with sound.ear_at_the_speaker() as heard:
        timer = threading.Timer(0.7, silence)
        timer.start()
        speaker.play(tone(5.0, VOICE))
        timer.join()
        speaker.play(tone(1.0, VOICE))
        assert speaker.finish() == 0.0
        speaker.play(tone(0.2, VOICE))
        assert speaker.finish() == pytest.approx(0.2, abs=0.001)
    first, second = loud_spans(heard)
    assert first[1] - first[0] == pytest.approx(told[0], abs=0.15)
    assert told[0] < 1.0
    assert second[1] - second[0] == pytest.approx(0.2, abs=0.03)


def test_an_unplugged_loudspeaker_is_noticed_and_not_waited_for(sound: VirtualSound) -> None:
    sound.unplug_microphone()
    speaker = Speaker()
    speaker.play(tone(0.1, VOICE))
    unplug = threading.Timer(0.3, sound.unplug_speaker)
    unplug.start()
    with pytest.raises(SpeakerMissing, match="is gone"):
        speaker.play(tone(20.0, VOICE))
    unplug.join()


def test_without_any_loudspeaker_the_error_names_the_way_out(sound: VirtualSound) -> None:
    sound.unplug_speaker()
    sound.unplug_microphone()
    speaker = Speaker()
    with pytest.raises(SpeakerMissing, match="can't be opened") as missing:
        speaker.play(tone(0.1, VOICE))
    assert "voice.speak_replies" in missing.value.hint
    assert speaker.finish() == 0.0


def test_the_default_loudspeaker_is_listed_first(sound: VirtualSound) -> None:
    del sound
    assert speakers()[0].is_default


def test_chunks_of_two_formats_are_no_reply(sound: VirtualSound) -> None:
    del sound
    speaker = Speaker()
    speaker.play(tone(0.05, VOICE))
    with pytest.raises(ValueError, match="after one of"):
        speaker.play(tone(0.05, HEARD))
    speaker.stop_now()


def test_when_the_loudspeaker_goes_away_the_reply_goes_on_at_the_other_one(sound: VirtualSound) -> None:
    speaker = Speaker()
    unplug = threading.Timer(0.8, sound.unplug_speaker)
    with sound.ear_at("room") as elsewhere:
        unplug.start()
        speaker.play(tone(3.0, VOICE))
        assert speaker.finish() == pytest.approx(3.0, abs=0.25)
        unplug.join()
    spans = loud_spans(elsewhere)
    assert sum(end - start for start, end in spans) == pytest.approx(2.2, abs=0.4)


@pytest.mark.parametrize(("gain", "peak"), [(1.0, 0.3 * 32767), (0.25, 0.3 * 32767 / 4), (0.0, 0.0)])
def test_the_volume_is_that_of_the_samples(gain: float, peak: float, sound: VirtualSound) -> None:
    speaker = Speaker("", gain)
    with sound.ear_at_the_speaker() as heard:
        speaker.play(tone(0.5, VOICE))
        speaker.finish()
    loudest = np.abs(np.frombuffer(bytes(heard[: len(heard) // 2 * 2]), "<i2").astype(int)).max()
    assert loudest == pytest.approx(peak, rel=0.03, abs=2)

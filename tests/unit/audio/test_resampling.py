"""Sound in another rate is the same sound."""

from __future__ import annotations

import numpy as np
import pytest

from aria_desktop.audio.resampling import Resampler
from aria_desktop.core.audio import SPEECH, AudioFormat


def tone(rate: int, hertz: float, seconds: float, channels: int = 1) -> bytes:
    wave = 10_000 * np.sin(2 * np.pi * hertz * np.arange(int(rate * seconds)) / rate)
    return np.repeat(wave.astype("<i2"), channels).tobytes()


def through(resampler: Resampler, pcm: bytes, step: int) -> bytes:
    return b"".join(resampler.push(pcm[at : at + step]) for at in range(0, len(pcm), step)) + resampler.end()


@pytest.mark.parametrize("rate", [8_000, 22_050, 44_100, 48_000, 96_000])
@pytest.mark.parametrize("channels", [1, 2])
def test_a_tone_keeps_its_pitch_length_and_level(rate: int, channels: int) -> None:
    pcm = through(Resampler(AudioFormat(rate, channels), SPEECH), tone(rate, 440, 1.0, channels), 960 * channels)
    samples = np.frombuffer(pcm, "<i2")
    assert abs(len(samples) - 16_000) <= 2
    spectrum = np.abs(np.fft.rfft(samples[1000:15000]))
    assert abs(int(spectrum.argmax()) * 16_000 / 14_000 - 440) < 1.5
    assert 9_500 < int(np.abs(samples[1000:15000].astype(int)).max()) < 10_500


def test_the_right_format_passes_untouched() -> None:
    pcm = tone(16_000, 440, 0.1)
    resampler = Resampler(SPEECH, SPEECH)
    assert resampler.push(pcm) is pcm
    assert resampler.end() == b""


def test_two_channels_stay_two_channels() -> None:
    pcm = through(Resampler(AudioFormat(22_050, 2), AudioFormat(48_000, 2)), tone(22_050, 440, 0.5, 2), 4_400)
    samples = np.frombuffer(pcm, "<i2").reshape(-1, 2)
    assert abs(len(samples) - 24_000) <= 2
    assert np.allclose(samples[:, 0], samples[:, 1], atol=2)


def test_one_channel_can_not_become_two() -> None:
    with pytest.raises(ValueError, match="1 channels can't become 2"):
        Resampler(AudioFormat(16_000, 1), AudioFormat(16_000, 2))


def test_one_channel_of_several_is_taken_untouched() -> None:
    left, right = tone(SPEECH.rate, 300, 0.1), tone(SPEECH.rate, 700, 0.1)
    both = np.stack([np.frombuffer(left, "<i2"), np.frombuffer(right, "<i2")], axis=1).tobytes()
    stereo = AudioFormat(SPEECH.rate, 2)
    assert Resampler(stereo, SPEECH, channel=0).push(both) == left
    assert Resampler(stereo, SPEECH, channel=1).push(both) == right

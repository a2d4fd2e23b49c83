"""The words for recordings in which nothing was said, and how loud a frame is."""

from __future__ import annotations

import pytest

from aria_desktop.assistant.frames import peak, why_nothing
from aria_desktop.core.audio import SPEECH
from aria_desktop.testing.sounds import tone


@pytest.mark.parametrize(
    ("seconds", "loudest", "words"),
    [
        (0.2, 20_000, "too short"),
        (3.0, 0, "only zeros"),
        (3.0, 60, "nearly silent"),
        (3.0, 9_000, "no speech in it"),
    ],
)
def test_the_likeliest_reason_is_told(seconds: float, loudest: int, words: str) -> None:
    assert words in why_nothing(seconds, loudest)


def test_the_peak_is_the_largest_deviation_either_way() -> None:
    assert peak(b"\x00\x00\x01\x00\x00\x80") == 32_768
    assert peak(b"\xff\x7f\x00\x00") == 32_767
    assert peak(bytes(640)) == 0
    assert peak(tone(0.02, SPEECH, level=0.5).pcm) == pytest.approx(16_384, abs=40)

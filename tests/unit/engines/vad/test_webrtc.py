"""The detector by itself; how it judges real speech is tested in tests/ears."""

from __future__ import annotations

import pytest

from aria_desktop.core.audio import SPEECH
from aria_desktop.engines.vad.webrtc import WebRtcDetector


def test_it_takes_frames_of_twenty_milliseconds_only() -> None:
    detector = WebRtcDetector()
    assert detector.frame_samples == 320
    with pytest.raises(ValueError, match="638 bytes are not one frame"):
        detector.speech_probability(bytes(638))


def test_silence_is_no_speech() -> None:
    detector = WebRtcDetector()
    assert [detector.speech_probability(bytes(640)) for _ in range(50)] == [0.0] * 50


def test_a_reset_forgets_what_came_before() -> None:
    frame = b"".join((20_000 if at % 80 < 40 else -20_000).to_bytes(2, "little", signed=True) for at in range(320))
    detector, fresh = WebRtcDetector(), WebRtcDetector()
    for _ in range(SPEECH.rate // 320):
        detector.speech_probability(bytes(640))
    detector.reset()
    verdicts = [[one.speech_probability(frame) for _ in range(100)] for one in (detector, fresh)]
    assert verdicts[0] == verdicts[1]

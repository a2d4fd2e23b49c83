"""A detector that sleeps while nothing stirs, and judges as if it had not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from aria_desktop.core.audio import SPEECH
from aria_desktop.engines.vad.gated import HANG_S, WARM_S, GatedDetector

FRAME_S = 512 / SPEECH.rate


class Gate:
    frame_samples = 320

    def speech_probability(self, frame: bytes) -> float:
        assert len(frame) == 640
        return 1.0 if any(frame) else 0.0

    def reset(self) -> None:
        pass


class Judge:
    """Writes down what it is told; believes in loud frames."""

    frame_samples = 512

    def __init__(self) -> None:
        self.told: list[bytes] = []

    def speech_probability(self, frame: bytes) -> float:
        assert len(frame) == 1024
        self.told.append(frame)
        return 0.9 if frame[0] > 100 else 0.2

    def reset(self) -> None:
        self.told.clear()


SILENT, NOISE, SPEAKING = bytes(1024), bytes([50]) * 1024, bytes([120]) * 1024


def test_in_silence_the_judge_is_never_asked() -> None:
    detector = GatedDetector(Gate(), Judge())
    assert {detector.speech_probability(SILENT) for _ in range(1000)} == {0.0}
    assert detector.judged == 0


def test_what_wakes_it_is_judged_with_what_came_before() -> None:
    judge = Judge()
    detector = GatedDetector(Gate(), judge)
    for _ in range(100):
        detector.speech_probability(SILENT)
    assert detector.speech_probability(SPEAKING) == 0.9
    assert judge.told == [SILENT] * round(WARM_S / FRAME_S) + [SPEAKING]


def test_it_stays_awake_for_a_while_and_then_sleeps() -> None:
    judge = Judge()
    detector = GatedDetector(Gate(), judge)
    detector.speech_probability(SPEAKING)
    for _ in range(200):
        detector.speech_probability(SILENT)
    assert abs(detector.judged - HANG_S / FRAME_S) <= 2


def test_a_new_recording_knows_nothing_of_the_last_one() -> None:
    judge = Judge()
    detector = GatedDetector(Gate(), judge)
    detector.speech_probability(SPEAKING)
    detector.reset()
    assert detector.speech_probability(SILENT) == 0.0
    assert judge.told == []


@given(st.lists(st.sampled_from([SILENT, NOISE, SPEAKING]), max_size=120))
def test_no_frame_that_stirs_is_kept_from_the_judge(frames: list[bytes]) -> None:
    detector = GatedDetector(Gate(), Judge())
    for frame in frames:
        probability = detector.speech_probability(frame)
        if frame is not SILENT:
            assert probability == (0.9 if frame is SPEAKING else 0.2)
    assert detector.judged <= len(frames) + sum(frame is not SILENT for frame in frames) * round(WARM_S / FRAME_S)

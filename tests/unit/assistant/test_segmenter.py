"""The segmenter is arithmetic, so its tests are too: frames are numbered, and what comes out is counted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aria_desktop.assistant.segmenter import Ending, Phase, Rules, Segmenter, Utterance

FRAME_S = 0.02
RULES = Rules(silence_s=0.8, cap_s=10.0, onset_s=0.08, pre_roll_s=0.3, tail_s=0.2)
HOLD = Rules(silence_s=None, cap_s=10.0, onset_s=0.08, pre_roll_s=0.3, tail_s=0.2)


def frame(number: int) -> bytes:
    return number.to_bytes(4, "little")


def run(segmenter: Segmenter, *stretches: tuple[bool, float]) -> Ending | None:
    """Push stretches of (speech, seconds); stops at the first ending."""
    number = round(segmenter.seconds / FRAME_S)
    for speech, seconds in stretches:
        for _ in range(round(seconds / FRAME_S)):
            ending = segmenter.push(frame(number), speech)
            number += 1
            if ending:
                return ending
    return None


def numbers(utterance: Utterance | None) -> list[int]:
    assert utterance is not None
    return [int.from_bytes(utterance.pcm[at : at + 4], "little") for at in range(0, len(utterance.pcm), 4)]


def test_silence_after_speech_ends_the_utterance_with_pre_roll_and_tail() -> None:
    segmenter = Segmenter(FRAME_S, RULES)
    assert run(segmenter, (False, 2.0), (True, 1.0), (False, 5.0)) is Ending.SILENCE
    assert segmenter.seconds == pytest.approx(2.0 + 1.0 + 0.8)
    utterance = segmenter.utterance()
    assert numbers(utterance) == list(range(100 - 15, 150 + 10))
    assert utterance is not None
    assert (utterance.speech_start, utterance.speech_end) == pytest.approx((2.0, 3.0))
    assert utterance.start == pytest.approx(2.0 - 0.3)


def test_a_pause_shorter_than_the_limit_does_not_end_it() -> None:
    segmenter = Segmenter(FRAME_S, RULES)
    assert run(segmenter, (True, 0.5), (False, 0.7), (True, 0.5), (False, 0.7)) is None
    utterance = segmenter.utterance()
    assert utterance is not None
    assert (utterance.speech_start, utterance.speech_end) == pytest.approx((0.0, 1.7))


def test_a_click_neither_begins_an_utterance_nor_prolongs_it() -> None:
    segmenter = Segmenter(FRAME_S, RULES)
    assert run(segmenter, (False, 0.5), (True, 0.06), (False, 0.5)) is None
    assert segmenter.phase is Phase.WAITING
    assert segmenter.utterance() is None
    run(segmenter, (True, 0.5), (False, 0.4), (True, 0.06))
    assert run(segmenter, (False, 5.0)) is Ending.SILENCE
    assert segmenter.seconds == pytest.approx(1.06 + 0.5 + 0.8)


def test_a_noise_before_the_speech_does_not_end_the_recording() -> None:
    segmenter = Segmenter(FRAME_S, RULES)
    assert run(segmenter, (True, 0.16), (False, 2.0)) is None
    assert segmenter.phase is Phase.WAITING
    assert segmenter.utterance() is None
    assert run(segmenter, (True, 0.3), (False, 2.0)) is Ending.SILENCE
    utterance = segmenter.utterance()
    assert utterance is not None
    assert utterance.speech_start == pytest.approx(2.16)


def test_speech_with_holes_is_recognised_as_speech() -> None:
    segmenter = Segmenter(FRAME_S, RULES)
    run(segmenter, *[(True, 0.02), (False, 0.02)] * 8)
    assert segmenter.phase is Phase.SPEECH
    assert numbers(segmenter.utterance())[0] == 0


def test_released_speech_is_whole_up_to_the_release() -> None:
    segmenter = Segmenter(FRAME_S, HOLD)
    assert run(segmenter, (True, 1.0), (False, 3.0), (True, 1.0)) is None
    assert numbers(segmenter.utterance()) == list(range(250))


def test_silence_alone_ends_at_the_cap_and_is_no_utterance() -> None:
    segmenter = Segmenter(FRAME_S, RULES)
    assert run(segmenter, (False, 60.0)) is Ending.LIMIT
    assert segmenter.seconds == pytest.approx(10.0)
    assert segmenter.utterance() is None


def test_endless_speech_is_cut_at_the_cap_and_kept() -> None:
    segmenter = Segmenter(FRAME_S, RULES)
    assert run(segmenter, (True, 60.0)) is Ending.LIMIT
    assert numbers(segmenter.utterance()) == list(range(500))


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 60)), max_size=12))
def test_the_utterance_is_one_unbroken_stretch_around_all_speech_it_believes_in(runs: list[tuple[bool, int]]) -> None:
    segmenter = Segmenter(FRAME_S, HOLD)
    run(segmenter, *[(speech, count * FRAME_S) for speech, count in runs])
    utterance = segmenter.utterance()
    if utterance is None:
        assert all(not speech or count < 4 for speech, count in runs)
        return
    kept = numbers(utterance)
    assert kept == list(range(kept[0], kept[0] + len(kept)))
    assert utterance.start <= utterance.speech_start < utterance.speech_end <= segmenter.seconds + 1e-9
    assert kept[0] >= round(utterance.speech_start / FRAME_S) - 15
    longest = max((count for speech, count in runs if speech), default=0)
    assert len(kept) >= min(longest, 4)

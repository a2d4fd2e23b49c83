"""What counts as speech among the detector's verdicts, and where it begins and ends."""

from __future__ import annotations

import pytest

from aria_desktop.engines.speech.speech_gate import FRAME_S, Evidence, SpeechFound, speech_of, stretches

SPEECH, MAYBE, NOISE = 0.9, 0.4, 0.1


def found(*spans: tuple[float, int]) -> SpeechFound:
    """Of verdicts, each so many times."""
    speech = speech_of(stretches([probability for probability, times in spans for _ in range(times)]))
    return SpeechFound(speech.evidence, round(speech.start, 6), round(speech.end, 6))


def within(start: int, end: int, evidence: Evidence) -> SpeechFound:
    """Frames as seconds."""
    return SpeechFound(evidence, round(start * FRAME_S, 6), round(end * FRAME_S, 6))


@pytest.mark.parametrize("spans", [(), ((NOISE, 300),), ((NOISE, 50), (SPEECH, 2), (NOISE, 50)), ((MAYBE, 1),)])
def test_noise_and_clicks_are_no_speech(spans: tuple[tuple[float, int], ...]) -> None:
    assert found(*spans) == SpeechFound(Evidence.NONE)


def test_a_word_is_speech_from_its_first_to_its_last_frame() -> None:
    assert found((NOISE, 20), (SPEECH, 10), (NOISE, 40)) == within(20, 30, Evidence.STRONG)


def test_a_whisper_is_weak() -> None:
    assert found((NOISE, 20), (MAYBE, 10), (NOISE, 40)) == within(20, 30, Evidence.WEAK)


def test_pauses_are_within() -> None:
    assert found((SPEECH, 5), (NOISE, 90), (SPEECH, 5)) == within(0, 100, Evidence.STRONG)


def test_what_fades_near_speech_belongs_to_it_and_a_murmur_far_away_does_not() -> None:
    assert found((MAYBE, 5), (NOISE, 20), (SPEECH, 9), (NOISE, 20), (MAYBE, 5)) == within(0, 59, Evidence.STRONG)
    assert found((MAYBE, 5), (NOISE, 90), (SPEECH, 9), (NOISE, 90), (MAYBE, 5)) == within(95, 104, Evidence.STRONG)

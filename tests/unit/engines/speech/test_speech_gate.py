"""What counts as speech among the detector's verdicts, and where it begins and ends."""

from __future__ import annotations

import pytest

from aria_desktop.engines.speech.speech_gate import FRAME_S, Evidence, SpeechFound, parts_of, speech_of, stretches

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


def test_long_speech_is_cut_in_its_longest_pauses_until_each_part_is_short_enough() -> None:
    spans = [(SPEECH, 100), (NOISE, 20), (SPEECH, 100), (NOISE, 60), (SPEECH, 100), (NOISE, 30), (SPEECH, 100)]
    pieces = stretches([probability for probability, times in spans for _ in range(times)])
    assert [round(part.start / FRAME_S) for part in parts_of(pieces, 1000 * FRAME_S)] == [0]
    cuts = [(round(part.start / FRAME_S), round(part.end / FRAME_S)) for part in parts_of(pieces, 240 * FRAME_S)]
    assert cuts == [(0, 220), (280, 510)]
    cuts = [(round(part.start / FRAME_S), round(part.end / FRAME_S)) for part in parts_of(pieces, 225 * FRAME_S)]
    assert cuts == [(0, 220), (280, 380), (410, 510)]


def test_a_stretch_without_a_pause_stays_whole_and_no_speech_has_no_parts() -> None:
    (part,) = parts_of(stretches([SPEECH] * 300), 2.0)
    assert part.end - part.start == pytest.approx(300 * FRAME_S)
    assert parts_of(stretches([NOISE] * 300), 2.0) == ()

"""The arithmetic of `aria bench voice`, on a voice that takes a set time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from aria_desktop.audio.speaker import LEAD_S
from aria_desktop.core.audio import AudioChunk, AudioFormat
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.interfaces import TextToSpeech
from aria_desktop.evaluation import voice
from aria_desktop.evaluation.voice import ClockedSink
from aria_desktop.evaluation.voice_replies import REPLIES
from aria_desktop.testing.sounds import silence

FORMAT = AudioFormat(8_000)


def sound(seconds: float) -> AudioChunk:
    return silence(seconds, FORMAT)


class SlowVoice:
    """Takes `late_s` for each text; a millisecond of sound for each letter."""

    def __init__(self, late_s: float) -> None:
        self._late_s = late_s

    def synthesize(self, text: str, cancel: CancelToken) -> Iterator[AudioChunk]:
        cancel.raise_if_cancelled()
        time.sleep(self._late_s)
        yield sound(len(text) / 1000)


def test_a_clause_that_comes_too_late_is_a_gap_and_an_early_one_waits() -> None:
    sink = ClockedSink()
    sink.play(sound(0.05))
    time.sleep(0.15)
    sink.play(sound(1.0))
    (gap,) = sink.gaps
    assert gap >= 0.1
    sink.play(sound(1.0))
    assert sink.gaps == [gap]
    assert sink.finish() == pytest.approx(2.05)
    assert time.monotonic() - sink.began >= 2.05 + gap - LEAD_S - gap - 0.01


def test_both_ways_are_measured_and_paired_in_rounds() -> None:
    opened: list[bool] = []

    @contextmanager
    def open_voice(whole: bool) -> Iterator[TextToSpeech]:
        opened.append(whole)
        yield SlowVoice(0.3 if whole else 0.0)

    shown: list[tuple[int, int]] = []
    replies = ("It is done.", "Yes.", "No.", "Fine.")
    found = voice.run(open_voice, replies, lambda done, of: shown.append((done, of)), rounds=2)
    assert opened == [False, True] * 2
    assert shown == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert sorted(str(item["reply"]) for item in found.items) == sorted(replies)
    figures = {figure.name: figure for figure in found.figures}
    assert figures["replies"].value == 4
    assert figures["gaps between clauses"].value == 0
    assert figures["first word written to first sample, the plain way over ours"].value > 1


def test_there_are_forty_replies_of_one_to_four_sentences() -> None:
    assert len(set(REPLIES)) == 40

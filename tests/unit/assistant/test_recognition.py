"""What is sent to the recogniser, and what is made of its answer."""

from __future__ import annotations

import pytest

from aria_desktop.assistant.parts import Preferences
from aria_desktop.assistant.recognition import Progress, recognised, speech_in, words_listed
from aria_desktop.core.audio import joined
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.interfaces import RecognitionHints
from aria_desktop.core.requests import ListenMode, StartListening
from aria_desktop.testing.script import Step
from aria_desktop.testing.scripted import ScriptedSpeechToText
from tests.unit.assistant.stage import LoudnessDetector, Stage, answering, quiet, speech


def test_only_the_part_with_speech_is_sent() -> None:
    found = speech_in(joined([quiet(3.0), speech(1.0), quiet(0.5), speech(1.0), quiet(3.0)]), LoudnessDetector())
    assert found is not None
    assert (found.start, found.speech_start, found.speech_end) == pytest.approx((2.7, 3.0, 5.5))
    assert speech_in(quiet(5.0), LoudnessDetector()) is None
    assert speech_in(quiet(0.001), LoudnessDetector()) is None


def test_hours_of_speech_are_not_cut() -> None:
    found = speech_in(speech(100.0), LoudnessDetector())
    assert found is not None
    assert len(found.pcm) == 100 * 16_000 * 2


def test_segments_are_told_as_they_come_and_counted_from_the_recordings_start() -> None:
    told: list[Progress] = []
    recogniser = ScriptedSpeechToText([Step(("One two.", "Three."), language="es")])
    transcript = recognised(recogniser, speech(2.0), RecognitionHints(), CancelToken(), told.append, offset=5.0)
    assert (transcript.text, transcript.language, transcript.seconds) == ("One two. Three.", "es", 2.0)
    assert [(word.text, word.start) for word in transcript.words] == [("One", 5.0), ("two.", 5.5), ("Three.", 6.0)]
    assert [(progress.done, progress.text) for progress in told] == [(6.0, "One two."), (7.0, "One two. Three.")]
    assert told[0].remaining is not None
    assert told[1].remaining == 0.0


def test_nothing_recognised_has_no_language() -> None:
    transcript = recognised(
        ScriptedSpeechToText([""]), speech(1.0), RecognitionHints("en"), CancelToken(), lambda _: None
    )
    assert (transcript.text, transcript.language, transcript.segments) == ("", "", ())


def test_own_words_are_listed_with_commas() -> None:
    assert words_listed(" Zyntax, Maria Kowalczyk ,,Zyntax,") == ("Zyntax", "Maria Kowalczyk")
    assert words_listed(" , ") == ()


def test_own_words_reach_the_recogniser(stage: Stage) -> None:
    stage.microphone.feed(speech(1.0), quiet(2.0))
    stage.will_hear("Open Zyntax.")
    stage.will(answering("Yes."))
    with stage.session(preferences=lambda: Preferences(own_words=("Zyntax",), language="en")) as session:
        session.submit(StartListening("r1", ListenMode.UNTIL_SILENCE, speak=False))
        stage.ended()
    assert [hints for _, hints in stage.speech.heard] == [RecognitionHints("en", ("Zyntax",))]

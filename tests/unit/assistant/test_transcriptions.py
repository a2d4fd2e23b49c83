"""Long sound files: heard a stretch at a time, stopped, paused, and gone on with."""

from __future__ import annotations

import pytest

from aria_desktop.core.audio import joined
from aria_desktop.core.events import (
    FileRejected,
    FileTranscribed,
    RecognitionProgress,
    TranscriptionContinued,
    TranscriptionPaused,
)
from aria_desktop.core.requests import (
    CancelTranscription,
    ContinueTranscription,
    PauseTranscription,
    TranscribeFile,
)
from aria_desktop.testing.script import Ending, Step
from tests.unit.assistant.stage import Stage, quiet, speech

LONG = joined([speech(21.0), quiet(1.0), speech(5.0)])
"""Heard in two stretches: the pause after 21 seconds ends the first."""


def test_what_was_stopped_goes_on_where_it_was(stage: Stage) -> None:
    stage.files["/long.wav"] = LONG
    stage.will_hear("One.", Step(("Two.",), then=Ending.HANG))
    with stage.session() as session:
        session.submit(TranscribeFile("f1", "/long.wav"))
        stage.log.wait(RecognitionProgress, job_id="f1", text="One. Two.")
        session.submit(CancelTranscription("f1"))
        assert stage.log.wait(FileRejected).error == "cancelled"
    stage.will_hear("Two again.")
    with stage.session() as session:
        session.submit(TranscribeFile("f2", "/long.wav"))
        first = stage.log.wait(RecognitionProgress, job_id="f2")
        transcript = stage.log.wait(FileTranscribed, request_id="f2").transcript
    assert first.done == pytest.approx(21.3, abs=0.05)
    assert first.text == "One."
    assert (transcript.text, transcript.language, transcript.seconds) == ("One. Two again.", "en", 27.0)
    (heard,) = stage.speech.heard
    assert heard[0].seconds == pytest.approx(27.0 - first.done, abs=0.01)
    assert heard[1].language == "en"
    assert transcript.segments[1].start == pytest.approx(first.done, abs=0.01)
    assert stage.store.transcripts.begin(f"{hash(LONG.pcm)}  ").segments == ()


def test_a_recogniser_that_dies_costs_no_stretch_that_was_heard(stage: Stage) -> None:
    stage.files["/long.wav"] = LONG
    stage.will_hear("One.", Step((), then=Ending.CRASH))
    with stage.session() as session:
        session.submit(TranscribeFile("f1", "/long.wav"))
        assert stage.log.wait(FileRejected).error == "engine_died"
    stage.will_hear("Two.")
    with stage.session() as session:
        session.submit(TranscribeFile("f2", "/long.wav"))
        assert stage.log.wait(FileTranscribed).transcript.text == "One. Two."


SLOW = Step(("One.", "Two."), delay_s=0.5)
"""There is time to ask for something while it goes on."""


def test_a_paused_file_waits_after_its_stretch_and_goes_on(stage: Stage) -> None:
    stage.files["/long.wav"] = LONG
    stage.will_hear(SLOW, "Three.")
    with stage.session() as session:
        session.submit(TranscribeFile("f1", "/long.wav"))
        stage.log.wait(RecognitionProgress, text="One.")
        session.submit(PauseTranscription("f1"))
        stage.log.wait(TranscriptionPaused, request_id="f1")
        assert len(stage.speech.heard) == 1
        session.submit(ContinueTranscription("f1"))
        assert stage.log.wait(FileTranscribed).transcript.text == "One. Two. Three."
    assert stage.log.wait(TranscriptionContinued).request_id == "f1"


def test_a_paused_file_can_be_stopped_there(stage: Stage) -> None:
    stage.files["/long.wav"] = LONG
    stage.will_hear(SLOW)
    with stage.session() as session:
        session.submit(TranscribeFile("f1", "/long.wav"))
        stage.log.wait(RecognitionProgress, text="One.")
        session.submit(PauseTranscription("f1"))
        stage.log.wait(TranscriptionPaused)
        session.submit(CancelTranscription("f1"))
        assert stage.log.wait(FileRejected).error == "cancelled"
    assert not stage.log.of(TranscriptionContinued)

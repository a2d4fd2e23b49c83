"""Faster and slower, said alone: the voice's speed, and the reading that goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from aria_desktop.assistant.pace import stepped
from aria_desktop.assistant.parts import Preferences
from aria_desktop.assistant.reading_aloud import Wish
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.errors import StorageError
from aria_desktop.core.events import SpeakingStarted
from aria_desktop.core.requests import SilenceVoice, SubmitText
from aria_desktop.storage.declarations import VoiceSettings, declared
from tests.unit.assistant.stage import FakeSpeaker, Stage, answering

CHAPTER = "The first sentence of the chapter is a rather long one. The second follows.\n\nAnd this is the end."


class Speed:
    """The setting, as a session has it."""

    def __init__(self, speed: float = 1.0) -> None:
        self.speed = speed
        self.session = {"preferences": lambda: Preferences(pace=self.speed), "change_setting": self.change}

    def change(self, name: str, value: float) -> None:
        assert name == "voice.speed"
        self.speed = value


@pytest.fixture
def chapter(stage: Stage) -> Path:
    path = stage.folder / "chapter.md"
    path.write_text(CHAPTER, "utf-8")
    return path


@pytest.mark.usefixtures("chapter")
def test_a_reading_goes_on_faster_and_faster_still(stage: Stage) -> None:
    speakers = [FakeSpeaker(holding=True), FakeSpeaker(holding=True), FakeSpeaker()]
    speed = Speed()
    with stage.session(open_speaker=lambda: speakers.pop(0), **speed.session) as session:
        for number, text in enumerate(["Read me chapter.md", "Faster."], 1):
            session.submit(SubmitText(f"r{number}", text))
            stage.log.wait(SpeakingStarted, number)
            session.submit(SilenceVoice())
            stage.ended(f"r{number}")
        assert speed.speed == 1.25
        session.submit(SubmitText("r3", "read faster"))
        ended = stage.ended("r3")
    assert speed.speed == 1.56
    assert ended.answer == CHAPTER
    assert stage.agent.tasks == []


@pytest.mark.usefixtures("chapter")
def test_without_a_reading_that_was_broken_off_it_only_says_so(stage: Stage) -> None:
    speed = Speed()
    stage.will(answering("Noon."))
    with stage.session(**speed.session) as session:
        session.submit(SubmitText("r1", "Read me chapter.md"))
        session.submit(SubmitText("r2", "What time is it?"))
        session.submit(SubmitText("r3", "más despacio"))
        ended = stage.ended("r3")
        session.submit(SubmitText("r4", "slower"))
        again = stage.ended("r4")
    assert ended.answer == "A partir de ahora hablo más despacio."
    assert again.answer == "I speak slower from now on."
    assert speed.speed == 0.64


def test_at_the_end_of_its_range_it_says_so_and_changes_nothing(stage: Stage) -> None:
    speed = Speed(2.0)
    with stage.session(**speed.session) as session:
        session.submit(SubmitText("r1", "faster"))
        assert stage.ended("r1").answer == "I can't speak faster than this."
    assert speed.speed == 2.0


def test_a_setting_that_can_not_be_written_is_an_error_of_the_turn(stage: Stage) -> None:
    def full(_name: str, _value: object) -> None:
        raise StorageError("The disk is full.", "Make room.")

    with stage.session(change_setting=full) as session:
        session.submit(SubmitText("r1", "slower"))
        ended = stage.ended("r1")
    assert (ended.outcome, ended.text) == (TurnOutcome.FAILED, "The disk is full.")


def test_who_reads_the_answers_asks_the_model(stage: Stage) -> None:
    stage.will(answering("Faster than what?"))
    with stage.session() as session:
        session.submit(SubmitText("r1", "faster", speak=False))
        assert stage.ended("r1").answer == "Faster than what?"


@pytest.mark.parametrize("speed", [0.5, 0.62, 1.0, 1.7, 2.0])
@pytest.mark.parametrize("wish", [Wish.FASTER, Wish.SLOWER])
def test_every_step_is_a_speed_that_the_setting_takes(speed: float, wish: Wish) -> None:
    rule = declared(VoiceSettings)["speed"].metadata["rule"]
    wanted = stepped(speed, wish)
    assert rule.low <= wanted <= rule.high
    assert wanted >= speed if wish is Wish.FASTER else wanted <= speed

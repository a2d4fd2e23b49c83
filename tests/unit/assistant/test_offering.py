"""What was heard is taken, corrected or dropped by the user before anything is done about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from aria_desktop.assistant.offering import Confirm, has_to_be_offered
from aria_desktop.assistant.parts import Preferences
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.events import Heard, Problem, TranscriptOffered, TranscriptSettled, TurnEnded
from aria_desktop.core.requests import AnswerTranscript, CancelTurn, ListenMode, StartListening
from aria_desktop.core.transcript import Word
from aria_desktop.storage.last_utterance import NAME, LastUtterance
from aria_desktop.testing.script import Ending, Step
from tests.unit.assistant.stage import FakeMicrophone, Stage, answering, quiet, speech

SPEAK = StartListening("r1", ListenMode.UNTIL_SILENCE, speak=False)


def heard(text: str, *probabilities: float) -> Heard:
    words = zip(text.split(), probabilities, strict=True)
    return Heard("t1", text, "en", tuple(Word(word, 0.0, 1.0, probability) for word, probability in words), 2.0)


SURE = heard("Delete the lamp.", 0.9, 0.9, 0.9)
UNSURE_WORD = heard("Delete the lamp.", 0.9, 0.9, 0.29)
UNSURE_IN_ALL = heard("Delete the lamp.", 0.5, 0.5, 0.5)
STOP = heard("Stop.", 0.29)


@pytest.mark.parametrize(
    ("when", "offered"),
    [("never", []), ("unsure", [UNSURE_WORD, UNSURE_IN_ALL]), ("always", [SURE, UNSURE_WORD, UNSURE_IN_ALL])],
)
def test_when_it_is_offered(when: Confirm, offered: list[Heard]) -> None:
    assert [each for each in (SURE, UNSURE_WORD, UNSURE_IN_ALL, STOP) if has_to_be_offered(each, when)] == offered


def spoken(stage: Stage, words: str) -> None:
    stage.microphone = FakeMicrophone()
    stage.microphone.feed(speech(1.0), quiet(2.0))
    stage.will_hear(words)


@pytest.mark.parametrize(
    ("answer", "carried_out"), [("Turn on the lamp.", "Turn on the lamp."), (" List it ", "List it")]
)
def test_it_waits_and_carries_out_what_the_user_makes_of_it(stage: Stage, answer: str, carried_out: str) -> None:
    spoken(stage, "Turn on the lamp.")
    stage.will(answering("Yes."))
    with stage.session(preferences=lambda: Preferences(confirm_words="always")) as session:
        session.submit(SPEAK)
        offered = stage.log.wait(TranscriptOffered)
        assert (offered.text, stage.agent.tasks, stage.store.sessions()) == ("Turn on the lamp.", [], ())
        session.submit(AnswerTranscript(offered.turn_id, answer, "you"))
        assert stage.ended().outcome is TurnOutcome.ANSWERED
    assert stage.agent.tasks[0].words == carried_out
    assert stage.log.wait(Heard).text == carried_out
    assert stage.log.wait(TranscriptSettled).by == "you"
    assert (stage.agent.tasks[0].heard is None) == (carried_out != offered.text), "no doubt is left of what was typed"
    assert "approve" in stage.log.wait(TurnEnded).timings


def test_what_is_dropped_is_neither_stored_nor_carried_out(stage: Stage) -> None:
    spoken(stage, "Delete everything.")
    with stage.session(preferences=lambda: Preferences(confirm_words="always")) as session:
        session.submit(SPEAK)
        session.submit(AnswerTranscript(stage.log.wait(TranscriptOffered).turn_id, "  ", "you"))
        assert stage.ended().outcome is TurnOutcome.CANCELLED
    assert stage.store.sessions() == ()


def test_a_stopped_turn_waits_no_longer(stage: Stage) -> None:
    spoken(stage, "Delete everything.")
    with stage.session(preferences=lambda: Preferences(confirm_words="always")) as session:
        session.submit(SPEAK)
        stage.log.wait(TranscriptOffered)
        session.submit(CancelTurn())
        assert stage.ended().outcome is TurnOutcome.CANCELLED


def test_where_nobody_can_look_at_it_nothing_is_done(stage: Stage) -> None:
    spoken(stage, "Delete everything.")
    with stage.session(preferences=lambda: Preferences(confirm_words="always")) as session:
        session.submit(SPEAK)
        stage.log.wait(TranscriptOffered)
        stage.unsubscribe()
    assert stage.agent.tasks == []
    assert stage.store.sessions() == ()


def test_an_answer_that_comes_too_late_is_told(stage: Stage) -> None:
    with stage.session() as session:
        session.submit(AnswerTranscript("t9", "Delete everything.", "you"))
        assert "no longer waiting" in stage.log.wait(Problem).text


@pytest.mark.parametrize("words", ["Delete everything.", ""])
def test_the_sound_of_words_that_were_taken_is_gone_and_of_others_kept(
    stage: Stage, tmp_path: Path, words: str
) -> None:
    spoken(stage, "Delete everything.")
    stage.will(*[answering("No.")] * bool(words))
    with stage.session(
        preferences=lambda: Preferences(confirm_words="always"), last_utterance=LastUtterance(tmp_path)
    ) as session:
        session.submit(SPEAK)
        turn_id = stage.log.wait(TranscriptOffered).turn_id
        assert (tmp_path / NAME).is_file()
        session.submit(AnswerTranscript(turn_id, words, "you"))
        stage.ended()
    assert (tmp_path / NAME).is_file() == (not words)


def test_the_sound_outlives_a_recogniser_that_fails(stage: Stage, tmp_path: Path) -> None:
    stage.microphone.feed(speech(1.0), quiet(2.0))
    stage.will_hear(Step((), then=Ending.ERROR))
    with stage.session(last_utterance=LastUtterance(tmp_path)) as session:
        session.submit(SPEAK)
        assert stage.ended().outcome is TurnOutcome.FAILED
    assert (tmp_path / NAME).is_file()

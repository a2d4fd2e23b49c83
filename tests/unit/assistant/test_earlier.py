"""Older turns are summed up while nothing else is to be done, and a new turn is told of them."""

from __future__ import annotations

from collections.abc import Sequence
from queue import SimpleQueue

import pytest

from aria_desktop.assistant.earlier import AT_ONCE
from aria_desktop.assistant.history import RECENT_TURNS, SUMMARISED
from aria_desktop.assistant.session import Session
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.events import AnswerGiven, ListeningStarted, TurnEnded
from aria_desktop.core.interfaces import Generation
from aria_desktop.core.records import Source
from aria_desktop.core.requests import DropRecording, ListenMode, OpenSession, StartListening, SubmitText
from aria_desktop.testing.script import Ending, Script, Step
from aria_desktop.testing.scripted import ScriptedLanguageModel
from tests.unit.assistant.stage import WAIT_S, Stage, answering


def talk(stage: Stage, turns: int) -> str:
    """A stored conversation with so many answered turns."""
    session_id = stage.store.new_session()
    for number in range(turns):
        turn_id = f"old{number}"
        stage.store.begin_turn(session_id, turn_id, Source.TEXT, f"words {number}", "")
        stage.store.record(AnswerGiven(turn_id, f"answer {number}"))
        stage.store.record(TurnEnded(turn_id, session_id, "r0", TurnOutcome.ANSWERED, f"answer {number}", ()))
    stage.store.told.clear()
    stage.store.turn_ended.clear()
    return session_id


def say(stage: Stage, session: Session, session_id: str, request_id: str = "r1") -> None:
    session.submit(SubmitText(request_id, "And now?", session_id=session_id, speak=False))
    stage.ended(request_id)


class Summariser(ScriptedLanguageModel):
    """Tells when it is asked, and takes its step then: a cancel that comes at once does not take it away."""

    def __init__(self, steps: Sequence[Step | str]) -> None:
        super().__init__(Script(steps, note=lambda _: self.wanted.put(self.asked[-1])))
        self.wanted: SimpleQueue[Generation] = SimpleQueue()


def will_sum_up(stage: Stage, *steps: Step | str) -> SimpleQueue[Generation]:
    """What the model is asked for, as soon as it is."""
    model = Summariser(steps)
    stage.language = model
    return model.wanted


def test_few_turns_need_no_summary(stage: Stage) -> None:
    session_id = talk(stage, RECENT_TURNS - 1)
    stage.will(answering("Yes."))
    with stage.session() as session:
        say(stage, session, session_id)
    assert stage.language.asked == []
    assert stage.store.summary(session_id) is None


def test_older_turns_are_summed_up_after_a_turn_and_told_in_the_next(stage: Stage) -> None:
    session_id = talk(stage, 8)
    stage.will(answering("Yes."), answering("No."))
    asked = will_sum_up(stage, "The user counts.", "The user counts on.")
    with stage.session() as session:
        say(stage, session, session_id)
        first_asked = asked.get(timeout=WAIT_S)
        stage.store.summaries.get(timeout=WAIT_S)
        say(stage, session, session_id, "r2")
        asked.get(timeout=WAIT_S)
        kept = stage.store.summaries.get(timeout=WAIT_S)
    assert first_asked.reply_schema is None
    assert "words 4" not in first_asked.messages[-1].text
    assert "words 3" in first_asked.messages[-1].text
    assert (kept.text, kept.through) == ("The user counts on.", "old4")
    again = stage.language.asked[1].messages[-1].text
    assert "The user counts." in again
    assert "words 4" in again
    assert "words 3" not in again
    first, second = (task.history for task in stage.agent.tasks)
    assert [turn.words for turn in first] == [f"words {number}" for number in range(3, 8)]
    assert (second[0].words, second[0].answer) == (SUMMARISED, "The user counts.")
    assert [turn.words for turn in second[1:]] == ["words 4", "words 5", "words 6", "words 7", "And now?"]


def test_a_summary_goes_with_its_conversation(stage: Stage) -> None:
    session_id = talk(stage, 9)
    stage.will(answering("Yes."))
    will_sum_up(stage, "The user counts.")
    with stage.session() as session:
        say(stage, session, session_id)
        stage.store.summaries.get(timeout=WAIT_S)
        stage.store.delete_session(session_id)
    assert stage.store.summary(session_id) is None


@pytest.mark.parametrize("what", ["a turn", "listening", "closing"])
def test_anything_else_to_do_ends_it_at_once(stage: Stage, what: str) -> None:
    session_id = talk(stage, 9)
    stage.will(answering("Yes."), *([answering("No.")] if what == "a turn" else []))
    hanging = Step(("The user",), then=Ending.HANG)
    asked = will_sum_up(stage, *([hanging, "The user counts."] if what == "a turn" else [hanging]))
    with stage.session() as session:
        say(stage, session, session_id)
        asked.get(timeout=WAIT_S)
        match what:
            case "a turn":
                say(stage, session, session_id, "r2")
                asked.get(timeout=WAIT_S)
                stage.store.summaries.get(timeout=WAIT_S)
            case "listening":
                session.submit(StartListening("r2", ListenMode.HOLD))
                stage.log.wait(ListeningStarted)
                session.submit(DropRecording())
                stage.microphone.idle()
                stage.ended("r2")
                assert stage.store.summary(session_id) is None
            case _:
                assert stage.store.summary(session_id) is None


@pytest.mark.parametrize("step", [Step((), then=Ending.ERROR), Step((), then=Ending.CRASH), Step(("",))])
def test_a_model_that_fails_at_it_harms_nothing(stage: Stage, step: Step) -> None:
    session_id = talk(stage, 9)
    stage.will(answering("Yes."), answering("No."))
    asked = will_sum_up(stage, step, step)
    with stage.session() as session:
        say(stage, session, session_id)
        asked.get(timeout=WAIT_S)
        session.submit(OpenSession("o1", session_id))
        say(stage, session, session_id, "r2")
        asked.get(timeout=WAIT_S)
    assert stage.store.summary(session_id) is None
    assert stage.ended("r2").answer == "No."


def test_many_turns_are_taken_in_portions(stage: Stage) -> None:
    session_id = talk(stage, 40)
    stage.will(answering("Yes."))
    will_sum_up(stage, "They count.")
    with stage.session() as session:
        say(stage, session, session_id)
        kept = stage.store.summaries.get(timeout=WAIT_S)
    assert kept.through == f"old{AT_ONCE - 1}"

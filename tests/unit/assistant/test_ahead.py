"""What is said while a turn runs is recognised at once: "stop" stops it, everything else waits for its own turn."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from queue import SimpleQueue

import pytest

from aria_desktop.assistant.agent import AgentResult, AgentTask
from aria_desktop.assistant.recognition import WHY_NOTHING
from aria_desktop.assistant.session import Session
from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.events import AnswerGiven, Heard, TurnEnded, TurnStarted
from aria_desktop.core.interfaces import Approver
from aria_desktop.core.requests import CancelTurn, ListenMode, StartListening, SubmitText
from aria_desktop.core.transcript import Nothing
from aria_desktop.testing.script import Ending, Script, Step
from aria_desktop.testing.scripted import ScriptedSpeechToText
from tests.unit.assistant.stage import WAIT_S, Events, FakeMicrophone, Stage, answering, quiet, speech


class HeldRecogniser(ScriptedSpeechToText):
    """Tells when it is asked, and takes its step when it is let go: a cancel in between does not take it away."""

    def __init__(self, steps: Sequence[Step | str]) -> None:
        super().__init__(Script(steps, note=self._hold))
        self.asked: SimpleQueue[None] = SimpleQueue()
        self.let_go = threading.Event()

    def _hold(self, _call: object) -> None:
        self.asked.put(None)
        assert self.let_go.wait(WAIT_S)


class Thinking:
    """A turn that lasts until it is let go or cancelled."""

    def __init__(self) -> None:
        self.let_go = CancelToken()

    def __call__(self, task: AgentTask, _approver: Approver, cancel: CancelToken) -> Events:
        cancel.on_cancel(self.let_go.cancel)
        assert self.let_go.wait(WAIT_S)
        if cancel.cancelled:
            raise Cancelled
        yield AnswerGiven(task.turn_id, "Done.")
        return AgentResult(TurnOutcome.ANSWERED, "Done.", ())


def think(stage: Stage, session: Session) -> None:
    """r1 runs."""
    session.submit(SubmitText("r1", "Write a long story", speak=False))
    stage.log.wait(TurnStarted, request_id="r1")


def speak(stage: Stage, session: Session, request_id: str) -> None:
    stage.microphone = FakeMicrophone()
    stage.microphone.feed(speech(1.0), quiet(2.0))
    session.submit(StartListening(request_id, ListenMode.UNTIL_SILENCE, speak=False))


def hold(stage: Stage, *steps: Step | str) -> HeldRecogniser:
    recogniser = HeldRecogniser(steps)
    stage.speech = recogniser
    return recogniser


@pytest.mark.parametrize("words", ["Stop.", "ARIA, para ya"])
def test_a_spoken_stop_stops_what_was_asked_before_it_and_nothing_after(stage: Stage, words: str) -> None:
    stage.will(Thinking(), answering("Later."))
    recogniser = hold(stage, words)
    with stage.session() as session:
        think(stage, session)
        session.submit(SubmitText("r2", "And another one", speak=False))
        speak(stage, session, "r3")
        recogniser.asked.get(timeout=WAIT_S)
        session.submit(SubmitText("r4", "Read it", speak=False))
        recogniser.let_go.set()
        outcomes = {request_id: stage.ended(request_id).outcome for request_id in ("r1", "r2", "r3", "r4")}
    assert outcomes == {
        "r1": TurnOutcome.CANCELLED,
        "r2": TurnOutcome.CANCELLED,
        "r3": TurnOutcome.ANSWERED,
        "r4": TurnOutcome.ANSWERED,
    }
    assert stage.ended("r3").answer in ("Stopped.", "Parado.")
    assert [task.words for task in stage.agent.tasks] == ["Write a long story", "Read it"]


@pytest.mark.parametrize("known", ["before its turn", "in its turn"])
def test_other_words_wait_for_their_own_turn_and_are_not_recognised_twice(stage: Stage, known: str) -> None:
    first = Thinking()
    stage.will(first, answering("Created."))
    recogniser = hold(stage, "Create a.txt.")
    with stage.session() as session:
        think(stage, session)
        speak(stage, session, "r2")
        recogniser.asked.get(timeout=WAIT_S)
        if known == "before its turn":
            recogniser.let_go.set()
            first.let_go.cancel()
        else:
            first.let_go.cancel()
            stage.log.wait(TurnStarted, request_id="r2")
            recogniser.let_go.set()
        ended = stage.ended("r2")
    assert stage.ended("r1").outcome is TurnOutcome.ANSWERED
    assert (ended.outcome, ended.answer) == (TurnOutcome.ANSWERED, "Created.")
    assert {"listen", "recognise", "total"} <= set(ended.timings)
    kinds = [type(event) for event in stage.log.all if getattr(event, "turn_id", "") == ended.turn_id]
    assert kinds == [TurnStarted, Heard, AnswerGiven, TurnEnded]
    assert [turn.words for turn in stage.store.turns(ended.session_id)] == ["Write a long story", "Create a.txt."]


def test_several_recordings_are_recognised_one_after_the_other(stage: Stage) -> None:
    first = Thinking()
    stage.will(first, answering("One."), answering("Two."))
    recogniser = hold(stage, "Create one.txt.", "Create two.txt.")
    with stage.session() as session:
        think(stage, session)
        for request_id in ("r2", "r3"):
            speak(stage, session, request_id)
            if request_id == "r2":
                recogniser.asked.get(timeout=WAIT_S)
                recogniser.let_go.set()
        recogniser.asked.get(timeout=WAIT_S)
        first.let_go.cancel()
        assert (stage.ended("r2").answer, stage.ended("r3").answer) == ("One.", "Two.")
    assert [task.words for task in stage.agent.tasks[1:]] == ["Create one.txt.", "Create two.txt."]


@pytest.mark.parametrize(
    ("step", "outcome", "told"),
    [
        (Step(()), TurnOutcome.NOTHING_HEARD, WHY_NOTHING[Nothing.UNCLEAR]),
        (Step((), then=Ending.CRASH), TurnOutcome.FAILED, "died"),
        (Step((), then=Ending.ERROR), TurnOutcome.FAILED, ""),
    ],
)
def test_what_goes_wrong_is_told_in_its_own_turn(stage: Stage, step: Step, outcome: TurnOutcome, told: str) -> None:
    first = Thinking()
    stage.will(first)
    recogniser = hold(stage, step)
    recogniser.let_go.set()
    with stage.session() as session:
        think(stage, session)
        speak(stage, session, "r2")
        recogniser.asked.get(timeout=WAIT_S)
        first.let_go.cancel()
        assert stage.ended("r1").outcome is TurnOutcome.ANSWERED
        ended = stage.ended("r2")
    assert ended.outcome is outcome
    assert told in ended.text


def test_a_recording_that_waits_can_be_stopped_while_it_is_recognised(stage: Stage) -> None:
    first = Thinking()
    stage.will(first)
    recogniser = hold(stage, Step((), then=Ending.HANG))
    recogniser.let_go.set()
    with stage.session() as session:
        think(stage, session)
        speak(stage, session, "r2")
        recogniser.asked.get(timeout=WAIT_S)
        session.submit(CancelTurn(request_id="r2"))
        assert stage.ended("r2").outcome is TurnOutcome.CANCELLED
        first.let_go.cancel()
        assert stage.ended("r1").outcome is TurnOutcome.ANSWERED
    assert stage.log.of(Heard) == []


def test_a_turn_that_waits_for_its_words_can_be_stopped(stage: Stage) -> None:
    first = Thinking()
    stage.will(first)
    recogniser = hold(stage, Step((), then=Ending.HANG))
    recogniser.let_go.set()
    with stage.session() as session:
        think(stage, session)
        speak(stage, session, "r2")
        recogniser.asked.get(timeout=WAIT_S)
        first.let_go.cancel()
        started = stage.log.wait(TurnStarted, request_id="r2")
        session.submit(CancelTurn(started.turn_id))
        assert stage.ended("r2").outcome is TurnOutcome.CANCELLED


def test_the_end_of_the_session_stops_it(stage: Stage) -> None:
    stage.will(Thinking())
    recogniser = hold(stage, Step((), then=Ending.HANG))
    recogniser.let_go.set()
    with stage.session() as session:
        think(stage, session)
        speak(stage, session, "r2")
        recogniser.asked.get(timeout=WAIT_S)
    assert {event.outcome for event in stage.log.of(TurnEnded)} == {TurnOutcome.CANCELLED}

"""What is said alone is carried out in the session without the agent, and is a turn like any other."""

from __future__ import annotations

import pytest

from aria_desktop.assistant.agent import AgentResult, AgentTask
from aria_desktop.assistant.by_code import last_told
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import Message, Role, TurnOutcome
from aria_desktop.core.events import AnswerPiece, Heard, ReplyReceived, SpeakingStarted, TurnEnded, TurnStarted
from aria_desktop.core.interfaces import Approver
from aria_desktop.core.listings import SessionShown
from aria_desktop.core.records import Source, TurnRecord
from aria_desktop.core.requests import SubmitFile, SubmitText
from aria_desktop.testing.script import Ending, Step
from aria_desktop.testing.scripted import ScriptedLanguageModel
from tests.unit.assistant.stage import Events, FakeSpeaker, Stage, answering, speech

NOT_RECORDED = ", así que no puedo deshacerlos. No ha cambiado nada."
ASKED = SubmitText("r1", "What is a byte?", speak=False)


def text(words: str, request_id: str = "r2", *, speak: bool = False) -> SubmitText:
    return SubmitText(request_id, words, speak=speak)


def thinking(task: AgentTask, _approver: Approver, cancel: CancelToken) -> Events:
    yield AnswerPiece(task.turn_id, "Well")
    cancel.wait(60)
    cancel.raise_if_cancelled()
    return AgentResult(TurnOutcome.ANSWERED, "never", ())


def test_the_last_answer_is_spoken_again_and_again(stage: Stage) -> None:
    stage.will(answering("Eight bits."))
    with stage.session() as session:
        session.submit(ASKED)
        session.submit(text("Repeat that, please.", speak=True))
        session.submit(text("what did you say", "r3", speak=True))
        ends = [stage.ended("r2"), stage.ended("r3")]
    assert [(end.outcome, end.answer, end.tools) for end in ends] == [(TurnOutcome.ANSWERED, "Eight bits.", ())] * 2
    assert stage.voice.spoken == ["Eight bits."] * 2


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("Undo that.", "Changes in this folder are not recorded, so I can't undo them. Nothing was changed."),
        ("Deshazlo", f"Los cambios de esta carpeta no se registran{NOT_RECORDED}"),
        ("Goodbye, Aria!", "Goodbye."),
        ("Repeat that", "There is no answer yet in this conversation."),
        ("simpler please", "There is no answer yet in this conversation."),
        ("Más detalle", "Todavía no hay ninguna respuesta en esta conversación."),
    ],
)
def test_answers_without_the_agent(stage: Stage, words: str, answer: str) -> None:
    with stage.session() as session:
        session.submit(text(words))
        ended = stage.ended("r2")
    assert (ended.outcome, ended.answer) == (TurnOutcome.ANSWERED, answer)
    (turn,) = stage.store.turns(ended.session_id)
    assert (turn.words, turn.answer, turn.calls) == (words, answer, ())


def test_stop_cancels_what_runs_and_waits_and_says_nothing_aloud(stage: Stage) -> None:
    stage.will(thinking)
    with stage.session() as session:
        session.submit(ASKED)
        stage.log.wait(AnswerPiece)
        session.submit(text("List my files", "waiting"))
        session.submit(text("Stop!", speak=True))
        ends = [stage.ended(), stage.ended("waiting"), stage.ended("r2")]
    assert [end.outcome for end in ends] == [TurnOutcome.CANCELLED, TurnOutcome.CANCELLED, TurnOutcome.ANSWERED]
    assert ends[-1].answer == "Stopped."
    assert stage.voice.spoken == []


def test_goodbye_ends_the_speech_that_goes_on(stage: Stage) -> None:
    stage.will(answering("A long story."))
    stage.speaker = FakeSpeaker(holding=True)
    with stage.session() as session:
        session.submit(SubmitText("r1", "Tell me a story"))
        stage.log.wait(SpeakingStarted)
        session.submit(text("Goodbye"))
        ended = stage.ended("r2")
    assert stage.speaker.stopped.is_set()
    assert ended.answer == "Goodbye."


def test_a_new_conversation_begins_after_its_own_turn(stage: Stage) -> None:
    stage.will(answering("Eight bits."), answering("Hello."))
    with stage.session() as session:
        session.submit(ASKED)
        session.submit(text("Let's start a new conversation"))
        shown = stage.log.wait(SessionShown, request_id="r2")
        session.submit(text("Hi there", "r3"))
        after = stage.ended("r3")
    assert shown.current
    assert shown.turns == ()
    assert after.session_id == shown.session.session_id != stage.ended("r2").session_id
    assert stage.agent.tasks[-1].history == ()
    kinds = [type(event) for event in stage.log.all]
    assert kinds.index(SessionShown) > [i for i, event in enumerate(stage.log.all) if isinstance(event, TurnEnded)][1]


def test_a_new_conversation_elsewhere_leaves_the_current_one(stage: Stage) -> None:
    other = stage.store.new_session()
    stage.will(answering("Eight bits."), answering("Two."))
    with stage.session() as session:
        session.submit(ASKED)
        session.submit(SubmitText("r2", "new conversation", session_id=other, speak=False))
        session.submit(text("How many nibbles?", "r3"))
        assert stage.ended("r3").session_id == stage.ended().session_id
    assert stage.log.of(SessionShown) == []


@pytest.mark.parametrize(
    ("words", "asks_for"), [("Explain that in simpler words", "a beginner"), ("In more depth, please", "an expert")]
)
def test_the_last_answer_is_told_for_another_reader(stage: Stage, words: str, asks_for: str) -> None:
    stage.will(answering("Eight </data> bits."))
    stage.language = ScriptedLanguageModel([Step(("It is ", "a tiny box."), expects=asks_for)])
    with stage.session() as session:
        session.submit(ASKED)
        session.submit(text(words, speak=True))
        ended = stage.ended("r2")
    assert (ended.outcome, ended.answer, ended.tools) == (TurnOutcome.ANSWERED, "It is a tiny box.", ())
    assert [piece.text for piece in stage.log.of(AnswerPiece)] == ["It is ", "a tiny box."]
    assert "".join(stage.voice.spoken) == "It is a tiny box."
    assert [reply.raw for reply in stage.log.of(ReplyReceived)] == ["It is a tiny box."]
    (generation,) = stage.language.asked
    assert generation.reply_schema is None
    assert [message.role for message in generation.messages] == [Role.SYSTEM, Role.USER]
    assert "<data>\nWhat is a byte?\n</data>" in generation.messages[1].text
    assert "<data>\nEight < /data> bits.\n</data>" in generation.messages[1].text


def test_telling_again_can_be_stopped_and_an_engine_that_fails_is_told(stage: Stage) -> None:
    stage.will(answering("Eight bits."))
    stage.language = ScriptedLanguageModel([Step(("It",), then=Ending.HANG), Step((), then=Ending.ERROR)])
    with stage.session() as session:
        session.submit(ASKED)
        session.submit(text("simpler"))
        stage.log.wait(AnswerPiece, text="It")
        session.submit(text("stop", "r3"))
        assert stage.ended("r2").outcome is TurnOutcome.CANCELLED
        assert stage.ended("r3").answer == "Stopped."
        session.submit(text("more detail", "r4"))
        failed = stage.ended("r4")
    assert (failed.outcome, failed.error) == (TurnOutcome.FAILED, "engine_failed")


def test_it_works_as_well_when_it_is_spoken(stage: Stage) -> None:
    stage.will(answering("Eight bits."))
    stage.will_hear("Repeat that, please.")
    stage.files["/sound.wav"] = speech(1.0)
    with stage.session() as session:
        session.submit(ASKED)
        session.submit(SubmitFile("r2", "/sound.wav"))
        ended = stage.ended("r2")
    assert ended.answer == "Eight bits."
    assert stage.log.of(Heard)[0].text == "Repeat that, please."
    assert [started.source for started in stage.log.of(TurnStarted)] == [Source.TEXT, Source.FILE]


def record(words: str, answer: str) -> TurnRecord:
    return TurnRecord("t", Source.TEXT, words, answer, TurnOutcome.ANSWERED, 0.0, (), {})


def test_what_was_told_last() -> None:
    told = [record("What is a byte?", "Eight bits."), record("simpler", "A box."), record("stop", "Stopped.")]
    assert last_told(told) == ("What is a byte?", "A box.")
    assert last_told([*told, record("List files", "")]) == ("What is a byte?", "A box.")
    assert last_told([record("stop", "Stopped.")]) == ("", "")
    assert last_told(()) == ("", "")


def test_a_generation_that_was_cut_says_so(stage: Stage) -> None:
    stage.will(answering("Eight bits."))

    class Cut(ScriptedLanguageModel):
        def complete(self, generation, cancel):  # type: ignore[no-untyped-def]
            from dataclasses import replace

            for piece in super().complete(generation, cancel):
                yield piece if isinstance(piece, str) else replace(piece, complete=False)

    stage.language = Cut(["It is a tiny"])
    with stage.session() as session:
        session.submit(ASKED)
        session.submit(text("simpler"))
        assert stage.ended("r2").answer == "It is a tiny…"


def test_messages_are_bounded(stage: Stage) -> None:
    stage.will(answering("word " * 5_000))
    stage.language = ScriptedLanguageModel(["Short."])
    with stage.session() as session:
        session.submit(ASKED)
        session.submit(text("simpler"))
        stage.ended("r2")
    (generation,) = stage.language.asked
    assert all(isinstance(message, Message) and len(message.text) < 5_000 for message in generation.messages)

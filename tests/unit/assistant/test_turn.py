"""One turn: what is stored before what, what is spoken when, and that it always ends exactly once."""

from __future__ import annotations

import time

import pytest

from aria_desktop.assistant.agent import AgentResult, AgentTask
from aria_desktop.assistant.heard_part import as_heard
from aria_desktop.assistant.parts import Preferences
from aria_desktop.core.audio import joined
from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.chat import Outcome, ToolCall, ToolResult, TurnOutcome
from aria_desktop.core.errors import EngineDied
from aria_desktop.core.events import (
    AnswerGiven,
    AnswerPiece,
    AnswerUnspoken,
    CallEnded,
    CallProposed,
    CallStarted,
    Heard,
    Problem,
    RecognitionProgress,
    SpeakingEnded,
    SpeakingStarted,
    TurnEnded,
    TurnStarted,
)
from aria_desktop.core.interfaces import Approver
from aria_desktop.core.records import Source
from aria_desktop.core.requests import CancelTurn, SilenceVoice, SubmitFile, SubmitText
from aria_desktop.testing.script import Ending, Step
from tests.unit.assistant.stage import Events, FakeSpeaker, Stage, answering, quiet, speech

TEXT = SubmitText("r1", "How many minutes has a day?")
MUTE = SubmitText("r1", "How many minutes has a day?", speak=False)


def calling(task: AgentTask, _approver: Approver, _cancel: CancelToken) -> Events:
    call = ToolCall("c1", "list_files")
    yield CallProposed(task.turn_id, 1, call)
    yield CallStarted(task.turn_id, call.id)
    yield CallEnded(task.turn_id, call, ToolResult(Outcome.DONE, "a.txt"))
    yield AnswerGiven(task.turn_id, "There is a.txt.")
    return AgentResult(TurnOutcome.ANSWERED, "There is a.txt.", ("list_files",))


def test_a_typed_command_is_carried_out_and_answered(stage: Stage) -> None:
    stage.will(calling)
    with stage.session() as session:
        session.submit(MUTE)
        ended = stage.ended()
    assert (ended.outcome, ended.answer, ended.tools) == (TurnOutcome.ANSWERED, "There is a.txt.", ("list_files",))
    assert (ended.error, ended.text, ended.hint) == ("", "", "")
    assert {"think", "act", "total"} <= set(ended.timings)
    started = stage.log.of(TurnStarted)
    assert [(event.source, event.words) for event in started] == [(Source.TEXT, MUTE.words)]
    (turn,) = stage.store.turns(ended.session_id)
    assert (turn.words, turn.answer, turn.outcome) == (MUTE.words, "There is a.txt.", TurnOutcome.ANSWERED)


def test_the_agent_is_told_whom_to_answer(stage: Stage) -> None:
    stage.will(answering("Many."))
    with stage.session(preferences=lambda: Preferences(level="beginner")) as session:
        session.submit(MUTE)
        stage.ended()
    assert [task.level for task in stage.agent.tasks] == ["beginner"]


def test_words_are_stored_before_the_agent_runs_and_events_before_they_are_told(stage: Stage) -> None:
    seen: list[tuple[str, object]] = []

    def looks(task: AgentTask, approver: Approver, cancel: CancelToken) -> Events:
        seen.extend(stage.store.told)
        return (yield from calling(task, approver, cancel))

    stage.will(looks)
    with stage.session() as session:
        session.submit(MUTE)
        stage.ended()
    assert ("begun", MUTE.words) in seen
    for event in (*stage.log.of(CallStarted), *stage.log.of(CallEnded), *stage.log.of(TurnEnded)):
        assert stage.store.told.index(("stored", event)) < stage.store.told.index(("told", event))


def test_the_agent_goes_on_only_when_the_event_is_stored(stage: Stage) -> None:
    def acts(task: AgentTask, _approver: Approver, _cancel: CancelToken) -> Events:
        call = ToolCall("c1", "create_file")
        yield CallProposed(task.turn_id, 1, call)
        yield CallStarted(task.turn_id, call.id)
        assert ("stored", CallStarted(task.turn_id, call.id)) in stage.store.told
        yield CallEnded(task.turn_id, call, ToolResult(Outcome.DONE, "done"))
        return AgentResult(TurnOutcome.ANSWERED, "", ())

    stage.will(acts)
    with stage.session() as session:
        session.submit(MUTE)
        assert stage.ended().outcome is TurnOutcome.ANSWERED


def test_what_can_not_be_stored_stops_the_turn_before_it_acts(stage: Stage) -> None:
    acted = []

    def acts(task: AgentTask, _approver: Approver, _cancel: CancelToken) -> Events:
        yield CallProposed(task.turn_id, 1, ToolCall("c1", "create_file"))
        yield CallStarted(task.turn_id, "c1")
        acted.append(True)
        return AgentResult(TurnOutcome.ANSWERED, "", ())

    stage.will(acts)
    stage.store.fails_on = CallStarted
    with stage.session() as session:
        session.submit(MUTE)
        ended = stage.ended()
    assert (ended.outcome, ended.text) == (TurnOutcome.FAILED, "The disk is full.")
    assert not acted


def test_an_end_that_can_not_be_stored_is_told_all_the_same(stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
    stage.will(answering("Yes."))
    stage.store.fails_on = TurnEnded
    with stage.session() as session:
        session.submit(MUTE)
        assert stage.ended().outcome is TurnOutcome.ANSWERED
    assert "TurnEnded could not be stored" in caplog.text


def test_a_sound_file_is_recognised_without_its_silence(stage: Stage) -> None:
    stage.files["/a.wav"] = joined([quiet(2.0), speech(1.0), quiet(2.0)])
    stage.will_hear(Step(("List my", "files.")))
    stage.will(answering("There are none."))
    with stage.session() as session:
        session.submit(SubmitFile("r1", "/a.wav", speak=False))
        ended = stage.ended()
    ((audio, hints),) = stage.speech.heard
    assert audio.seconds == pytest.approx(0.3 + 1.0 + 0.24)
    assert hints.language == ""
    heard = stage.log.wait(Heard)
    assert (heard.text, heard.language) == ("List my files.", "en")
    assert heard.words[0].start == pytest.approx(1.7)
    assert [event.text for event in stage.log.of(RecognitionProgress)] == ["List my", "List my files."]
    assert stage.log.of(TurnStarted)[0].words == ""
    assert stage.agent.tasks[0].words == "List my files."
    assert {"listen", "recognise", "think", "total"} <= set(ended.timings)
    assert stage.store.turns(ended.session_id)[0].words == "List my files."


@pytest.mark.parametrize("recognised", [False, True])
def test_when_nothing_is_heard_there_is_no_turn(stage: Stage, recognised: bool) -> None:
    stage.files["/a.wav"] = speech(1.0) if recognised else quiet(600.0)
    if recognised:
        stage.will_hear("")
    with stage.session() as session:
        session.submit(SubmitFile("r1", "/a.wav"))
        ended = stage.ended()
    assert (ended.turn_id, ended.outcome) == ("", TurnOutcome.NOTHING_HEARD)
    said = "no words could be made out" if recognised else "There is no speech in the recording."
    assert said in ended.text
    assert stage.store.turns(ended.session_id) == ()
    assert stage.store.sessions() == ()


def test_a_file_that_can_not_be_read_is_a_failure_with_a_way_out(stage: Stage) -> None:
    with stage.session() as session:
        session.submit(SubmitFile("r1", "/nothing.wav"))
        ended = stage.ended()
    assert (ended.outcome, ended.error) == (TurnOutcome.FAILED, "audio_unreadable")
    assert (ended.text, ended.hint) == ("/nothing.wav can't be read.", "Copy it again.")


def test_the_answer_is_spoken_while_it_is_written(stage: Stage) -> None:
    spoken_early: list[list[str]] = []

    def writes(task: AgentTask, _approver: Approver, _cancel: CancelToken) -> Events:
        yield AnswerPiece(task.turn_id, "A day has one thousand four hundred and forty minutes. ")
        stage.log.wait(SpeakingStarted)
        spoken_early.append(list(stage.voice.spoken))
        yield AnswerPiece(task.turn_id, "That is a lot.")
        yield AnswerGiven(task.turn_id, "A day has one thousand four hundred and forty minutes. That is a lot.")
        return AgentResult(TurnOutcome.ANSWERED, "A day has ...", ())

    stage.will(writes)
    with stage.session() as session:
        session.submit(TEXT)
        ended = stage.ended()
    assert spoken_early == [["A day has one thousand four hundred and forty minutes."]]
    assert stage.voice.spoken == ["A day has one thousand four hundred and forty minutes.", "That is a lot."]
    assert stage.log.of(SpeakingStarted)[0].sink == "fake speaker"
    (spoken,) = stage.log.of(SpeakingEnded)
    assert spoken.seconds == pytest.approx(sum(chunk.seconds for chunk in stage.speaker.played), abs=0.01)
    assert not spoken.interrupted
    assert {"first_audio", "speak"} <= set(ended.timings)
    assert stage.log.all.index(spoken) < stage.log.all.index(ended)


def test_nothing_is_spoken_when_it_is_not_wanted(stage: Stage) -> None:
    stage.will(answering("Yes."))
    with stage.session() as session:
        session.submit(MUTE)
        ended = stage.ended()
    assert stage.voice.spoken == []
    assert "first_audio" not in ended.timings


def test_a_broken_voice_costs_the_sound_and_not_the_answer(stage: Stage) -> None:
    stage.speaker = FakeSpeaker(broken=True)
    stage.will(answering("It is done."))
    with stage.session() as session:
        session.submit(TEXT)
        ended = stage.ended()
    assert (ended.outcome, ended.answer) == (TurnOutcome.ANSWERED, "It is done.")
    (problem,) = stage.log.of(Problem)
    assert (problem.request_id, problem.error) == ("", "speaker_missing")
    assert problem.text == "The answer can't be spoken. The fake speaker is gone."
    assert not stage.log.of(SpeakingStarted)
    assert not stage.log.of(SpeakingEnded)


def test_a_tool_that_runs_long_before_anything_was_said_is_filled_by_code(stage: Stage) -> None:
    def slow(task: AgentTask, _approver: Approver, _cancel: CancelToken) -> Events:
        call = ToolCall("c1", "list_files")
        yield CallProposed(task.turn_id, 1, call)
        yield CallStarted(task.turn_id, call.id)
        until = time.monotonic() + 30
        while "One moment." not in stage.voice.spoken and time.monotonic() < until:
            time.sleep(0.01)
        yield CallEnded(task.turn_id, call, ToolResult(Outcome.DONE, "a.txt"))
        yield AnswerGiven(task.turn_id, "There is a.txt.")
        return AgentResult(TurnOutcome.ANSWERED, "There is a.txt.", ("list_files",))

    stage.will(slow)
    with stage.session() as session:
        session.submit(TEXT)
        ended = stage.ended()
    assert stage.voice.spoken == ["One moment.", "There is a.txt."]
    assert ended.timings["first_audio"] > 0.7
    assert len(stage.log.of(SpeakingStarted)) == 1


def test_what_was_heard_of_an_answer_is_what_later_turns_are_told(stage: Stage) -> None:
    stage.speaker = FakeSpeaker(holding=True)
    stage.will(answering("It is done. " + "And more than that, which takes long to say and is never heard. " * 9))
    with stage.session() as session:
        session.submit(TEXT)
        stage.log.wait(SpeakingStarted)
        session.submit(SilenceVoice())
        ended = stage.ended()
    (turn,) = stage.store.turns(ended.session_id)
    assert turn.answer == ended.answer
    assert turn.heard is not None
    assert len(turn.heard) < len(turn.answer)
    assert turn.answer.startswith(turn.heard)
    assert as_heard(turn).endswith("… (interrupted)")


def test_a_silenced_voice_leaves_the_answer(stage: Stage) -> None:
    stage.speaker = FakeSpeaker(holding=True)
    stage.will(answering("It is done. And more than that."))
    with stage.session() as session:
        session.submit(TEXT)
        stage.log.wait(SpeakingStarted)
        session.submit(SilenceVoice())
        ended = stage.ended()
    assert ended.outcome is TurnOutcome.ANSWERED
    (spoken,) = stage.log.of(SpeakingEnded)
    assert (spoken.interrupted, spoken.seconds) == (True, 0.5)


def test_cancelling_while_it_speaks_is_silence_and_no_lie_about_what_was_done(stage: Stage) -> None:
    stage.speaker = FakeSpeaker(holding=True)
    stage.will(answering("It is done."))
    with stage.session() as session:
        session.submit(TEXT)
        stage.log.wait(SpeakingStarted)
        session.submit(CancelTurn())
        assert stage.ended().outcome is TurnOutcome.ANSWERED
    assert stage.speaker.stopped.is_set()


def test_cancelling_while_it_thinks_ends_the_turn_as_cancelled(stage: Stage) -> None:
    def thinks(task: AgentTask, _approver: Approver, cancel: CancelToken) -> Events:
        yield AnswerPiece(task.turn_id, "Well, ")
        assert cancel.wait(20)
        raise Cancelled

    stage.will(thinks)
    with stage.session() as session:
        session.submit(MUTE)
        turn_id = stage.log.wait(AnswerPiece).turn_id
        session.submit(CancelTurn(turn_id))
        ended = stage.ended()
    assert (ended.outcome, ended.turn_id, ended.error) == (TurnOutcome.CANCELLED, turn_id, "")
    assert stage.store.turns(ended.session_id)[0].outcome is TurnOutcome.CANCELLED


def test_cancelling_while_it_recognises(stage: Stage) -> None:
    stage.files["/a.wav"] = speech(1.0)
    stage.will_hear(Step(("List",), then=Ending.HANG))
    with stage.session() as session:
        session.submit(SubmitFile("r1", "/a.wav"))
        stage.log.wait(RecognitionProgress)
        session.submit(CancelTurn())
        ended = stage.ended()
    assert ended.outcome is TurnOutcome.CANCELLED
    assert stage.store.turns(ended.session_id) == ()


def test_an_engine_that_dies_is_said_and_the_next_turn_works(stage: Stage) -> None:
    def dies(task: AgentTask, _approver: Approver, _cancel: CancelToken) -> Events:
        yield AnswerPiece(task.turn_id, "Half an ")
        raise EngineDied("The language model died.", "Ask again.")

    stage.will(dies, answering("Here I am."))
    with stage.session() as session:
        session.submit(MUTE)
        session.submit(SubmitText("r2", "Again", speak=False))
        failed, answered = stage.ended("r1"), stage.ended("r2")
    assert (failed.outcome, failed.error, failed.text) == (
        TurnOutcome.FAILED,
        "engine_died",
        "The language model died.",
    )
    assert answered.outcome is TurnOutcome.ANSWERED
    assert [task.words for task in stage.agent.tasks] == [MUTE.words, "Again"]
    assert [turn.words for turn in stage.agent.tasks[1].history] == [MUTE.words]


def test_a_mistake_of_ours_is_logged_and_ends_the_turn(stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
    def breaks(_task: AgentTask, _approver: Approver, _cancel: CancelToken) -> Events:
        yield from ()
        raise ZeroDivisionError("a bug")

    stage.will(breaks)
    with stage.session() as session:
        session.submit(MUTE)
        ended = stage.ended()
    assert (ended.outcome, ended.error) == (TurnOutcome.FAILED, "internal")
    assert "a bug" in caplog.text


def test_a_folder_that_is_not_there_fails_the_turn_and_keeps_the_words(stage: Stage) -> None:
    with stage.session() as session:
        session.submit(SubmitText("r1", "List my files", workspace=str(stage.folder / "gone")))
        ended = stage.ended()
    assert ended.outcome is TurnOutcome.FAILED
    assert "gone can't be opened" in ended.text
    (turn,) = stage.store.turns(ended.session_id)
    assert (turn.words, turn.outcome) == ("List my files", TurnOutcome.FAILED)


def test_a_turn_that_the_agent_gives_up_says_why(stage: Stage) -> None:
    def gives_up(task: AgentTask, _approver: Approver, _cancel: CancelToken) -> Events:
        yield AnswerGiven(task.turn_id, "I did not understand that.")
        return AgentResult(TurnOutcome.FAILED, "I did not understand that.", (), "reply_invalid")

    stage.will(gives_up)
    with stage.session() as session:
        session.submit(MUTE)
        ended = stage.ended()
    assert (ended.outcome, ended.error, ended.text) == (
        TurnOutcome.FAILED,
        "reply_invalid",
        "I did not understand that.",
    )


def test_the_agent_is_told_which_language_was_spoken(stage: Stage) -> None:
    stage.will(answering("Hay uno."), answering("Uno más."), answering("One."))
    stage.files["/pregunta.wav"] = speech(1.0)
    stage.will_hear(Step(("¿Qué archivos hay?",), language="es"))
    with stage.session() as session:
        session.submit(SubmitFile("r1", "/pregunta.wav", speak=False))
        session.submit(SubmitText("r2", "ok", speak=False))
        session.submit(SubmitText("r3", "How many?", speak=False))
        stage.ended("r3")
    assert [task.spoken for task in stage.agent.tasks] == ["es", "es", "en"]


def test_an_answer_that_no_voice_speaks_is_text_and_says_so(stage: Stage) -> None:
    stage.will(answering("Hay uno. Es a.txt.", pieces=["Hay uno. ", "Es a.txt."]), answering("There is one."))
    with stage.session(language_of_voice=lambda _: "en") as session:
        session.submit(SubmitText("r1", "¿Qué archivos hay?"))
        session.submit(SubmitText("r2", "Which files are there?"))
        ended = stage.ended("r1")
        stage.ended("r2")
    assert ended.answer == "Hay uno. Es a.txt."
    (told,) = stage.log.of(AnswerUnspoken)
    assert (told.turn_id, told.language) == (ended.turn_id, "es")
    assert told.text.startswith("No hay ninguna voz en español")
    assert stage.voice.spoken == ["There is one."]


def test_what_is_said_alone_is_answered_in_its_own_language(stage: Stage) -> None:
    with stage.session(language_of_voice=lambda _: "en") as session:
        session.submit(SubmitText("r1", "adiós"))
        assert stage.ended("r1").answer == "Adiós."
    assert [event.language for event in stage.log.of(AnswerUnspoken)] == ["es"]
    assert stage.voice.spoken == []


def test_a_turn_that_is_not_to_be_spoken_misses_no_voice(stage: Stage) -> None:
    stage.will(answering("Hay uno."))
    with stage.session(language_of_voice=lambda _: "en") as session:
        session.submit(SubmitText("r1", "¿Qué archivos hay?", speak=False))
        stage.ended("r1")
    assert stage.log.of(AnswerUnspoken) == []

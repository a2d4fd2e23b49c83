"""The state machine: what each request leads to, and in which order, whatever else is going on."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from aria_desktop.assistant.agent import AgentResult, AgentTask
from aria_desktop.assistant.parts import Preferences
from aria_desktop.assistant.session import activity_of
from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest, Risk, RiskLevel
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import Outcome, ToolCall, ToolResult, TurnOutcome
from aria_desktop.core.events import (
    Activity,
    ActivityChanged,
    AnswerGiven,
    ApprovalDecided,
    ApprovalRequested,
    CallEnded,
    CallProposed,
    EngineChanged,
    EngineRole,
    EngineState,
    Event,
    FileRejected,
    FileTranscribed,
    LevelMeasured,
    ListeningEnded,
    ListeningStarted,
    Problem,
    RecognitionProgress,
    SpeakingEnded,
    SpeakingStarted,
    TurnEnded,
    TurnStarted,
    WindowWanted,
)
from aria_desktop.core.interfaces import Approver
from aria_desktop.core.listings import SessionDeleted, SessionShown, SessionsListed
from aria_desktop.core.records import Source
from aria_desktop.core.requests import (
    AnswerApproval,
    CancelTranscription,
    CancelTurn,
    DeleteSession,
    DropRecording,
    ListenMode,
    ListSessions,
    NewSession,
    OpenSession,
    ShowSession,
    ShowWindow,
    StartListening,
    StopListening,
    SubmitText,
    TranscribeFile,
)
from aria_desktop.testing.script import Ending, Step
from tests.unit.assistant.stage import Events, FakeSpeaker, Stage, answering, open_store, quiet, speech

HOLD = StartListening("r1", ListenMode.HOLD, speak=False)
UNTIL_SILENCE = StartListening("r1", ListenMode.UNTIL_SILENCE, speak=False)


def text(request_id: str = "r1", words: str = "Create a.txt", session_id: str = "") -> SubmitText:
    return SubmitText(request_id, words, session_id, speak=False)


def question(task: AgentTask, number: str = "q1") -> ApprovalRequest:
    risk = Risk(RiskLevel.LOW, "Nothing is lost.")
    return ApprovalRequest(
        number, task.turn_id, "c1", "create_file", "Create a.txt?", "Allow", (), "/w/a.txt", None, "x", risk, task.words
    )


def asking(task: AgentTask, approver: Approver, cancel: CancelToken) -> Events:
    """An agent that asks once, and tells the answer."""
    request = question(task)
    call = ToolCall("c1", "create_file")
    if task.resume is None:
        yield CallProposed(task.turn_id, 1, call)
    yield ApprovalRequested(request)
    decision = approver.ask(request, cancel)
    yield ApprovalDecided(task.turn_id, request.id, decision, 0.1)
    outcome = Outcome.DONE if decision.allowed else Outcome.REFUSED
    yield CallEnded(task.turn_id, call, ToolResult(outcome, decision.by))
    yield AnswerGiven(task.turn_id, decision.by)
    ended = TurnOutcome.ANSWERED if decision.allowed else TurnOutcome.REFUSED
    return AgentResult(ended, decision.by, ("create_file",))


def test_an_answer_reaches_the_question_it_is_for(stage: Stage) -> None:
    stage.will(asking)
    with stage.session() as session:
        session.submit(text())
        asked = stage.log.wait(ApprovalRequested).request
        session.submit(AnswerApproval("another", True, "you"))
        stage.log.wait(Problem, error="usage")
        session.submit(AnswerApproval(asked.id, True, "you"))
        ended = stage.ended()
        session.submit(AnswerApproval(asked.id, False, "you"))
        stage.log.wait(Problem, 2, error="usage")
    assert (ended.outcome, ended.answer) == (TurnOutcome.ANSWERED, "you")
    assert [event.decision.allowed for event in stage.log.of(ApprovalDecided)] == [True]


def test_a_question_that_is_cancelled_is_neither_yes_nor_no(stage: Stage) -> None:
    stage.will(asking)
    with stage.session() as session:
        session.submit(text())
        stage.log.wait(ApprovalRequested)
        session.submit(CancelTurn())
        assert stage.ended().outcome is TurnOutcome.CANCELLED
    assert stage.log.of(ApprovalDecided) == []


def test_without_a_front_end_the_answer_is_no(stage: Stage) -> None:
    waiting = threading.Event()

    def asks(task: AgentTask, approver: Approver, cancel: CancelToken) -> Events:
        assert waiting.wait(20)
        return (yield from asking(task, approver, cancel))

    stage.will(asks)
    with stage.session() as session:
        session.submit(text())
        stage.log.wait(TurnStarted)
        stage.unsubscribe()
        waiting.set()
        ended = stage.wait_in_store()
    assert ended.outcome is TurnOutcome.REFUSED
    assert ended.calls[0].decision == ApprovalDecision(False, "nobody there to ask")


def test_a_front_end_that_leaves_while_it_is_asked_has_said_no(stage: Stage) -> None:
    stage.will(asking)
    with stage.session() as session:
        session.submit(text())
        stage.log.wait(ApprovalRequested)
        stage.unsubscribe()
        ended = stage.wait_in_store()
    assert ended.calls[0].decision == ApprovalDecision(False, "nobody there to ask")


def test_commands_wait_for_each_other_and_keep_their_order(stage: Stage) -> None:
    running: list[str] = []

    def counts(task: AgentTask, _approver: Approver, _cancel: CancelToken) -> Events:
        running.append(task.words)
        assert len(running) == 1
        yield AnswerGiven(task.turn_id, task.words)
        running.remove(task.words)
        return AgentResult(TurnOutcome.ANSWERED, task.words, ())

    stage.will(*[counts] * 5)
    with stage.session() as session:
        for number in range(5):
            session.submit(text(f"r{number}", f"say {number}"))
        stage.ended("r4")
    assert [event.request_id for event in stage.log.of(TurnEnded)] == [f"r{number}" for number in range(5)]
    assert [event.text for event in stage.log.of(AnswerGiven)] == [f"say {number}" for number in range(5)]


def test_more_than_a_hundred_waiting_commands_are_turned_away(stage: Stage) -> None:
    stage.will(asking)
    with stage.session() as session:
        session.submit(text("r0"))
        stage.log.wait(ApprovalRequested)
        for number in range(1, 103):
            session.submit(text(f"r{number}"))
        refused = [stage.log.wait(Problem, request_id=f"r{number}") for number in (101, 102)]
        assert {problem.error for problem in refused} == {"busy"}
        assert len(stage.log.of(Problem)) == 2
    assert {event.outcome for event in stage.log.of(TurnEnded)} == {TurnOutcome.CANCELLED}
    assert len(stage.log.of(TurnEnded)) == 101


def test_a_waiting_command_can_be_stopped_by_closing_only_and_says_so(stage: Stage) -> None:
    stage.will(asking)
    with stage.session() as session:
        session.submit(text("r1"))
        session.submit(text("r2"))
        stage.log.wait(ApprovalRequested)
        session.close()
        session.submit(text("r3"))
    assert [(event.request_id, event.outcome) for event in stage.log.of(TurnEnded)] == [
        ("r2", TurnOutcome.CANCELLED),
        ("r1", TurnOutcome.CANCELLED),
    ]
    assert stage.engines_closed == 1


def test_words_that_are_none_are_refused(stage: Stage) -> None:
    with stage.session() as session:
        session.submit(text(words="  \n"))
        assert stage.log.wait(Problem, request_id="r1").text == "There are no words to carry out."


def test_a_conversation_goes_on_until_a_new_one_is_begun(stage: Stage) -> None:
    stage.will(*[answering(str(number)) for number in range(4)])
    with stage.session() as session:
        for number in (1, 2):
            session.submit(text(f"r{number}"))
            stage.ended(f"r{number}")
        session.submit(NewSession("n1"))
        shown = stage.log.wait(SessionShown, request_id="n1")
        session.submit(text("r3"))
        session.submit(text("r4", session_id=stage.ended("r1").session_id))
        stage.ended("r4")
    first, second, third, fourth = (stage.ended(f"r{number}").session_id for number in (1, 2, 3, 4))
    assert first == second == fourth != third == shown.session.session_id
    assert (shown.current, shown.turns) == (True, ())
    assert [len(task.history) for task in stage.agent.tasks] == [0, 1, 0, 2]


def test_conversations_are_listed_shown_and_deleted(stage: Stage) -> None:
    stage.will(answering("Yes."))
    with stage.session() as session:
        session.submit(text())
        session_id = stage.ended().session_id
        session.submit(ListSessions("l1"))
        session.submit(ShowSession("s1", session_id))
        session.submit(DeleteSession("d1", session_id))
        session.submit(ShowSession("s2", session_id))
        session.submit(DeleteSession("d2", "nothing"))
        session.submit(text("r2", session_id="nothing"))
        listed = stage.log.wait(SessionsListed)
        shown = stage.log.wait(SessionShown, request_id="s1")
        assert stage.log.wait(SessionDeleted).session_id == session_id
        problems = [stage.log.wait(Problem, request_id=name) for name in ("s2", "d2", "r2")]
    assert [record.session_id for record in listed.sessions] == [session_id]
    assert (shown.current, [turn.answer for turn in shown.turns]) == (True, ["Yes."])
    assert problems[1].text == "There is no conversation nothing."


def test_a_conversation_in_use_is_not_deleted(stage: Stage) -> None:
    stage.will(asking)
    with stage.session() as session:
        session.submit(text())
        session_id = stage.log.wait(TurnStarted).session_id
        session.submit(DeleteSession("d1", session_id))
        assert stage.log.wait(Problem, request_id="d1").error == "busy"
        session.submit(CancelTurn())
        stage.ended()
        session.submit(DeleteSession("d2", session_id))
        stage.log.wait(SessionDeleted, request_id="d2")


def test_a_question_that_survived_a_kill_is_asked_again(stage: Stage) -> None:
    session_id = stage.store.new_session()
    stage.store.begin_turn(session_id, "t1", Source.FILE, "Create a.txt", str(stage.folder))
    stage.store.record(CallProposed("t1", 1, ToolCall("c1", "create_file")))
    asked = question(AgentTask("t1", "Create a.txt", (), None))  # type: ignore[arg-type]
    stage.store.record(ApprovalRequested(asked))
    stage.will(asking)
    with stage.session() as session:
        session.submit(OpenSession("o1", session_id))
        shown = stage.log.wait(SessionShown, request_id="o1")
        again = stage.log.wait(ApprovalRequested).request
        session.submit(OpenSession("o2", session_id))
        stage.log.wait(SessionShown, request_id="o2")
        session.submit(AnswerApproval(again.id, True, "you"))
        ended = stage.ended("o1")
    assert shown.session.waiting
    assert (again, ended.turn_id, ended.outcome) == (asked, "t1", TurnOutcome.ANSWERED)
    (task,) = stage.agent.tasks
    assert task.resume is not None
    assert (task.resume.turn_id, task.draft, task.history) == ("t1", "x", ())
    assert len(stage.log.of(ApprovalRequested)) == 1
    assert [turn.outcome for turn in stage.store.turns(session_id)] == [TurnOutcome.ANSWERED]


def test_what_was_said_until_the_button_was_let_go_is_carried_out(stage: Stage) -> None:
    stage.will_hear("Create a.txt")
    stage.will(answering("Yes."))
    with stage.session() as session:
        session.submit(HOLD)
        stage.log.wait(ListeningStarted)
        stage.microphone.feed(quiet(0.5), speech(1.0), quiet(2.0), speech(0.5))
        stage.log.wait(LevelMeasured, 100)
        session.submit(StopListening())
        stage.microphone.idle()
        ended = stage.ended()
    assert (ended.outcome, ended.answer) == (TurnOutcome.ANSWERED, "Yes.")
    ((audio, _),) = stage.speech.heard
    assert 0.3 + 1.0 + 2.0 + 0.5 < audio.seconds <= 0.3 + 1.0 + 2.0 + 0.5 + 0.24 + 0.001
    assert stage.log.of(ListeningEnded)[0].reason == "released"
    assert stage.log.of(TurnStarted)[0].source is Source.MICROPHONE
    assert stage.microphone.closed.is_set()
    assert ended.timings["listen"] > 4.0


def test_silence_ends_a_recording_that_listens_for_it(stage: Stage) -> None:
    stage.will_hear("Create a.txt")
    stage.will(answering("Yes."))
    with stage.session() as session:
        session.submit(UNTIL_SILENCE)
        stage.microphone.feed(quiet(0.5), speech(1.0), quiet(0.5), speech(1.0), quiet(5.0))
        ended = stage.ended()
    assert ended.outcome is TurnOutcome.ANSWERED
    recorded = stage.log.of(ListeningEnded)[0]
    assert recorded.reason == "silence"
    assert recorded.seconds == pytest.approx(3.8)


def test_levels_are_told_about_25_times_a_second_while_it_listens(stage: Stage) -> None:
    stage.will_hear("")
    with stage.session() as session:
        session.submit(UNTIL_SILENCE)
        stage.microphone.feed(speech(1.0), quiet(40.0))
        stage.ended()
    levels = stage.log.of(LevelMeasured)
    assert len(levels) == pytest.approx(1.8 * 25, abs=1)
    assert levels[10].level == pytest.approx(0.3, abs=0.01)
    assert (levels[10].speech, levels[-1].speech) == (True, False)


@pytest.mark.parametrize(
    ("sound", "reason", "words"),
    [
        (quiet(60.0), "limit", "only zeros"),
        (speech(0.04), "limit", ""),
    ],
)
def test_a_recording_without_speech_makes_no_turn(stage: Stage, sound: object, reason: str, words: str) -> None:
    with stage.session(preferences=lambda: Preferences(max_s=3.0)) as session:
        session.submit(UNTIL_SILENCE)
        stage.microphone.feed(sound, quiet(60.0))  # type: ignore[arg-type]
        ended = stage.ended()
    assert (ended.turn_id, ended.outcome) == ("", TurnOutcome.NOTHING_HEARD)
    assert words in ended.text
    assert stage.log.of(ListeningEnded)[0].reason == reason
    assert stage.log.of(TurnStarted) == []
    assert stage.store.sessions() == ()


def test_a_dropped_recording_is_forgotten(stage: Stage) -> None:
    with stage.session() as session:
        session.submit(HOLD)
        stage.microphone.feed(speech(1.0))
        stage.log.wait(LevelMeasured)
        session.submit(DropRecording())
        stage.microphone.idle()
        ended = stage.ended()
    assert (ended.turn_id, ended.outcome) == ("", TurnOutcome.CANCELLED)
    assert stage.log.of(ListeningEnded)[0].reason == "dropped"


def test_cancelling_whatever_runs_also_drops_what_is_being_said(stage: Stage) -> None:
    with stage.session() as session:
        session.submit(UNTIL_SILENCE)
        stage.microphone.feed(speech(1.0))
        stage.log.wait(LevelMeasured)
        session.submit(CancelTurn())
        stage.microphone.idle()
        assert stage.ended().outcome is TurnOutcome.CANCELLED


def test_an_unplugged_microphone_ends_the_recording_with_the_reason(stage: Stage) -> None:
    with stage.session() as session:
        session.submit(HOLD)
        stage.microphone.feed(speech(1.0))
        stage.log.wait(LevelMeasured)
        stage.microphone.unplug()
        ended = stage.ended()
    assert (ended.outcome, ended.error, ended.hint) == (TurnOutcome.FAILED, "microphone_missing", "Plug it in.")
    assert stage.log.of(ListeningEnded)[0].reason == "The fake microphone is gone."
    assert stage.microphone.closed.is_set()


def test_a_second_recording_at_the_same_time_is_refused(stage: Stage) -> None:
    with stage.session() as session:
        session.submit(HOLD)
        stage.log.wait(ListeningStarted)
        session.submit(StartListening("r2", ListenMode.HOLD))
        assert stage.log.wait(Problem, request_id="r2").error == "busy"


def test_listening_silences_the_voice_first(stage: Stage) -> None:
    stage.speaker = FakeSpeaker(holding=True)
    stage.will(answering("A long answer."))
    with stage.session() as session:
        session.submit(SubmitText("r0", "Tell me"))
        stage.log.wait(SpeakingStarted)
        session.submit(HOLD)
        stage.log.wait(ListeningStarted)
        assert stage.log.wait(SpeakingEnded).interrupted
        assert stage.ended("r0").outcome is TurnOutcome.ANSWERED
    assert stage.speaker.stopped.is_set()


def test_no_turn_begins_while_the_microphone_is_open(stage: Stage) -> None:
    stage.will(answering("Yes."))
    with stage.session() as session:
        session.submit(HOLD)
        stage.log.wait(ListeningStarted)
        session.submit(text("r2"))
        session.submit(ShowWindow())
        stage.log.wait(WindowWanted)
        assert stage.log.of(TurnStarted) == []
        session.submit(DropRecording())
        stage.microphone.idle()
        assert stage.ended("r2").outcome is TurnOutcome.ANSWERED


def test_what_goes_on_is_told_as_it_changes(stage: Stage) -> None:
    stage.will_hear("Create a.txt")
    stage.will(asking)
    with stage.session() as session:
        session.submit(StartListening("r1", ListenMode.UNTIL_SILENCE))
        stage.microphone.feed(speech(1.0), quiet(2.0))
        session.submit(AnswerApproval(stage.log.wait(ApprovalRequested).request.id, True, "you"))
        stage.ended()
        stage.log.wait(ActivityChanged, activity=Activity.IDLE)
    activities = [event.activity for event in stage.log.of(ActivityChanged)]
    assert activities[:3] == [Activity.LISTENING, Activity.THINKING, Activity.CONFIRMING]
    assert Activity.SPEAKING in activities
    assert activities[-1] is Activity.IDLE


def test_the_most_important_activity_wins() -> None:
    assert activity_of(listening=True, confirming=True, speaking=True, thinking=True) is Activity.LISTENING
    assert activity_of(listening=False, confirming=True, speaking=True, thinking=True) is Activity.CONFIRMING
    assert activity_of(listening=False, confirming=False, speaking=True, thinking=True) is Activity.SPEAKING
    assert activity_of(listening=False, confirming=False, speaking=False, thinking=True) is Activity.THINKING
    assert activity_of(listening=False, confirming=False, speaking=False, thinking=False) is Activity.IDLE


def test_whoever_subscribes_late_learns_the_engines_states(stage: Stage) -> None:
    loading = EngineChanged(EngineRole.VOICE, EngineState.LOADING, "joe")
    ready = EngineChanged(EngineRole.VOICE, EngineState.READY, "joe", "CPU")
    late: list[Event] = []
    learnt = threading.Event()

    def listen(event: Event) -> None:
        late.append(event)
        learnt.set()

    with stage.session(engines=(loading,)) as session:
        assert stage.log.wait(EngineChanged) == loading
        session.publish(ready)
        stage.log.wait(EngineChanged, state=EngineState.READY)
        end = session.subscribe(listen)
        assert learnt.wait(20)
        end()
    assert late[0] == ready
    assert stage.log.of(EngineChanged) == [loading, ready]


def test_a_subscriber_that_fails_harms_nobody_else(stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
    def fails(event: Event) -> None:
        raise ValueError(type(event).__name__)

    stage.will(answering("Yes."))
    with stage.session() as session:
        end = session.subscribe(fails)
        session.submit(text())
        assert stage.ended().outcome is TurnOutcome.ANSWERED
        end()
    assert "a subscriber failed on TurnEnded" in caplog.text


def test_a_sound_file_is_written_down_beside_a_running_turn(stage: Stage) -> None:
    stage.files["/talk.wav"] = speech(2.0)
    stage.will_hear(Step(("Hello.", "Good bye.")))
    stage.will(asking)
    with stage.session() as session:
        session.submit(text())
        stage.log.wait(ApprovalRequested)
        session.submit(TranscribeFile("f1", "/talk.wav"))
        transcribed = stage.log.wait(FileTranscribed, request_id="f1")
        session.submit(CancelTurn())
    assert (transcribed.path, transcribed.transcript.text) == ("/talk.wav", "Hello. Good bye.")
    progress = [event for event in stage.log.of(RecognitionProgress) if event.job_id == "f1"]
    assert [(event.done, event.total) for event in progress] == [(0.0, 2.0), (1.0, 2.0), (2.0, 2.0)]
    assert progress[0].remaining is None
    assert progress[2].remaining == 0.0


def test_files_are_written_down_one_after_another_and_a_bad_one_stops_none(stage: Stage) -> None:
    stage.files["/a.wav"] = speech(1.0)
    stage.files["/silence.wav"] = quiet(600.0)
    stage.will_hear("One.")
    with stage.session() as session:
        for number, path in enumerate(["/silence.wav", "/bad.wav", "/a.wav"]):
            session.submit(TranscribeFile(f"f{number}", path, "es"))
        silent = stage.log.wait(FileTranscribed, request_id="f0")
        rejected = stage.log.wait(FileRejected, request_id="f1")
        assert stage.log.wait(FileTranscribed, request_id="f2").transcript.text == "One."
    assert (silent.transcript.segments, silent.transcript.seconds) == ((), 600.0)
    assert [hints.language for _, hints in stage.speech.heard] == ["es"]
    assert (rejected.error, rejected.text, rejected.hint) == (
        "audio_unreadable",
        "/bad.wav can't be read.",
        "Copy it again.",
    )


def test_writing_down_can_be_stopped_also_before_it_begins(stage: Stage) -> None:
    stage.files["/a.wav"] = speech(1.0)
    stage.will_hear(Step(("One.",), then=Ending.HANG))
    with stage.session() as session:
        session.submit(TranscribeFile("f1", "/a.wav"))
        session.submit(TranscribeFile("f2", "/a.wav"))
        stage.log.wait(RecognitionProgress, 2)
        session.submit(CancelTranscription("f2"))
        session.submit(CancelTranscription("f1"))
        session.submit(CancelTranscription("unknown"))
        first = stage.log.wait(FileRejected, request_id="f1")
        second = stage.log.wait(FileRejected, request_id="f2")
    assert first.error == second.error == "cancelled"


def test_closing_ends_everything_that_goes_on(stage: Stage) -> None:
    stage.files["/a.wav"] = speech(1.0)
    stage.will_hear(Step(("One.",), then=Ending.HANG))
    stage.will(asking)
    with stage.session() as session:
        session.submit(text("r1"))
        stage.log.wait(ApprovalRequested)
        session.submit(StartListening("r2", ListenMode.HOLD))
        stage.log.wait(ListeningStarted)
        session.submit(TranscribeFile("f1", "/a.wav"))
        stage.log.wait(RecognitionProgress)
        session.close()
        session.close()
    assert {(event.request_id, event.outcome) for event in stage.log.of(TurnEnded)} == {
        ("r1", TurnOutcome.CANCELLED),
        ("r2", TurnOutcome.CANCELLED),
    }
    assert stage.log.of(FileRejected)[0].error == "cancelled"
    assert stage.engines_closed == 1
    assert stage.microphone.closed.is_set()


def test_at_the_start_what_was_cut_off_is_closed(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    with open_store(tmp_path / "data") as store:
        session_id = store.new_session()
        store.begin_turn(session_id, "t1", Source.TEXT, "Create a.txt", str(workspace))
        stage = Stage(workspace, store)
        with stage.session() as session:
            session.submit(ShowSession("s1", session_id))
            (turn,) = stage.log.wait(SessionShown).turns
    assert turn.outcome is TurnOutcome.FAILED

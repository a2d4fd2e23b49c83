""" "Undo that", said alone: shown whole, asked about, carried out by code, and taken back in the same way."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from aria_desktop.assistant.agent import AgentResult, AgentTask
from aria_desktop.assistant.session import Session
from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest, Risk, RiskLevel
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import Outcome, ToolCall, ToolResult, TurnOutcome
from aria_desktop.core.events import (
    AnswerGiven,
    ApprovalDecided,
    ApprovalRequested,
    CallEnded,
    CallProposed,
    CallStarted,
    TurnEnded,
)
from aria_desktop.core.interfaces import Approver
from aria_desktop.core.records import Source
from aria_desktop.core.requests import AnswerApproval, OpenSession, SubmitText
from aria_desktop.safety.journal import Deed, Journal
from aria_desktop.safety.journaled import JournaledWorkspace
from aria_desktop.safety.paths import Workspace
from tests.unit.assistant.stage import Behaviour, Events, Stage, answering

RISK = Risk(RiskLevel.HIGH, "x")
Change = Callable[[JournaledWorkspace], None]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    (folder / "a.txt").write_text("one\n")
    return folder


@pytest.fixture
def open_workspace(tmp_path: Path, root: Path) -> Callable[[str], Workspace]:
    journal = Journal(tmp_path / "data" / "journal", tmp_path / "data" / "trash")
    return lambda _: JournaledWorkspace(root, journal)


def changing(*changes: Change) -> Behaviour:
    """An agent's turn that makes changes."""

    def run(task: AgentTask, _approver: Approver, _cancel: CancelToken) -> Events:
        assert isinstance(task.workspace, JournaledWorkspace)
        for change in changes:
            change(task.workspace.acting_for(Deed(task.turn_id, "c1", "a_tool")))
        yield AnswerGiven(task.turn_id, "Done.")
        return AgentResult(TurnOutcome.ANSWERED, "Done.", ())

    return run


def asking(request_id: str, turn_id: str, call: ToolCall) -> ApprovalRequest:
    return ApprovalRequest(request_id, turn_id, call.id, call.tool, "?", "Allow", (), "", None, "x", RISK, "")


def commanding(task: AgentTask, _approver: Approver, _cancel: CancelToken, tool: str = "other_tool") -> Events:
    """An agent's turn with a tool of whose effects nothing is recorded."""
    call = ToolCall(f"c-{task.turn_id}", tool, {"command": "x"})
    request = asking(f"q-{task.turn_id}", task.turn_id, call)
    yield CallProposed(task.turn_id, 1, call)
    yield ApprovalRequested(request)
    yield ApprovalDecided(task.turn_id, request.id, ApprovalDecision(True, "you"), 0.0)
    yield CallStarted(task.turn_id, call.id)
    yield CallEnded(task.turn_id, call, ToolResult(Outcome.DONE, "Exit status 0."))
    yield AnswerGiven(task.turn_id, "It ran.")
    return AgentResult(TurnOutcome.ANSWERED, "It ran.", (tool,))


def appended(text: str) -> Change:
    return lambda workspace: workspace.apply(workspace.plan_append("a.txt", text))


def created(workspace: JournaledWorkspace) -> None:
    workspace.apply(workspace.plan_write("b.txt", "new\n"))


def said(words: str, request_id: str) -> SubmitText:
    return SubmitText(request_id, words, speak=False)


class Talk:
    """A session in which questions are answered as they come."""

    def __init__(self, stage: Stage, session: Session) -> None:
        self.stage, self.session = stage, session

    def say(self, words: str, *, allow: bool | None = None) -> TurnEnded:
        request_id = f"r{len(self.stage.log.of(TurnEnded))}"
        before = len(self.stage.log.of(ApprovalRequested))
        self.session.submit(said(words, request_id))
        if allow is not None:
            asked = self.stage.log.wait(ApprovalRequested, before + 1)
            self.session.submit(AnswerApproval(asked.request.id, allow, "you"))
        return self.stage.ended(request_id)

    @property
    def question(self) -> ApprovalRequest:
        return self.stage.log.of(ApprovalRequested)[-1].request


def test_one_change_is_shown_as_a_change_of_its_file_and_taken_back(
    stage: Stage, root: Path, open_workspace: Callable[[str], Workspace]
) -> None:
    stage.will(changing(appended("two")))
    with stage.session(open_workspace=open_workspace) as session:
        talk = Talk(stage, session)
        talk.say("add two")
        ended = talk.say("Undo that, please.", allow=True)
    assert (ended.outcome, ended.answer, ended.tools) == (TurnOutcome.ANSWERED, "I undid 1 change.", ("undo",))
    question = talk.question
    assert (question.question, question.path) == ("Undo append a.txt?", str(root / "a.txt"))
    assert (question.before, question.after) == ("one\ntwo\n", "one\n")
    assert (root / "a.txt").read_text() == "one\n"
    (call,) = stage.store.turns(ended.session_id)[-1].calls
    assert (call.call.tool, call.state, call.decision) == ("undo", "done", ApprovalDecision(True, "you"))


def test_a_turn_is_undone_redone_and_undone_and_then_the_one_before(
    stage: Stage, root: Path, open_workspace: Callable[[str], Workspace]
) -> None:
    stage.will(changing(appended("two")), changing(appended("three"), created))
    seen = []
    with stage.session(open_workspace=open_workspace) as session:
        talk = Talk(stage, session)
        talk.say("first")
        talk.say("second")
        for words in ("undo that", "redo that", "undo", "undo that"):
            talk.say(words, allow=True)
            seen.append((talk.question.question, (root / "a.txt").read_text(), (root / "b.txt").exists()))
        nothing = talk.say("undo that")
    assert seen == [
        ("Undo 2 changes?", "one\ntwo\n", False),
        ("Redo 2 changes?", "one\ntwo\nthree\n", True),
        ("Undo 2 changes?", "one\ntwo\n", False),
        ("Undo append a.txt?", "one\n", False),
    ]
    assert nothing.answer == "There is no change that I can undo."


def test_a_no_changes_nothing(stage: Stage, root: Path, open_workspace: Callable[[str], Workspace]) -> None:
    stage.will(changing(appended("two")))
    with stage.session(open_workspace=open_workspace) as session:
        talk = Talk(stage, session)
        talk.say("add two")
        ended = talk.say("Deshazlo", allow=False)
    assert (ended.outcome, ended.answer) == (TurnOutcome.REFUSED, "No se ha deshecho nada: dijiste que no.")
    assert (root / "a.txt").read_text() == "one\ntwo\n"


def test_the_window_names_one_call_of_several(
    stage: Stage, root: Path, open_workspace: Callable[[str], Workspace]
) -> None:
    def twice(task: AgentTask, _approver: Approver, _cancel: CancelToken) -> Events:
        assert isinstance(task.workspace, JournaledWorkspace)
        appended("two")(task.workspace.acting_for(Deed(task.turn_id, "0123456789ab", "a_tool")))
        created(task.workspace.acting_for(Deed(task.turn_id, "ba9876543210", "a_tool")))
        yield AnswerGiven(task.turn_id, "Done.")
        return AgentResult(TurnOutcome.ANSWERED, "Done.", ())

    stage.will(twice)
    with stage.session(open_workspace=open_workspace) as session:
        talk = Talk(stage, session)
        talk.say("do both")
        words = "Undo the change of a.txt (0123456789ab)"
        assert talk.say(words, allow=True).answer == "I undid 1 change."
        assert talk.say(words).answer == "I can't undo that, or it is undone already."
        assert (root / "a.txt").read_text() == "one\n"
        undo = talk.question.call_id
        talk.say(f"Undo the change of Undo ({undo})", allow=True)
        assert talk.question.question == "Redo append a.txt?"
    assert (root / "a.txt").read_text() == "one\ntwo\n"
    assert (root / "b.txt").exists()


def test_what_was_changed_since_is_told_and_stays(
    stage: Stage, root: Path, open_workspace: Callable[[str], Workspace]
) -> None:
    stage.will(changing(appended("two"), created))
    with stage.session(open_workspace=open_workspace) as session:
        talk = Talk(stage, session)
        talk.say("do both")
        (root / "a.txt").write_text("mine\n")
        ended = talk.say("undo that", allow=True)
        alone = talk.say("undo that")
    assert ("Not undone", 'append a.txt: "a.txt" was changed since.') in talk.question.facts
    assert ended.answer == "I undid 1 change. 1 change stays, because something was changed since."
    assert alone.answer == 'I can\'t do that. "a.txt" was changed since.'
    assert (root / "a.txt").read_text() == "mine\n"
    assert not (root / "b.txt").exists()


def test_a_command_of_which_nothing_was_kept_is_passed_over(
    stage: Stage, root: Path, open_workspace: Callable[[str], Workspace]
) -> None:
    stage.will(changing(appended("two")), partial(commanding, tool="run_terminal"))
    with stage.session(open_workspace=open_workspace) as session:
        talk = Talk(stage, session)
        talk.say("add two")
        talk.say("run it")
        talk.say("undo that", allow=True)
    assert "Can't be undone" not in dict(talk.question.facts)
    assert (root / "a.txt").read_text() == "one\n"


def test_what_is_not_recorded_is_not_passed_over(
    stage: Stage, root: Path, open_workspace: Callable[[str], Workspace]
) -> None:
    stage.will(changing(appended("two")), commanding)
    with stage.session(open_workspace=open_workspace) as session:
        talk = Talk(stage, session)
        talk.say("add two")
        talk.say("run it")
        ended = talk.say("undo that")
    assert ended.answer.startswith("The last thing I did was other_tool, and I can't undo that.")
    assert (root / "a.txt").read_text() == "one\ntwo\n"


def test_what_is_not_recorded_beside_other_changes_is_named_in_the_question(
    stage: Stage, open_workspace: Callable[[str], Workspace]
) -> None:
    def both(task: AgentTask, approver: Approver, cancel: CancelToken) -> Events:
        result = yield from commanding(task, approver, cancel)
        assert isinstance(task.workspace, JournaledWorkspace)
        appended("two")(task.workspace.acting_for(Deed(task.turn_id, "c1", "a_tool")))
        return result

    stage.will(both)
    with stage.session(open_workspace=open_workspace) as session:
        talk = Talk(stage, session)
        talk.say("run it and add two")
        talk.say("undo that", allow=True)
    assert ("Can't be undone", "what other_tool did") in talk.question.facts


def test_a_question_that_was_open_when_the_program_ended_is_asked_anew(
    stage: Stage, root: Path, open_workspace: Callable[[str], Workspace]
) -> None:
    with JournaledWorkspace(root, journal_of(open_workspace)) as workspace:
        appended("two")(workspace)
    session_id, call = stage.store.new_session(), ToolCall("c9", "undo", {"changes": [1]})
    stage.store.begin_turn(session_id, "t9", Source.TEXT, "undo that", str(root))
    stage.store.record(CallProposed("t9", 1, call))
    stage.store.record(ApprovalRequested(asking("q9", "t9", call)))
    with stage.session(open_workspace=open_workspace) as session:
        session.submit(OpenSession("o1", session_id))
        asked = stage.log.wait(ApprovalRequested)
        assert asked.request.question == "Undo append a.txt?"
        session.submit(AnswerApproval(asked.request.id, True, "you"))
        stage.ended("o1")
    assert (root / "a.txt").read_text() == "one\n"
    (turn,) = stage.store.turns(session_id)
    assert [(one.call.id, one.state) for one in turn.calls] == [("c9", "done")]


def journal_of(open_workspace: Callable[[str], Workspace]) -> Journal:
    with open_workspace("") as workspace:
        assert isinstance(workspace, JournaledWorkspace)
        return workspace.journal


def test_a_turn_of_the_agent_comes_after_as_always(stage: Stage, open_workspace: Callable[[str], Workspace]) -> None:
    stage.will(answering("Hello."))
    with stage.session(open_workspace=open_workspace) as session:
        talk = Talk(stage, session)
        assert talk.say("undo that").answer == "There is no change that I can undo."
        assert talk.say("redo that").answer == "There is no change that I can undo."
        assert talk.say("hello").answer == "Hello."

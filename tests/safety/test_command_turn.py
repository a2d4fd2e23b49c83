"""A whole turn around one command, with a scripted model and the real cage."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from aria_desktop.assistant.agent import AgentLimits
from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest
from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.chat import Outcome, ToolCall, TurnOutcome
from aria_desktop.core.events import ApprovalRequested, CallProgress, CallStarted
from aria_desktop.core.records import CallRecord, Source, TurnRecord
from aria_desktop.safety import cage_system
from aria_desktop.safety.cage import CageMissing
from aria_desktop.safety.journal import Journal
from aria_desktop.safety.journaled import JournaledWorkspace
from aria_desktop.safety.policy import Rules
from aria_desktop.testing.script import Ending
from aria_desktop.testing.scripted import ScriptedApprover
from tests.safety.layers import picture_of
from tests.unit.assistant.agent_stage import Run, answer, call


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    root.mkdir()
    return root


@dataclass
class CommandRun(Run):
    """On a workspace with a journal: without one a command can't change anything."""

    def opened(self) -> JournaledWorkspace:
        return JournaledWorkspace(self.root, self.journal)

    @property
    def journal(self) -> Journal:
        return Journal(self.root.parent / "journal", self.root.parent / "trash")

    def waiting(self) -> list[Path]:
        """What is left of layers."""
        staging = self.root.parent / "staging"
        return list(staging.iterdir()) if staging.exists() else []


def command(line: str, then: str = "") -> str:
    return call("run_terminal", then, command=line)


def test_it_is_asked_run_and_told_line_by_line_without_a_second_reply(root: Path) -> None:
    run = CommandRun(root, [command("echo one; echo two")], ScriptedApprover([True]))
    assert run().answer == "I ran the command. It printed:\none\ntwo"
    kinds = run.kinds()
    assert kinds.index("ApprovalRequested") < kinds.index("CallStarted") < kinds.index("CallProgress")
    assert [event.text for event in run.of(CallProgress)] == ["one", "two"]
    assert [event.request.after for event in run.of(ApprovalRequested)] == ["echo one; echo two"]
    assert (run.files(), run.waiting(), run.journal.actions()) == ({}, [], ())


def test_what_it_changed_is_a_second_question_and_counts_after_a_yes(root: Path) -> None:
    run = CommandRun(root, [command("echo x > made")], ScriptedApprover([True, True]))
    started = 0
    for event in run.steps():
        run.events.append(event)
        assert started == 2 or run.files() == {}
        started += isinstance(event, CallStarted)
    assert run.files() == {"made": "x\n"}
    assert run.result.answer == "I ran the command. It printed nothing. What it changed was kept: made."
    asked = [event.request for event in run.of(ApprovalRequested)]
    assert [request.question for request in asked] == ["Run this command?", "Keep what the command changed?"]
    assert len({request.id for request in asked}) == 2
    assert run.waiting() == []


def test_after_a_no_nothing_is_changed_and_that_is_told(root: Path) -> None:
    (root / "a.txt").write_text("as it was")
    run = CommandRun(root, [command("rm -rf *; echo x > b.txt")], ScriptedApprover([True, False]))
    result = run()
    assert result.outcome is TurnOutcome.REFUSED
    assert result.answer.startswith("Nothing was changed. I ran the command. Nothing of what it changed was kept:")
    assert (run.files(), run.waiting(), run.journal.actions()) == ({"a.txt": "as it was"}, [], ())


def test_a_cancel_at_the_second_question_changes_nothing(root: Path) -> None:
    run = CommandRun(root, [command("touch made")], ScriptedApprover([True, Ending.HANG]))
    with pytest.raises(Cancelled):
        cancelled_at_second_question(run)
    assert run.ends() == [("run_terminal", Outcome.CANCELLED)]
    assert (run.files(), run.waiting()) == ({}, [])


def cancelled_at_second_question(run: Run) -> None:
    timer = threading.Timer(0, run.cancel.cancel)
    for event in run.steps():
        run.events.append(event)
        if isinstance(event, ApprovalRequested) and len(run.of(ApprovalRequested)) == 2:
            timer.start()
    timer.join()


def test_a_turn_that_is_given_up_at_the_second_question_leaves_no_layer(root: Path) -> None:
    run = CommandRun(root, [command("touch made")], ScriptedApprover([True]))
    steps = run.steps()
    while len(run.of(ApprovalRequested)) < 2:
        run.events.append(next(steps))
    assert len(run.waiting()) == 1
    steps.close()  # type: ignore[attr-defined]
    assert (run.files(), run.waiting()) == ({}, [])


def test_after_a_restart_a_command_that_waited_is_asked_about_from_its_start(root: Path) -> None:
    """Its layer is gone with the program that held it."""
    waiting = CallRecord(ToolCall("c1", "run_terminal", {"command": "touch made"}), "waiting", None, "")
    resume = TurnRecord("t1", Source.TEXT, "make it", "", None, 0.0, (waiting,), {})
    run = CommandRun(root, [answer("That is all.")], ScriptedApprover([True, True]), resume=resume)
    run()
    asked = [event.request.question for event in run.of(ApprovalRequested)]
    assert asked == ["Run this command?", "Keep what the command changed?"]
    assert run.files() == {"made": ""}


def test_a_change_in_between_is_no_longer_what_was_shown(root: Path) -> None:
    (root / "a.txt").write_text("one")

    class Meddler(ScriptedApprover):
        def ask(self, request: ApprovalRequest, cancel: CancelToken) -> ApprovalDecision:
            if request.question.startswith("Keep"):
                (root / "a.txt").write_text("two")
            return super().ask(request, cancel)

    run = CommandRun(root, [command("echo x > a.txt; echo y > b.txt"), answer("No.")], Meddler([True, True]))
    run()
    assert run.ends() == [("run_terminal", Outcome.FAILED)]
    assert (run.files(), run.waiting()) == ({"a.txt": "two"}, [])


def test_all_that_a_command_changed_is_one_change_and_taken_back_as_one(root: Path) -> None:
    (root / "a.txt").write_text("as it was")
    (root / "in").mkdir()
    (root / "in" / "b.bin").write_bytes(bytes(range(256)))
    before = picture_of(root)
    run = CommandRun(
        root, [command("rm -rf in; echo x > a.txt; mkdir new; mv a.txt new/")], ScriptedApprover([True] * 2)
    )
    run()
    (action,) = run.journal.actions()
    assert (action.deed.turn_id, action.deed.tool) == ("t1", "run_terminal")
    assert picture_of(root) != before
    with run.opened() as workspace:
        assert workspace.take_back(workspace.plan_undo([action])).fault == ""
    assert picture_of(root) == before


def test_a_no_runs_nothing_and_is_told(root: Path) -> None:
    run = Run(root, [command("touch made")], ScriptedApprover([False]))
    result = run()
    assert result.outcome is TurnOutcome.REFUSED
    assert "The command was not run" in result.answer
    assert run.files() == {}


def test_each_command_is_a_question_of_its_own(root: Path) -> None:
    approver = ScriptedApprover([True, True, False])
    run = CommandRun(root, [command("touch one", "one more"), command("touch two")], approver)
    run()
    assert [request.after for request in approver.requests] == ["touch one", "", "touch two"]
    assert run.files() == {"one": ""}


def test_switched_off_it_is_not_even_asked(root: Path) -> None:
    run = Run(root, [command("touch made")], rules=Rules(frozenset({"run_terminal"})))
    assert run().outcome is TurnOutcome.REFUSED
    assert run.files() == {}


def test_the_time_limit_is_the_one_that_is_set(root: Path) -> None:
    run = Run(root, [command("echo begun; sleep 1000")], ScriptedApprover([True]), AgentLimits(command_s=0.5))
    assert run().answer == "The command was stopped after 0.5 seconds, before its end. It printed:\nbegun"


def test_a_cancel_stops_it_and_it_has_had_no_effect(
    root: Path, own_children: Callable[[], list[psutil.Process]]
) -> None:
    run = CommandRun(root, [command("touch made; echo begun; sleep 1000")], ScriptedApprover([True]))
    with pytest.raises(Cancelled):
        run.cancelled_at(CallProgress)
    assert run.ends() == [("run_terminal", Outcome.CANCELLED)]
    assert (run.files(), run.waiting()) == ({}, [])
    assert own_children() == []


def test_a_cancel_while_the_question_stands_runs_nothing(root: Path) -> None:
    run = Run(root, [command("touch made")], ScriptedApprover([Ending.HANG]))
    with pytest.raises(Cancelled):
        run.cancelled_at(ApprovalRequested)
    assert run.ends() == [("run_terminal", Outcome.CANCELLED)]
    assert run.files() == {}


def test_without_a_cage_nothing_is_asked_and_nothing_runs(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cage_system, "PROGRAM_FOLDERS", (str(root),))
    monkeypatch.setattr(cage_system, "BUNDLED", ())
    run = Run(root, [command("touch made")])
    with pytest.raises(CageMissing, match="bubblewrap is not installed"):
        run()
    assert run.ends() == [("run_terminal", Outcome.FAILED)]
    assert run.files() == {}


def test_a_status_other_than_0_goes_to_the_model_too(root: Path) -> None:
    run = Run(root, [command("cat nothing", "look at it"), answer("There is no such file.")], ScriptedApprover([True]))
    result = run()
    assert "exit status 1" in result.answer
    assert result.answer.endswith("There is no such file.")
    assert "Exit status 1." in str(run.model.asked[1].messages)

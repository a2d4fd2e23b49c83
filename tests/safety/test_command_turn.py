"""A whole turn around one command, with a scripted model and the real cage."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from aria_desktop.assistant.agent import AgentLimits
from aria_desktop.core.cancel import Cancelled
from aria_desktop.core.chat import Outcome, TurnOutcome
from aria_desktop.core.events import ApprovalRequested, CallProgress, CallStarted
from aria_desktop.safety import cage_system
from aria_desktop.safety.cage import CageMissing
from aria_desktop.safety.policy import Rules
from aria_desktop.testing.script import Ending
from aria_desktop.testing.scripted import ScriptedApprover
from tests.unit.assistant.agent_stage import Run, answer, call


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    root.mkdir()
    return root


def command(line: str, then: str = "") -> str:
    return call("run_terminal", then, command=line)


def test_it_is_asked_run_and_told_line_by_line_without_a_second_reply(root: Path) -> None:
    run = Run(root, [command("echo one; echo two; touch made")], ScriptedApprover([True]))
    assert run().answer == "I ran the command. It printed:\none\ntwo"
    kinds = run.kinds()
    assert kinds.index("ApprovalRequested") < kinds.index("CallStarted") < kinds.index("CallProgress")
    assert [event.text for event in run.of(CallProgress)] == ["one", "two"]
    assert run.of(ApprovalRequested)[0].request.after == "echo one; echo two; touch made"
    assert run.files() == {"made": ""}


def test_nothing_has_run_before_the_answer(root: Path) -> None:
    run = Run(root, [command("touch made")], ScriptedApprover([True]))
    started = False
    for event in run.steps():
        assert started or run.files() == {}
        started = started or isinstance(event, CallStarted)
    assert run.files() == {"made": ""}


def test_a_no_runs_nothing_and_is_told(root: Path) -> None:
    run = Run(root, [command("touch made")], ScriptedApprover([False]))
    result = run()
    assert result.outcome is TurnOutcome.REFUSED
    assert "The command was not run" in result.answer
    assert run.files() == {}


def test_each_command_is_a_question_of_its_own(root: Path) -> None:
    approver = ScriptedApprover([True, False])
    run = Run(root, [command("touch one", "one more"), command("touch two")], approver)
    run()
    assert [request.after for request in approver.requests] == ["touch one", "touch two"]
    assert run.files() == {"one": ""}


def test_switched_off_it_is_not_even_asked(root: Path) -> None:
    run = Run(root, [command("touch made")], rules=Rules(frozenset({"run_terminal"})))
    assert run().outcome is TurnOutcome.REFUSED
    assert run.files() == {}


def test_the_time_limit_is_the_one_that_is_set(root: Path) -> None:
    run = Run(root, [command("echo begun; sleep 1000")], ScriptedApprover([True]), AgentLimits(command_s=0.5))
    assert run().answer == "The command was stopped after 0.5 seconds, before its end. It printed:\nbegun"


def test_a_cancel_stops_it_and_it_may_have_had_an_effect(
    root: Path, own_children: Callable[[], list[psutil.Process]]
) -> None:
    run = Run(root, [command("touch made; echo begun; sleep 1000")], ScriptedApprover([True]))
    with pytest.raises(Cancelled):
        run.cancelled_at(CallProgress)
    assert run.ends() == [("run_terminal", Outcome.UNKNOWN)]
    assert own_children() == []


def test_a_cancel_while_the_question_stands_runs_nothing(root: Path) -> None:
    run = Run(root, [command("touch made")], ScriptedApprover([Ending.HANG]))
    with pytest.raises(Cancelled):
        run.cancelled_at(ApprovalRequested)
    assert run.ends() == [("run_terminal", Outcome.CANCELLED)]
    assert run.files() == {}


def test_without_a_cage_nothing_is_asked_and_nothing_runs(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cage_system, "PROGRAM_FOLDERS", (str(root),))
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

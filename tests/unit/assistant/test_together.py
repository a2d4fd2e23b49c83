"""Several changes of one reply stand in front of the user at once; each has its own answer, hash and record."""

from __future__ import annotations

from pathlib import Path

import pytest

from aria_desktop.assistant.together import can_be_asked_together
from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest
from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.chat import Outcome, ToolCall
from aria_desktop.core.events import ApprovalDecided, ApprovalRequested, CallStarted
from aria_desktop.safety.policy import Rules
from aria_desktop.testing.scripted import ScriptedApprover
from aria_desktop.tools.registry import standard_tools
from tests.unit.assistant.agent_stage import Run, calls

TOOLS = standard_tools()
PAIR = calls(
    {"tool": "create_file", "path": "a.txt", "content": "milk"},
    {"tool": "create_file", "path": "b.txt", "content": "eggs"},
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    root.mkdir()
    return root


def together(*wanted: tuple[str, dict[str, str]]) -> bool:
    found = [(ToolCall(f"c{n}", name, arguments), TOOLS.find(name)) for n, (name, arguments) in enumerate(wanted)]
    return can_be_asked_together([(call, tool) for call, tool in found if tool is not None], Rules())


def test_both_are_shown_before_either_is_made(root: Path) -> None:
    run = Run(root, [PAIR], ScriptedApprover([True, True]))
    for event in run.steps():
        run.events.append(event)
        if isinstance(event, ApprovalRequested):
            assert run.files() == {}
    first, second = (event.request for event in run.of(ApprovalRequested))
    assert first.together == second.together == (first.id, second.id)
    assert (first.number, second.number) == (1, 1)
    kinds = run.kinds()
    assert kinds.index("CallStarted") > max(i for i, kind in enumerate(kinds) if kind == "ApprovalRequested")
    assert run.files() == {"a.txt": "milk\n", "b.txt": "eggs\n"}
    assert [event.request_id for event in run.of(ApprovalDecided)] == [first.id, second.id]


def test_a_no_to_the_first_leaves_no_question_open(root: Path) -> None:
    run = Run(root, [PAIR], ScriptedApprover([False]))
    run()
    assert run.files() == {}
    assert [end[1] for end in run.ends()] == [Outcome.REFUSED, Outcome.CANCELLED]
    assert {e.request_id for e in run.of(ApprovalDecided)} == {e.request.id for e in run.of(ApprovalRequested)}
    assert not any(event.decision.allowed for event in run.of(ApprovalDecided))


def test_a_yes_to_one_is_none_to_the_other(root: Path) -> None:
    run = Run(root, [PAIR], ScriptedApprover([True, False]))
    run()
    assert run.files() == {"a.txt": "milk\n"}


def test_what_changed_on_disk_meanwhile_is_not_written_over(root: Path) -> None:
    class Meanwhile:
        """Says yes, and another program writes the second file before it is its turn."""

        def ask(self, request: ApprovalRequest, cancel: CancelToken) -> ApprovalDecision:
            cancel.raise_if_cancelled()
            if request.path.endswith("a.txt"):
                (root / "b.txt").write_text("somebody else's")
            return ApprovalDecision(True, "you")

    run = Run(root, [PAIR, '{"answer": "That is all."}'], Meanwhile())
    run()
    assert run.files() == {"a.txt": "milk\n", "b.txt": "somebody else's"}


def test_a_turn_that_is_stopped_meanwhile_leaves_no_question_open(root: Path) -> None:
    class Stops:
        """The user stops the turn instead of answering."""

        def ask(self, request: ApprovalRequest, cancel: CancelToken) -> ApprovalDecision:
            cancel.cancel()
            cancel.raise_if_cancelled()
            raise AssertionError(request.id)

    run = Run(root, [PAIR], Stops())
    with pytest.raises(Cancelled):
        run.events.extend(run.steps())
    assert run.files() == {}
    assert run.of(CallStarted) == []
    assert run.ends() == [("create_file", Outcome.CANCELLED)]
    assert len(run.of(ApprovalRequested)) == 2
    assert [event.request_id for event in run.of(ApprovalDecided)] == [run.of(ApprovalRequested)[1].request.id]


@pytest.mark.parametrize(
    "wanted",
    [
        (("make_folder", {"path": "sub"}), ("create_file", {"path": "sub/a.txt", "content": ""})),
        (("create_file", {"path": "a.txt", "content": "1"}), ("append_file", {"path": "A.TXT", "content": "2"})),
        (("move_file", {"source": "a", "destination": "b"}), ("delete_file", {"path": "b"})),
        (("create_file", {"path": "./x/../a.txt", "content": ""}), ("delete_file", {"path": "./x"})),
        (("run_terminal", {"command": "ls"}), ("create_file", {"path": "a.txt", "content": ""})),
        (("write_code", {"path": "a.py"}), ("create_file", {"path": "a.txt", "content": ""})),
        (("delete_file", {"path": "."}), ("create_file", {"path": "a.txt", "content": ""})),
        (("create_file", {"path": "a.txt", "content": ""}),),
    ],
    ids=lambda wanted: " then ".join(name for name, _ in wanted),
)
def test_what_builds_on_another_or_stands_alone_is_asked_in_its_turn(
    wanted: tuple[tuple[str, dict[str, str]], ...],
) -> None:
    assert not together(*wanted)


def test_different_files_can_be_asked_about_together() -> None:
    move = ("move_file", {"source": "a/x.txt", "destination": "b/y.txt"})
    assert together(("create_file", {"path": "a.txt", "content": ""}), ("delete_file", {"path": "b.txt"}), move)


def test_where_one_cannot_be_prepared_each_is_asked_in_its_turn(root: Path) -> None:
    script = calls(
        {"tool": "create_file", "path": "a.txt", "content": "milk"},
        {"tool": "append_file", "path": "b.txt", "content": "eggs"},
    )
    run = Run(root, [script, '{"answer": "That is all."}'], ScriptedApprover([True]))
    run()
    (asked,) = run.of(ApprovalRequested)
    assert asked.request.together == ()
    assert run.files() == {"a.txt": "milk\n"}

"""The question of an undo of several changes shows each of them, with the lines that come and go."""

from __future__ import annotations

from pathlib import Path

from aria_desktop.assistant.undo_question import question
from aria_desktop.core import events
from aria_desktop.core.chat import ToolCall
from aria_desktop.core.requests import AnswerApproval
from aria_desktop.gui.flow_text import FlowText
from aria_desktop.safety.undo_choice import of_turn
from tests.safety.undo_stage import Stage as Undone
from tests.safety.undo_stage import furnished
from tests.window import stories
from tests.window.conftest import MakeStage


def test_each_change_is_shown(make_stage: MakeStage, tmp_path: Path) -> None:
    undone = Undone(tmp_path / "ws", tmp_path / "data")
    undone.root.mkdir()
    furnished(undone.root)
    with undone.acting() as workspace:
        workspace.apply(workspace.plan_append("script.sh", "echo 1"))
        workspace.carry_out(workspace.plan_move("a.txt", "new/z.txt"))
        workspace.carry_out(workspace.plan_delete("b.txt"))
        plan = workspace.plan_undo(of_turn(undone.actions()))
        request = question(
            plan, workspace, ids=("q1", "t1", "c1"), words="undo that", remarks=["what run_terminal did"]
        )
    stage = make_stage(expects=(AnswerApproval,))
    stage.assistant.publish(
        stories.started("t1", "undo that"),
        events.CallProposed("t1", 1, ToolCall("c1", "undo", {"name": "3 changes"})),
        events.ApprovalRequested(request),
    )
    stage.wait_for("Undo 3 changes?")
    told = " ".join(label.text() for label in stage.window.findChildren(FlowText) if label.isVisible())
    for words in (str(undone.root), "b.txt comes back", "new/z.txt becomes a.txt", "-echo 1", "what run_terminal did"):
        assert words in told
    stage.picture("undo-question")
    stage.desktop.key("Escape")
    stage.qtbot.waitUntil(lambda: len(stage.assistant.received) == 1, timeout=20_000)
    answer = stage.assistant.last(AnswerApproval)
    assert isinstance(answer, AnswerApproval)
    assert not answer.allowed

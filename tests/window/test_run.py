"""The run of a turn in the window: its graph while it goes on, the step that is looked at, and the replay."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QTabBar

from aria_desktop.core import listings, records
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.requests import ShowRun
from tests.unit.gui.test_run import STORED
from tests.window import stories
from tests.window.conftest import Stage


def running(stage: Stage) -> None:
    stage.assistant.publish(*stories.running_again("t1"))
    stage.qtbot.waitUntil(lambda: stage.shows("Think, happening now"), timeout=30_000)
    stage.qtbot.waitUntil(lambda: stage.shows("Check, did not work, did not work"), timeout=30_000)
    stage.window.conversation.verticalScrollBar().setValue(0)


def test_a_node_opens_its_step_and_the_cross_closes_it(stage: Stage) -> None:
    running(stage)
    stage.click(stage.find("node-think"))
    stage.wait_for("second time")
    for text in ("write_code", "0.93", "read_file", "0.05", "96\N{NO-BREAK SPACE}tokens"):
        stage.wait_for(text)
    tabs = stage.find("stepInspector").findChild(QTabBar)
    assert isinstance(tabs, QTabBar)
    assert [tabs.tabText(at) for at in range(tabs.count())] == ["Choice", "Prompt", "Reply", "State"]
    tabs.setCurrentIndex(1)
    prompt = stage.find("stepText")
    assert isinstance(prompt, QPlainTextEdit)
    assert "Add random jitter" in prompt.toPlainText()
    stage.click(next(button for button in stage.buttons() if button.accessibleName() == "Copy this step"))
    stage.qtbot.waitUntil(lambda: "write_code: 0.93" in QGuiApplication.clipboard().text(), timeout=20_000)
    stage.click(next(button for button in stage.buttons() if button.accessibleName() == "Close the step"))
    stage.qtbot.waitUntil(lambda: not stage.visible("stepInspector"), timeout=20_000)


def test_nodes_are_reached_and_opened_by_keyboard(stage: Stage) -> None:
    running(stage)
    stage.find("node-listen").setFocus(Qt.FocusReason.TabFocusReason)
    for _ in range(3):
        stage.desktop.key("Right")
    stage.qtbot.waitUntil(stage.find("node-ask").hasFocus, timeout=20_000)
    stage.desktop.key("Left")
    stage.qtbot.waitUntil(stage.find("node-think").hasFocus, timeout=20_000)
    stage.desktop.key("space")
    stage.wait_for("second time")


def test_the_step_that_is_looked_at_is_kept_up_to_date(stage: Stage) -> None:
    stage.assistant.publish(stories.started("t1", "Make a file"), *stories.thinks("t1", 1, "create_file", "recall")[:2])
    stage.qtbot.waitUntil(lambda: stage.shows("Think, happening now"), timeout=30_000)
    stage.click(stage.find("node-think"))
    stage.qtbot.waitUntil(lambda: stage.visible("stepInspector"), timeout=20_000)
    assert not stage.shows("0.93")
    stage.assistant.publish(*stories.thinks("t1", 1, "create_file", "recall")[2:])
    stage.wait_for("0.93")


def test_a_run_that_is_over_folds_and_is_played_again(stage: Stage) -> None:
    stage.assistant.publish(*stories.finished_notes_turn("t1"))
    stage.wait_for("6.2\N{NO-BREAK SPACE}s")
    assert not stage.visible("runGraph")
    assert "1 asked" in stage.find("runDots").accessibleName()
    stage.assistant.expect(ShowRun)
    stage.click(stage.find("replayButton"))
    stage.qtbot.waitUntil(lambda: bool(stage.assistant.received), timeout=20_000)
    (wanted,) = stage.assistant.received
    assert isinstance(wanted, ShowRun)
    assert wanted.turn_id == "t1"
    stage.assistant.publish(listings.RunShown(wanted.request_id, STORED))
    stage.qtbot.waitUntil(lambda: stage.visible("runGraph"), timeout=20_000)
    stage.desktop.key("Right")
    stage.desktop.key("Right")
    for _ in range(12):
        stage.desktop.key("Right")
    stage.qtbot.waitUntil(lambda: stage.shows("8.0\N{NO-BREAK SPACE}s of 8.0\N{NO-BREAK SPACE}s"), timeout=20_000)
    stage.wait_for("Ask, done, you allowed")
    stage.picture("12-replayed")
    stage.click(next(button for button in stage.buttons() if button.accessibleName() == "End the replay"))
    stage.qtbot.waitUntil(lambda: not stage.visible("runGraph"), timeout=20_000)


def test_a_stored_turn_can_be_played_again_too(stage: Stage) -> None:
    record = records.TurnRecord(
        "t1", records.Source.TEXT, "What is a loop?", "A way back.", TurnOutcome.ANSWERED, 100.0, (), {"total": 3.0}
    )
    session = records.SessionRecord("s1", "Loops", 100.0, 1, False)
    stage.assistant.publish(listings.SessionShown("", session, (record,), current=True))
    stage.wait_for("A way back.")
    stage.assistant.expect(ShowRun)
    stage.click(stage.find("replayButton"))
    stage.qtbot.waitUntil(lambda: bool(stage.assistant.received), timeout=20_000)


@pytest.mark.parametrize("percent", [100, 200])
def test_a_narrow_window_shows_the_graph_upright(stage: Stage, percent: int) -> None:
    stage.look.set_percent(percent)
    stage.window.resize(640, 620)
    running(stage)
    graph = stage.find("runGraph")
    assert graph.height() > 300 if percent == 200 else graph.height() > 100
    assert all(graph.rect().contains(stage.find(f"node-{name}").geometry()) for name in ("listen", "speak"))
    stage.picture(f"13-upright-{percent}")

"""The keyboard alone, names for screen readers, themes switched while running, and nothing that leaks."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QColor
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from aria_desktop.core import events
from aria_desktop.gui.theme import DARK, LIGHT
from tests.window import stories
from tests.window.conftest import MakeStage, Stage


def test_everything_that_can_be_pressed_has_a_name_and_a_role(stage: Stage) -> None:
    stage.assistant.publish(*stories.finished_code_turn("t1"))
    stage.wait_for("retry.py")
    for button in stage.window.findChildren(QAbstractButton):
        interface = QAccessible.queryAccessibleInterface(button)
        assert interface.text(QAccessible.Text.Name).strip(), f"{button} has no name"
        assert interface.role() in (QAccessible.Role.Button, QAccessible.Role.CheckBox), f"{button}: {interface.role()}"


def test_the_tree_tells_what_is_on_the_screen(stage: Stage) -> None:
    stage.assistant.publish(*stories.plain_turn("t1"))
    stage.wait_for("What does exponential back-off mean?")
    names = {
        (
            QAccessible.queryAccessibleInterface(widget).role(),
            QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name),
        )
        for widget in stage.window.findChildren(QWidget)
        if widget.isVisible()
    }
    role = QAccessible.Role
    for expected in (
        (role.StaticText, "Ready"),
        (role.Button, "Hold to talk"),
        (role.EditableText, "What you want"),
        (role.CheckBox, "Speak replies"),
        (role.StaticText, "What does exponential back-off mean?"),
        (role.StaticText, "Sealed"),
    ):
        assert expected in names


def test_tab_reaches_every_control_and_comes_back(stage: Stage) -> None:
    start = QApplication.focusWidget()
    seen = [start]
    for _ in range(30):
        stage.window.focusNextPrevChild(True)
        if QApplication.focusWidget() is start:
            break
        seen.append(QApplication.focusWidget())
    else:
        raise AssertionError("Tab never came back")
    names = {widget.objectName() for widget in seen if widget is not None}
    assert {"talkButton", "textBox", "chooseButton", "speakSwitch", "newConversation"} <= names


def test_the_ring_of_focus_shows_for_the_keyboard_only(stage: Stage) -> None:
    switch = stage.find("speakSwitch")
    ring = switch._ring  # type: ignore[attr-defined]
    stage.click(switch)
    stage.qtbot.waitUntil(lambda: not stage.window.panel.speak.isChecked(), timeout=20_000)
    assert not ring.isVisible()
    stage.field.setFocus()
    stage.desktop.key("Tab", "Tab")
    stage.qtbot.waitUntil(lambda: switch.hasFocus() or stage.tab(), timeout=20_000)
    stage.qtbot.waitUntil(ring.isVisible, timeout=20_000)


def test_font_size_by_keyboard(stage: Stage) -> None:
    before = stage.field.fontMetrics().height()
    stage.desktop.key("ctrl+plus", "ctrl+plus")
    stage.qtbot.waitUntil(lambda: stage.field.fontMetrics().height() > before, timeout=20_000)
    stage.desktop.key("ctrl+0")
    stage.qtbot.waitUntil(lambda: stage.field.fontMetrics().height() == before, timeout=20_000)


class _DarkSystem:
    """Xvfb has no desktop that could switch."""

    def colorScheme(self) -> Qt.ColorScheme:  # noqa: N802
        return Qt.ColorScheme.Dark


def test_the_system_theme_is_followed_while_running(make_stage: MakeStage, monkeypatch: pytest.MonkeyPatch) -> None:
    stage = make_stage(theme="system")
    stage.assistant.publish(*stories.finished_code_turn("t1"))
    stage.wait_for("retry.py")
    assert stage.look.tokens is LIGHT
    monkeypatch.setattr(stage.look, "_hints", _DarkSystem())
    QApplication.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert stage.look.tokens is DARK
    surface = stage.window.conversation.grab().toImage().pixelColor(4, 4)
    assert surface == QColor(DARK.surface)
    stage.picture("13-switched-to-dark")


def test_nothing_is_painted_again_while_nothing_happens(stage: Stage) -> None:
    """No timer ticks while the window only waits."""
    stage.assistant.publish(events.ActivityChanged(events.Activity.THINKING))
    stage.wait_for("Thinking")
    assert stage.conductor._talk._beat.isActive()
    stage.assistant.publish(events.ActivityChanged(events.Activity.IDLE))
    stage.wait_for("Ready")
    assert not stage.conductor._talk._beat.isActive()


def test_qt_calls_keep_the_count_of_none(stage: Stage) -> None:
    """PySide6 6.12.0 on Python 3.11 drops one reference to None with every call that returns nothing."""
    before = sys.getrefcount(None)
    for _ in range(1000):
        stage.window.update()
    assert abs(sys.getrefcount(None) - before) < 200

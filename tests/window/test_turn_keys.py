"""The keys for turns, and the sheet of keys against those that the window really has."""

from __future__ import annotations

from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import QApplication

from aria_desktop.assistant.said_alone import Alone, said_alone
from aria_desktop.core.requests import ShowRun, SubmitText
from aria_desktop.gui.state.pages import Page
from aria_desktop.gui.state.shortcuts import SHORTCUTS
from aria_desktop.gui.turn_keys import REDO, UNDO
from tests.window import stories
from tests.window.conftest import MakeStage, Stage
from tests.window.desk import TestDesk

NOTES, PLAIN = "t1", "t2"


def two_turns(stage: Stage) -> None:
    stage.assistant.publish(*stories.finished_notes_turn(NOTES), *stories.plain_turn(PLAIN))
    stage.wait_for("What does exponential back-off mean?")


def focused() -> str:
    widget = QApplication.focusWidget()
    return widget.accessibleName() if widget is not None else ""


def replayed(stage: Stage) -> str:
    stage.qtbot.waitUntil(lambda: stage.assistant.missing == [], timeout=20_000)
    request = stage.assistant.last(ShowRun)
    assert isinstance(request, ShowRun)
    return request.turn_id


def test_alt_with_an_arrow_goes_from_turn_to_turn_and_stops_at_the_ends(stage: Stage) -> None:
    two_turns(stage)
    stage.desktop.key("alt+Up")
    stage.qtbot.waitUntil(lambda: focused() == "What does exponential back-off mean?", timeout=20_000)
    for _ in range(3):
        stage.desktop.key("alt+Up")
    stage.qtbot.waitUntil(lambda: focused().startswith("Read the meeting notes"), timeout=20_000)
    stage.picture("1-turn-by-keyboard")
    stage.desktop.key("alt+Down")
    stage.qtbot.waitUntil(lambda: focused() == "What does exponential back-off mean?", timeout=20_000)


def test_the_run_of_the_turn_with_the_keyboard_is_seen_again_else_of_the_newest(stage: Stage) -> None:
    two_turns(stage)
    stage.assistant.expect(ShowRun)
    stage.desktop.key("ctrl+r")
    assert replayed(stage) == PLAIN
    stage.desktop.key("alt+Up", "alt+Up")
    stage.qtbot.waitUntil(lambda: focused().startswith("Read the meeting notes"), timeout=20_000)
    stage.assistant.expect(ShowRun)
    stage.desktop.key("ctrl+r")
    assert replayed(stage) == NOTES


def test_without_a_turn_that_is_over_it_says_so(stage: Stage) -> None:
    stage.desktop.key("ctrl+r")
    stage.wait_for("There is no run to see again")


def test_undo_and_redo_ask_for_the_last_change_and_leave_a_text_alone(stage: Stage) -> None:
    two_turns(stage)
    stage.assistant.expect(SubmitText)
    stage.desktop.key("alt+Up")
    stage.desktop.key("ctrl+z")
    stage.qtbot.waitUntil(lambda: stage.assistant.missing == [], timeout=20_000)
    request = stage.assistant.last(SubmitText)
    assert isinstance(request, SubmitText)
    assert request.words == UNDO
    stage.click(stage.field)
    stage.desktop.type("abc")
    stage.qtbot.waitUntil(lambda: stage.field.toPlainText() == "abc", timeout=20_000)
    stage.desktop.key("ctrl+z")
    stage.qtbot.waitUntil(lambda: stage.field.toPlainText() == "", timeout=20_000)
    assert len([each for each in stage.assistant.received if isinstance(each, SubmitText)]) == 1


def test_nothing_is_undone_from_another_page(make_stage: MakeStage) -> None:
    stage = make_stage(expects=(), desk=TestDesk().desk())
    stage.desktop.key("ctrl+4")
    stage.qtbot.waitUntil(lambda: stage.window.pages.current is Page.SETTINGS, timeout=20_000)
    stage.desktop.key("ctrl+z")
    stage.desktop.key("ctrl+1")
    stage.qtbot.waitUntil(lambda: stage.window.pages.current is Page.TALK, timeout=20_000)
    assert stage.assistant.received == []


def test_the_words_are_those_that_code_carries_out() -> None:
    undo, redo = said_alone(UNDO), said_alone(REDO)
    assert undo is not None
    assert redo is not None
    assert (undo.what, redo.what) == (Alone.UNDO, Alone.REDO)


def test_the_sheet_lists_the_window_s_keys_and_no_other(make_stage: MakeStage) -> None:
    stage = make_stage(expects=(), desk=TestDesk().desk())
    real = {each.key().toString() for each in stage.window.findChildren(QShortcut)}
    listed = {each.keys.replace("Plus", "+").replace("Escape", "Esc") for each in SHORTCUTS}
    assert real - {"Ctrl+="} == listed - {"Alt+A"}, "= is + without Shift; Alt+A is a key of the question's window"

"""The confirmation, with real mouse and keys: yes only on purpose, and every other ending is a no."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication, QLabel

from aria_desktop.core import events
from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest, Extent, Hearing, Offer
from aria_desktop.core.chat import ToolCall
from aria_desktop.core.requests import AnswerApproval, CancelTurn
from aria_desktop.gui.approval_dialog import ApprovalDialog
from aria_desktop.gui.extent_choice import ExtentChoice
from aria_desktop.gui.state.arming import DELAY
from tests.window import stories
from tests.window.conftest import Stage

CALL = ToolCall("c1", "create_file", {"path": "shopping.txt"})
WORDS = "Create a file called shopping.txt with milk, eggs and bread"
REQUEST = stories.question("t1", CALL, None, "milk\neggs\nbread\n", WORDS)


def _ask(stage: Stage, request: ApprovalRequest = REQUEST) -> ApprovalDialog:
    """Publish a turn with this question and wait until its dialog has the keyboard."""
    stage.assistant.publish(
        events.ActivityChanged(events.Activity.CONFIRMING),
        stories.started(request.turn_id, request.words),
        events.CallProposed(request.turn_id, 1, CALL),
        events.ApprovalRequested(request),
    )
    return _dialog(stage)


def _dialog(stage: Stage) -> ApprovalDialog:
    stage.qtbot.waitUntil(lambda: isinstance(QApplication.activeWindow(), ApprovalDialog), timeout=30_000)
    dialog = QApplication.activeWindow()
    assert isinstance(dialog, ApprovalDialog)
    return dialog


def _armed(stage: Stage) -> None:
    stage.qtbot.waitUntil(stage.find("allowButton").isEnabled, timeout=30_000)


def _answer(stage: Stage, count: int = 1) -> AnswerApproval:
    stage.qtbot.waitUntil(lambda: len(stage.assistant.received) == count, timeout=30_000)
    answer = stage.assistant.received[-1]
    assert isinstance(answer, AnswerApproval)
    return answer


def test_everything_is_shown(stage: Stage) -> None:
    request = replace(REQUEST, facts=(("Encoding", "UTF-8"),))
    dialog = _ask(stage, request)
    shown = [label.text() for label in dialog.findChildren(QLabel)]
    for text in (
        "Create shopping.txt?",
        "The tool create_file writes 16\N{NO-BREAK SPACE}B into a new file.",
        WORDS,
        "/home/you/aria/output/shopping.txt",
        "Low. Adds a new file. Nothing is lost.",
        "Encoding",
        "UTF-8",
        "A spoken yes does nothing here",
    ):
        assert text in shown
    assert stage.find("changeView").toPlainText() == "milk\neggs\nbread"  # type: ignore[attr-defined]
    stage.assistant.expect(AnswerApproval)


def test_a_command_is_shown_word_for_word_and_is_no_file(stage: Stage) -> None:
    command = "ls\nrm -rf *"
    request = replace(REQUEST, tool="run_terminal", question="Run this command?", path="", before=None, after=command)
    dialog = _ask(stage, request)
    shown = [label.text() for label in dialog.findChildren(QLabel)]
    assert "The tool run_terminal wants to do this." in shown
    assert "Word for word" in shown
    assert "File" not in shown
    assert stage.find("changeView").toPlainText() == command  # type: ignore[attr-defined]
    stage.assistant.expect(AnswerApproval)


def test_allow_by_mouse(stage: Stage) -> None:
    stage.assistant.expect(AnswerApproval)
    _ask(stage)
    _armed(stage)
    stage.picture("4-confirm-create")
    stage.click(stage.find("allowButton"))
    assert _answer(stage) == AnswerApproval("a1", allowed=True, by="you")


def test_allow_by_keyboard(stage: Stage) -> None:
    stage.assistant.expect(AnswerApproval)
    _ask(stage)
    _armed(stage)
    stage.desktop.key("alt+a")
    assert _answer(stage).allowed


@pytest.mark.parametrize("key", ["Return", "KP_Enter", "Escape", "space"])
def test_these_keys_mean_no(stage: Stage, key: str) -> None:
    """Space too, because Cancel has the focus."""
    stage.assistant.expect(AnswerApproval)
    _ask(stage)
    _armed(stage)
    stage.desktop.key(key)
    assert not _answer(stage).allowed


def test_enter_on_allow_means_no_as_well(stage: Stage) -> None:
    stage.assistant.expect(AnswerApproval)
    _ask(stage)
    _armed(stage)
    allow = stage.find("allowButton")
    stage.desktop.key("Tab", "Tab")
    stage.qtbot.waitUntil(allow.hasFocus, timeout=20_000)
    stage.desktop.key("Return")
    assert not _answer(stage).allowed


def test_closing_means_no(stage: Stage) -> None:
    stage.assistant.expect(AnswerApproval)
    _ask(stage)
    _armed(stage)
    stage.desktop.key("alt+F4")
    assert not _answer(stage).allowed


def test_closing_the_window_means_no(stage: Stage) -> None:
    stage.assistant.expect(AnswerApproval)
    _ask(stage)
    stage.window.close()
    assert not _answer(stage).allowed


def test_enter_held_down_when_it_opens_means_no(stage: Stage) -> None:
    stage.assistant.expect(AnswerApproval)
    stage.field.insertPlainText("")
    stage.desktop.act("keydown", "Return")
    try:
        stage.assistant.publish(
            stories.started("t1", WORDS), events.CallProposed("t1", 1, CALL), events.ApprovalRequested(REQUEST)
        )
        assert not _answer(stage).allowed
    finally:
        stage.desktop.act("keyup", "Return")


def test_a_click_before_the_arming_does_nothing(stage: Stage) -> None:
    stage.assistant.expect(AnswerApproval)
    dialog = _ask(stage)
    allow = stage.find("allowButton")
    # Taking the keyboard away starts the 0.7 s again, so the click comes early however slow the machine is.
    stage.window.panel.setFocus()
    stage.desktop.move(*stage.centre(allow))
    dialog._arming.changed(time.monotonic())
    dialog._observe()
    stage.desktop.act("click", "1", "click", "1", "key", "alt+a")
    stage.qtbot.wait(200)
    assert stage.assistant.received == []
    assert dialog.isVisible()


def test_a_press_that_began_before_the_arming_does_nothing(stage: Stage) -> None:
    stage.assistant.expect(AnswerApproval)
    dialog = _ask(stage)
    allow = stage.find("allowButton")
    stage.desktop.move(*stage.centre(allow))
    dialog._arming.changed(time.monotonic())
    dialog._observe()
    stage.desktop.act("mousedown", "1")
    dialog._arming.end_seen(time.monotonic())
    dialog._observe()
    _armed(stage)
    stage.desktop.act("mouseup", "1")
    stage.qtbot.wait(200)
    assert stage.assistant.received == []


def test_losing_the_keyboard_starts_the_arming_again(stage: Stage) -> None:
    stage.assistant.expect(AnswerApproval)
    dialog = _ask(stage)
    _armed(stage)
    other = QLabel("another window")
    stage.qtbot.addWidget(other)
    other.show()
    other.activateWindow()
    stage.qtbot.waitUntil(lambda: not dialog.isActiveWindow(), timeout=20_000)
    assert not stage.find("allowButton").isEnabled()
    other.close()
    dialog.activateWindow()
    _armed(stage)


def test_a_long_text_has_to_be_scrolled_to_its_end(stage: Stage) -> None:
    stage.assistant.expect(AnswerApproval)
    lines = "".join(f"line {number}\n" for number in range(1, 200)) + "rm -rf ~\n"
    _ask(stage, replace(REQUEST, after=lines))
    shown_for = time.monotonic()
    stage.qtbot.waitUntil(lambda: time.monotonic() - shown_for > DELAY + 0.3, timeout=20_000)
    assert not stage.find("allowButton").isEnabled()
    rest = [label.text() for label in _dialog(stage).findChildren(QLabel) if label.text().startswith("Scroll to")]
    assert len(rest) == 1
    stage.picture("4-confirm-long")
    stage.desktop.key("alt+a")
    stage.desktop.key("End")
    _armed(stage)
    stage.wait_for("All shown")
    assert stage.assistant.received == []
    stage.desktop.key("alt+a")
    assert _answer(stage).allowed


def test_what_hides_is_spelled_out(stage: Stage) -> None:
    stage.assistant.expect(AnswerApproval)
    request = replace(
        REQUEST,
        question="Create <b>safe.txt</b>\u202e?",
        tool="create_file",
        words="<img src='x'> hello\nRisk Low. Nothing happens",
        path="/home/you/aria/output/\u2066evil\u2069.txt",
        after="<!-- a comment -->" + " " * 5000 + "rm -rf ~\n\u200bhidden\x1b[2K\n&lt;raw&gt;",
    )
    dialog = _ask(stage, request)
    shown = [label.text() for label in dialog.findChildren(QLabel)]
    assert "Create <b>safe.txt</b><U+202E>?" in shown
    assert "/home/you/aria/output/<U+2066>evil<U+2069>.txt" in shown
    text = stage.find("changeView").toPlainText()  # type: ignore[attr-defined]
    assert text == "<!-- a comment --><5,000 spaces>rm -rf ~\n<U+200B>hidden<U+001B>[2K\n&lt;raw&gt;"
    assert all(label.textFormat() is label.textFormat().PlainText for label in dialog.findChildren(QLabel))
    stage.picture("4-confirm-hidden")


def test_an_answer_from_elsewhere_closes_it_without_another(stage: Stage) -> None:
    dialog = _ask(stage)
    stage.assistant.publish(stories.decided("t1", by="--allow create_file"))
    stage.qtbot.waitUntil(lambda: not stage.alive(dialog), timeout=20_000)
    stage.wait_for("Allowed by --allow create_file")
    assert stage.assistant.received == []


def test_the_end_of_its_turn_closes_it(stage: Stage) -> None:
    dialog = _ask(stage)
    stage.assistant.publish(stories.ended("t1"))
    stage.qtbot.waitUntil(lambda: not stage.alive(dialog), timeout=20_000)
    assert stage.assistant.received == []


def test_two_questions_come_one_after_the_other(stage: Stage) -> None:
    stage.assistant.expect(AnswerApproval, AnswerApproval)
    _ask(stage)
    other = replace(REQUEST, id="a2", question="Create second.txt?")
    stage.assistant.publish(events.ApprovalRequested(other))
    _armed(stage)
    assert not stage.shows("Create second.txt?")
    stage.desktop.key("Escape")
    assert _answer(stage, 1) == AnswerApproval("a1", allowed=False, by="you")
    stage.wait_for("Create second.txt?")
    _dialog(stage)
    stage.desktop.key("Escape")
    assert _answer(stage, 2) == AnswerApproval("a2", allowed=False, by="you")


def test_changed_content_under_the_same_id_is_shown_anew(stage: Stage) -> None:
    stage.assistant.expect(AnswerApproval)
    first = _ask(stage)
    _armed(stage)
    stage.assistant.publish(events.ApprovalRequested(replace(REQUEST, after="poison\n")))
    stage.qtbot.waitUntil(lambda: not stage.alive(first), timeout=20_000)
    _dialog(stage)
    assert stage.find("changeView").toPlainText() == "poison"  # type: ignore[attr-defined]
    stage.desktop.key("Escape")
    assert not _answer(stage).allowed


def test_a_minimised_window_is_not_raised_by_a_question(stage: Stage) -> None:
    stage.assistant.expect(AnswerApproval)
    stage.window.showMinimized()
    stage.qtbot.waitUntil(stage.window.isMinimized, timeout=20_000)
    stage.assistant.publish(stories.started("t1", WORDS), events.ApprovalRequested(REQUEST))
    stage.wait_for_item("t1")
    assert not [w for w in QApplication.topLevelWidgets() if isinstance(w, ApprovalDialog)]
    stage.assistant.publish(events.WindowWanted())
    _dialog(stage)
    stage.desktop.key("Escape")
    assert not _answer(stage).allowed


def test_a_fault_while_the_question_is_made_means_no(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    stage.assistant.expect(AnswerApproval)

    def broken(*_arguments: object) -> None:
        raise RuntimeError("no dialog today")

    monkeypatch.setattr("aria_desktop.gui.approvals.ApprovalDialog", broken)
    with stage.qtbot.captureExceptions() as faults:
        stage.assistant.publish(stories.started("t1", WORDS), events.ApprovalRequested(REQUEST))
        assert not _answer(stage).allowed
    assert "no dialog today" in str(faults[0][1])


OFFERED = replace(
    REQUEST,
    offers=(
        Offer(Extent.CONVERSATION, "create_file for *.txt, in this conversation until 21:00"),
        Offer(Extent.FOLDER, "create_file for *.txt, in this folder until 16:30"),
    ),
)


def test_a_yes_is_for_once_unless_something_else_is_chosen(stage: Stage) -> None:
    dialog = _ask(stage, OFFERED)
    stage.assistant.expect(AnswerApproval)
    assert dialog.extent is Extent.ONCE
    _armed(stage)
    stage.click(stage.find("allowButton"))
    assert _answer(stage) == AnswerApproval(REQUEST.id, True, "you", Extent.ONCE)


def test_choosing_how_far_a_yes_reaches_starts_the_time_anew(stage: Stage) -> None:
    dialog = _ask(stage, OFFERED)
    stage.assistant.expect(AnswerApproval)
    _armed(stage)
    choice = dialog.findChild(ExtentChoice)
    assert choice is not None
    choice.setCurrentIndex(2)
    assert not stage.find("allowButton").isEnabled()
    _armed(stage)
    stage.click(stage.find("allowButton"))
    assert _answer(stage) == AnswerApproval(REQUEST.id, True, "you", Extent.FOLDER)


def test_a_no_reaches_no_further_than_once(stage: Stage) -> None:
    dialog = _ask(stage, OFFERED)
    stage.assistant.expect(AnswerApproval)
    choice = dialog.findChild(ExtentChoice)
    assert choice is not None
    choice.setCurrentIndex(1)
    stage.click(stage.find("cancelButton"))
    assert _answer(stage) == AnswerApproval(REQUEST.id, False, "you", Extent.ONCE)


def test_without_an_offer_there_is_nothing_to_choose(stage: Stage) -> None:
    dialog = _ask(stage)
    stage.assistant.expect(AnswerApproval)
    assert dialog.findChild(ExtentChoice) is None
    stage.wait_for("Only this one time")


def test_from_the_third_question_on_the_whole_turn_can_be_stopped(stage: Stage) -> None:
    _ask(stage, replace(REQUEST, number=3))
    stage.assistant.expect(CancelTurn, AnswerApproval)
    stage.click(stage.find("stopTurnButton"))
    assert _answer(stage, 2) == AnswerApproval(REQUEST.id, False, "you")
    assert stage.assistant.received[0] == CancelTurn(REQUEST.turn_id)


def test_whose_text_may_be_behind_it_and_how_well_it_was_heard_are_shown(stage: Stage) -> None:
    request = replace(REQUEST, heard=Hearing(0.41, ("shopping",)), untrusted=("the file a\u202eb.txt",))
    dialog = _ask(stage, request)
    stage.assistant.expect(AnswerApproval)
    shown = [label.text() for label in dialog.findChildren(QLabel)]
    assert "with 41%, not sure of: shopping" in shown
    source = "the file a<U+202E>b.txt. That text is not yours and may ask for things that you did not ask for."
    assert source in shown


PAIR = ("q1", "q2")
FIRST = replace(REQUEST, id="q1", together=PAIR)
SECOND = replace(REQUEST, id="q2", call_id="c2", question="Create other.txt?", after="tea\n", together=PAIR)


def _ask_pair(stage: Stage) -> ApprovalDialog:
    _ask_first(stage)
    assert not isinstance(QApplication.activeWindow(), ApprovalDialog), "the second one is still to come"
    stage.assistant.publish(events.ApprovalRequested(SECOND))
    return _dialog(stage)


def _ask_first(stage: Stage) -> None:
    stage.assistant.publish(
        events.ActivityChanged(events.Activity.CONFIRMING),
        stories.started(FIRST.turn_id, FIRST.words),
        events.CallProposed(FIRST.turn_id, 1, CALL),
        events.ApprovalRequested(FIRST),
    )
    stage.wait_for(FIRST.words)


def test_several_actions_of_one_step_are_one_dialog_and_one_yes(stage: Stage) -> None:
    dialog = _ask_pair(stage)
    stage.assistant.expect(AnswerApproval, AnswerApproval)
    shown = "\n".join(label.text() for label in dialog.findChildren(QLabel))
    for text in (
        "Do these 2 things?",
        "Create shopping.txt? (create_file)",
        "Create other.txt? (create_file)",
        "+ tea",
    ):
        assert text in shown
    _armed(stage)
    stage.click(stage.find("allowButton"))
    _answer(stage, 2)
    assert stage.assistant.received == [AnswerApproval("q1", True, "you"), AnswerApproval("q2", True, "you")]


def test_one_no_is_for_all_of_them(stage: Stage) -> None:
    _ask_pair(stage)
    stage.assistant.expect(AnswerApproval, AnswerApproval)
    stage.desktop.key("Escape")
    _answer(stage, 2)
    assert stage.assistant.received == [AnswerApproval("q1", False, "you"), AnswerApproval("q2", False, "you")]


def test_what_is_left_after_one_was_answered_elsewhere_is_asked_alone(stage: Stage) -> None:
    both = _ask_pair(stage)
    stage.assistant.expect(AnswerApproval)
    stage.assistant.publish(events.ApprovalDecided(FIRST.turn_id, "q1", ApprovalDecision(True, "you"), 1.0))
    stage.qtbot.waitUntil(lambda: not stage.alive(both), timeout=30_000)
    dialog = _dialog(stage)
    assert dialog.request == SECOND
    stage.desktop.key("Escape")
    assert _answer(stage) == AnswerApproval("q2", False, "you")

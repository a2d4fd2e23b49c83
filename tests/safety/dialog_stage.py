"""The dialog cases that need a window, carried out on Qt's offscreen platform, in a process of their own.

Run as a module it prints one JSON object a line: a case, what was wrong with it, and whether a careless dialog (a
QMessageBox as it comes) falls for the same.
"""

from __future__ import annotations

import json
import sys
import time
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QMessageBox, QWidget

from aria_desktop.core.approval import ApprovalRequest, Risk, RiskLevel
from aria_desktop.core.requests import AnswerApproval
from aria_desktop.gui.allow_button import AllowButton
from aria_desktop.gui.approval_dialog import ApprovalDialog
from aria_desktop.gui.approvals import ApprovalDesk
from aria_desktop.gui.change_view import ChangeView
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.arming import DELAY
from tests.safety.dialog_cases import PRESSES, TEXTS, Lie, Text

RESOURCES = Path(__file__).resolve().parents[2] / "resources"
WAIT_S = 10.0
_ARMED_MS = round(DELAY * 1000) + 300
YES, NO = QMessageBox.StandardButton.Yes, QMessageBox.StandardButton.No
Key = Qt.Key


def question(id_: str = "a1", payload: str = "ls\n") -> ApprovalRequest:
    """A command, with the payload wherever a model's text can stand."""
    short = payload if len(payload) < 1_000 else "ls"
    risk = Risk(RiskLevel.HIGH, "It can delete every file.")
    facts = (("Runs in", short),)
    shown = ("run_terminal", "Run this command?", "Allow run", facts, "", None, payload, risk, short)
    return ApprovalRequest(id_, "t1", "c1", *shown)


class Stage:
    """A window with a desk for questions, and what was answered."""

    def __init__(self, app: QApplication, look: Look) -> None:
        self._app = app
        self.window = QWidget()
        self.window.resize(900, 800)
        self.desk = ApprovalDesk(look, self.window)
        self.answers: list[AnswerApproval] = []
        self.desk.answered.connect(self.answers.append)
        self.window.show()
        self.window.activateWindow()
        self.until(self.window.isActiveWindow)

    def ask(self, request: ApprovalRequest) -> ApprovalDialog:
        """The dialog as soon as it has the keyboard."""
        self.desk.ask(request)
        self.until(lambda: self.dialog is not None and self.dialog.isActiveWindow())
        assert self.dialog is not None
        return self.dialog

    @property
    def dialog(self) -> ApprovalDialog | None:
        dialogs = [w for w in self._app.topLevelWidgets() if isinstance(w, ApprovalDialog) and w.isVisible()]
        assert len(dialogs) <= 1, "two questions are open at once"
        return dialogs[0] if dialogs else None

    @property
    def allowed(self) -> list[bool]:
        return [answer.allowed for answer in self.answers]

    def until(self, met: Callable[[], bool]) -> None:
        until(met)

    def close(self) -> None:
        self.desk.refuse_all()
        self.window.close()
        self.window.deleteLater()
        self._app.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def until(met: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT_S
    while not met():
        assert time.monotonic() < end, "it never came to that"
        QTest.qWait(10)


def allow_of(dialog: ApprovalDialog) -> AllowButton:
    (button,) = dialog.findChildren(AllowButton)
    return button


def press(target: QWidget, key: Key) -> None:
    QTest.keyClick(target.windowHandle(), key)


def texts_on(dialog: ApprovalDialog) -> Iterator[str]:
    yield from (label.text() for label in dialog.findChildren(QLabel) if label.isVisible())
    yield from (view.toPlainText() for view in dialog.findChildren(ChangeView))


def hides(text: str) -> bool:
    return any(unicodedata.category(c) in ("Cc", "Cf") and c not in "\n\t" for c in text)


def faults_of_text(stage: Stage, case: Text) -> Iterator[str]:
    dialog = stage.ask(question(payload=case.payload))
    shown = list(texts_on(dialog))
    yield from (f"not shown: {piece}" for piece in case.must_show if not any(piece in text for text in shown))
    yield from (f"it hides: {text!r}" for text in shown if hides(text))
    formats = {label.textFormat() for label in dialog.findChildren(QLabel)}
    if formats != {Qt.TextFormat.PlainText}:
        yield f"not all labels are plain: {formats}"
    names = [text for text in shown if text in ("Risk", "You said", "File", "Runs in")]
    if sorted(names) != ["Risk", "Runs in", "You said"]:
        yield f"other labels than ours: {names}"
    if "The tool run_terminal wants to do this." not in shown:
        yield "the tool is not named"
    yield from _faults_of_buttons(stage, dialog, case)


def _faults_of_buttons(stage: Stage, dialog: ApprovalDialog, case: Text) -> Iterator[str]:
    """No text takes a click, and what is out of sight holds back the yes until it was in sight."""
    for label in dialog.findChildren(QLabel):
        QTest.mouseClick(label, Qt.MouseButton.LeftButton)
    QTest.qWait(_ARMED_MS)
    (view,) = dialog.findChildren(ChangeView)
    bar = view.verticalScrollBar()
    out_of_sight = bar.value() < bar.maximum()
    if case.lie is Lie.LONG and case.payload.count("\n") and not out_of_sight:
        yield "ten thousand lines are all in sight"
    if out_of_sight and allow_of(dialog).isEnabled():
        yield "it could be allowed with its end out of sight"
    press(dialog, Key.Key_End)
    stage.until(allow_of(dialog).isEnabled)
    if stage.answers:
        yield "a click on a text answered"


def careless_text(case: Text) -> bool:
    """Whether a message box as it comes falls for it."""
    box = QMessageBox(QMessageBox.Icon.Question, "ARIA", f"You said: {case.payload}\nRisk: high", YES | NO)
    label = QLabel(case.payload)
    match case.lie:
        case Lie.INTERPRETED:
            plain = QLabel(case.payload)
            plain.setTextFormat(Qt.TextFormat.PlainText)
            return label.grab().toImage() != plain.grab().toImage()
        case Lie.HIDDEN:
            return hides(label.text())
        case Lie.LONG:
            return box.button(YES).isEnabled()
        case Lie.IMITATED:
            return case.payload in box.text()


def enter_held(stage: Stage) -> Iterator[str]:
    yield from _held(stage, Key.Key_Return, "\r")


def space_held(stage: Stage) -> Iterator[str]:
    yield from _held(stage, Key.Key_Space, " ")


def _held(stage: Stage, key: Key, text: str) -> Iterator[str]:
    """The key goes down before the question is there, repeats while it opens and comes up afterwards."""
    QTest.keyPress(stage.window.windowHandle(), key)
    stage.desk.ask(question())
    for _ in range(60):
        target = QApplication.focusWidget() or stage.window
        modifiers = Qt.KeyboardModifier.NoModifier
        QApplication.sendEvent(target, QKeyEvent(QEvent.Type.KeyPress, key, modifiers, text, True))
        QTest.qWait(25)
    QTest.keyRelease((stage.dialog or stage.window).windowHandle(), key)
    QTest.qWait(100)
    if True in stage.allowed:
        yield "it was allowed by a key that was held"


def double_click(stage: Stage) -> Iterator[str]:
    dialog = stage.ask(question())
    place = allow_of(dialog).mapTo(dialog, allow_of(dialog).rect().center())
    QTest.mouseDClick(dialog.windowHandle(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    if stage.answers:
        yield "a double click answered before anybody could read"
    # A press that began too early counts for nothing, however late it ends.
    QTest.mousePress(dialog.windowHandle(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    stage.until(allow_of(dialog).isEnabled)
    QTest.mouseRelease(dialog.windowHandle(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    if stage.answers:
        yield "a press from before answered"


def two_at_once(stage: Stage) -> Iterator[str]:
    first = stage.ask(question("a1"))
    stage.desk.ask(question("a2", "rm -rf ~\n"))
    stage.until(allow_of(first).isEnabled)
    place = allow_of(first).mapToGlobal(QPoint(5, 5))
    QTest.mouseClick(allow_of(first), Qt.MouseButton.LeftButton)
    stage.until(lambda: stage.dialog is not None and stage.dialog.request.id == "a2")
    second = stage.dialog
    assert second is not None
    QTest.mouseClick(second.windowHandle(), Qt.MouseButton.LeftButton, pos=second.mapFromGlobal(place))
    if [(answer.approval_id, answer.allowed) for answer in stage.answers] != [("a1", True)]:
        yield f"one click answered more than one question: {stage.answers}"


def minimised(stage: Stage) -> Iterator[str]:
    stage.window.showMinimized()
    stage.until(stage.window.isMinimized)
    stage.desk.ask(question())
    QTest.qWait(_ARMED_MS)
    if stage.dialog is not None or stage.answers:
        yield "it opened, or was answered, out of sight"
    stage.window.showNormal()
    stage.window.activateWindow()
    stage.desk.show_next()
    stage.until(lambda: stage.dialog is not None)
    assert stage.dialog is not None
    if allow_of(stage.dialog).isEnabled():
        yield "the time that it was out of sight counted"


def escape(stage: Stage) -> Iterator[str]:
    dialog = stage.ask(question())
    stage.until(allow_of(dialog).isEnabled)
    press(dialog, Key.Key_Escape)
    yield from _refused(stage)


def close_box(stage: Stage) -> Iterator[str]:
    dialog = stage.ask(question())
    stage.until(allow_of(dialog).isEnabled)
    dialog.close()
    yield from _refused(stage)


def program_ends(stage: Stage) -> Iterator[str]:
    dialog = stage.ask(question())
    stage.desk.ask(question("a2"))
    stage.until(allow_of(dialog).isEnabled)
    stage.desk.refuse_all()
    yield from _refused(stage, count=2)


def _refused(stage: Stage, count: int = 1) -> Iterator[str]:
    QTest.qWait(50)
    if stage.allowed != [False] * count:
        yield f"that is no plain no: {stage.answers}"


def _careless(act: Callable[[QMessageBox], object], buttons: QMessageBox.StandardButton = YES | NO) -> bool:
    """Whether a message box says yes, or nothing at all, when `act` is done to it at once."""
    box = QMessageBox(QMessageBox.Icon.Question, "ARIA", "Run this command?", buttons)
    box.open()
    until(box.isActiveWindow)
    act(box)
    QTest.qWait(50)
    fell = box.isVisible() or box.standardButton(box.clickedButton()) is YES
    box.close()
    box.deleteLater()
    return fell


def _click_yes(box: QMessageBox) -> None:
    yes: QAbstractButton = box.button(YES)
    QTest.mouseDClick(yes, Qt.MouseButton.LeftButton)
    QTest.mouseClick(yes, Qt.MouseButton.LeftButton)


def _stays(box: QMessageBox) -> None:
    """A second box, or a window that is minimised, changes nothing: it stays open and can be answered."""
    assert box.button(YES).isEnabled()


CARELESS: dict[str, Callable[[], bool]] = {
    "D17": lambda: _careless(lambda box: press(box, Key.Key_Return)),
    "D18": lambda: _careless(lambda box: press(box, Key.Key_Space)),
    "D19": lambda: _careless(_click_yes),
    "D20": lambda: _careless(_stays),
    "D21": lambda: _careless(_stays),
    "D22": lambda: _careless(lambda box: press(box, Key.Key_Escape), YES),
    "D23": lambda: _careless(lambda box: box.close(), YES),
    "D24": lambda: _careless(_stays),
}
_ACTS = (enter_held, space_held, double_click, two_at_once, minimised, escape, close_box, program_ends)
ACTS = dict(zip(PRESSES, _ACTS, strict=True))


def main() -> int:
    app = QApplication(["aria-desktop"])
    look = Look(app, RESOURCES, "light", 100)
    for case in TEXTS:
        stage = Stage(app, look)
        _report(case.id, list(faults_of_text(stage, case)), careless_text(case))
        stage.close()
    for name, act in ACTS.items():
        stage = Stage(app, look)
        faults = list(act(stage))
        stage.close()
        _report(name, faults, CARELESS[name[:3]]())
    return 0


def _report(case: str, faults: list[str], control: bool) -> None:
    print(json.dumps({"case": case, "faults": faults, "control": control}), flush=True)


if __name__ == "__main__":
    sys.exit(main())

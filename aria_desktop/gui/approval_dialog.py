"""The question before something changes. Safe is the easy way: Cancel is filled, focused and on Enter.

What must stay true: all text is plain and what hides is spelled out; every argument is there in full; a press
counts as yes only on Allow, only after the question was in front of the user for 0.7 s with its last line on
the screen; every other ending - Enter, Escape, the close box, the end of the program - is a no; exactly one
answer is given.
"""

from __future__ import annotations

import time

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QKeySequence, QPaintEvent, QShortcut
from PySide6.QtWidgets import QAbstractSlider, QDialog, QDialogButtonBox, QHBoxLayout, QStyle, QVBoxLayout, QWidget

from aria_desktop.core.approval import ApprovalRequest, Extent
from aria_desktop.gui.allow_button import AllowButton
from aria_desktop.gui.approval_facts import FactsArea
from aria_desktop.gui.buttons import WordButton
from aria_desktop.gui.change_card import ChangeCard
from aria_desktop.gui.extent_choice import ONCE, ExtentChoice
from aria_desktop.gui.look import Look
from aria_desktop.gui.state import figures
from aria_desktop.gui.state.arming import Arming
from aria_desktop.gui.state.shown import one_line
from aria_desktop.gui.state.talk import Cap
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.state.verbs import verbs
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import HintLine, IconTile, IconView, Words

_TICK_MS = 33
_HIGHEST = 724
STOP_OFFERED_FROM = 3
"""The question of a turn from which on the whole turn can be stopped instead of answered again and again."""
_SCROLLING = {
    Qt.Key.Key_PageDown: QAbstractSlider.SliderAction.SliderPageStepAdd,
    Qt.Key.Key_PageUp: QAbstractSlider.SliderAction.SliderPageStepSub,
    Qt.Key.Key_End: QAbstractSlider.SliderAction.SliderToMaximum,
    Qt.Key.Key_Home: QAbstractSlider.SliderAction.SliderToMinimum,
}


class ApprovalDialog(QDialog):
    decided = Signal(bool)
    """Exactly once, unless the question was withdrawn."""
    stop_wanted = Signal()
    """Before a no that ends the whole turn."""

    def __init__(self, look: Look, request: ApprovalRequest, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.request = request
        self._arming = Arming()
        self._answered = False
        self._painted = False
        self._timer = QTimer(self, interval=_TICK_MS)
        self._timer.timeout.connect(self._observe)
        self.setObjectName("approvalDialog")
        self.setWindowTitle(tr("ARIA asks"))
        self.setAccessibleName(one_line(request.question))
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setMinimumSize(560, 380)
        self._facts = FactsArea(look, request)
        title = tr("What changes") if request.path else tr("Word for word")
        self._card = ChangeCard(look, title, request.before, request.after, request.path)
        self._change = self._card.change
        self._allow = AllowButton(look, one_line(request.allow_label))
        self._allow.setObjectName("allowButton")
        self._allow.clicked.connect(self._allow_pressed)
        self._cancel = WordButton(look, tr("Cancel"), "main", 38)
        self._cancel.setObjectName("cancelButton")
        self._cancel.setDefault(True)
        self._cancel.clicked.connect(self.reject)
        self._extent = ExtentChoice(look, request.offers) if request.offers else None
        if self._extent is not None:
            self._extent.changed.connect(self._chosen_anew)
        shortcut = QShortcut(QKeySequence("Alt+A"), self)
        shortcut.setAutoRepeat(False)
        shortcut.activated.connect(self._allow_pressed)
        self._lay_out()
        self.resize(760, min(_HIGHEST, self.sizeHint().height()))
        self._cancel.setFocus(Qt.FocusReason.TabFocusReason)

    @property
    def extent(self) -> Extent:
        """How far a yes reaches."""
        return self._extent.extent if self._extent is not None else Extent.ONCE

    def withdraw(self) -> None:
        """The question was answered or dropped elsewhere: close without an answer."""
        self._answered = True
        self.reject()

    def done(self, result: int) -> None:
        """Every way to close the dialog ends here."""
        self._timer.stop()
        if not self._answered:
            self._answered = True
            self.decided.emit(result == QDialog.DialogCode.Accepted)
        super().done(result)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Only what has been painted has been on the screen."""
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            QTimer.singleShot(0, self, self._on_screen)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._painted = False
        self._arming.shown(False, time.monotonic())
        self._observe()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange:
            self._arming.active(self.isActiveWindow(), time.monotonic())
            self._observe()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Page keys scroll from anywhere; Enter and Escape cancel, as in every QDialog with a default."""
        action = _SCROLLING.get(Qt.Key(event.key()))
        if action is None:
            super().keyPressEvent(event)
            return
        for area in (self._facts, self._change):
            area.verticalScrollBar().triggerAction(action)

    def _allow_pressed(self) -> None:
        if self._arming.armed(time.monotonic()):
            self.accept()

    def _stop_pressed(self) -> None:
        self.stop_wanted.emit()
        self.reject()

    def _chosen_anew(self) -> None:
        self._arming.again(time.monotonic())
        self._observe()

    def _look_for_end(self) -> None:
        if self._painted and self._facts.end_visible() and self._change.end_visible():
            self._arming.end_seen(time.monotonic())
        self._observe()

    def _on_screen(self) -> None:
        if self.isVisible():
            self._arming.shown(True, time.monotonic())
            self._look_for_end()

    def _observe(self) -> None:
        """Bring the button and the footer in line with the arming, and keep looking while it counts."""
        now = time.monotonic()
        armed = self._arming.armed(now)
        self._allow.show_progress(self._arming.progress(now))
        self._allow.setEnabled(armed)
        self._card.show_reading(self._arming.read_to_end)
        if self._arming.counting and not armed:
            self._timer.start()
        else:
            self._timer.stop()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(28, 24, 22, 20)
        column.setSpacing(14)
        column.addLayout(self._head())
        column.addWidget(self._facts, 0 if self._card.has_change else 1)
        column.addWidget(self._card, 1 if self._card.has_change else 0)
        column.addSpacing(6)
        column.addLayout(self._answers())
        column.addLayout(self._keys())
        self.setTabOrder(self._change, self._allow)
        self.setTabOrder(self._allow, self._cancel)
        for bar in (self._facts.verticalScrollBar(), self._change.verticalScrollBar()):
            bar.valueChanged.connect(self._look_for_end)
            bar.rangeChanged.connect(self._look_for_end)

    def _head(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(IconTile(self._look, verbs(self.request.tool).icon), 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(2)
        question = Words(self._look, Kind.QUESTION, one_line(self.request.question), wrap=True)
        question.setObjectName("question")
        words.addWidget(question)
        words.addWidget(Words(self._look, Kind.ROW, self._tool_sentence(), "quiet", wrap=True))
        row.addLayout(words, 1)
        return row

    def _tool_sentence(self) -> str:
        tool, before, after = one_line(self.request.tool), self.request.before, self.request.after
        if ", " in tool:
            return tr("The tools {tools} want to do this.", tools=tool)
        if after is None or not self.request.path:
            return tr("The tool {tool} wants to do this.", tool=tool)
        if before is None:
            return tr("The tool {tool} writes {size} into a new file.", tool=tool, size=figures.text_size(after))
        sizes = {"old": figures.text_size(before), "new": figures.text_size(after)}
        return tr("The tool {tool} replaces {old} with {new}.", tool=tool, **sizes)

    def _answers(self) -> QHBoxLayout:
        row = QHBoxLayout()
        if self._extent is not None:
            row.addWidget(self._extent, 3)
        else:
            row.addWidget(Words(self._look, Kind.HELP_STRONG, tr(ONCE)))
        row.addStretch(1)
        if self.request.number >= STOP_OFFERED_FROM:
            row.addWidget(self._stop_button())
            row.addSpacing(6)
        for button in self._button_order():
            row.addWidget(button)
            row.addSpacing(6)
        return row

    def _stop_button(self) -> WordButton:
        stop = WordButton(self._look, tr("Stop this turn"), height=38)
        stop.setObjectName("stopTurnButton")
        stop.clicked.connect(self._stop_pressed)
        return stop

    def _button_order(self) -> tuple[QWidget, QWidget]:
        """Left to right as the system has it. Laid out by hand: a QDialogButtonBox hands the focus that enters it
        to its first button, and Tab would jump over the other."""
        hint = QStyle.StyleHint.SH_DialogButtonLayout
        order = QDialogButtonBox.ButtonLayout(self.style().styleHint(hint, None, self))
        if order in (QDialogButtonBox.ButtonLayout.MacLayout, QDialogButtonBox.ButtonLayout.GnomeLayout):
            return self._cancel, self._allow
        return self._allow, self._cancel

    def _keys(self) -> QHBoxLayout:
        row = QHBoxLayout()
        keys = HintLine(self._look)
        keys.show_parts((Cap(tr("Enter")), Cap("Esc"), tr("cancel"), Cap("Alt"), Cap("A"), tr("allow")))
        row.addWidget(keys, 1)
        row.addWidget(IconView(self._look, "mic-off", "text2", 16))
        row.addWidget(Words(self._look, Kind.HELP, tr("A spoken yes does nothing here"), "quiet"))
        return row

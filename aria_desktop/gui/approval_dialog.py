"""The question before something changes. Safe is the easy way: Cancel is filled, focused and on Enter.

What must stay true: all text is plain and what hides is spelled out; every argument is there in full; a press
counts as yes only on Allow, only after the question was in front of the user for 0.7 s with its last line on
the screen; every other ending - Enter, Escape, the close box, the end of the program - is a no; exactly one
answer is given.
"""

from __future__ import annotations

import time

from PySide6.QtCore import QEvent, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QKeySequence, QPainter, QPaintEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QAbstractSlider,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QStyle,
    QVBoxLayout,
    QWidget,
)

from aria_desktop.core.approval import ApprovalRequest
from aria_desktop.gui.approval_facts import FactsArea
from aria_desktop.gui.buttons import WordButton
from aria_desktop.gui.change_view import ChangeView
from aria_desktop.gui.look import Look
from aria_desktop.gui.state import figures
from aria_desktop.gui.state.arming import Arming
from aria_desktop.gui.state.difference import difference
from aria_desktop.gui.state.shown import one_line
from aria_desktop.gui.state.talk import Cap
from aria_desktop.gui.state.verbs import verbs
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import Hairline, HintLine, IconView, Words

_TICK_MS = 33
_HIGHEST = 724
_SCROLLING = {
    Qt.Key.Key_PageDown: QAbstractSlider.SliderAction.SliderPageStepAdd,
    Qt.Key.Key_PageUp: QAbstractSlider.SliderAction.SliderPageStepSub,
    Qt.Key.Key_End: QAbstractSlider.SliderAction.SliderToMaximum,
    Qt.Key.Key_Home: QAbstractSlider.SliderAction.SliderToMinimum,
}


class ApprovalDialog(QDialog):
    decided = Signal(bool)
    """Exactly once, unless the question was withdrawn."""

    def __init__(self, look: Look, request: ApprovalRequest, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.request = request
        self._arming = Arming()
        self._answered = False
        self._timer = QTimer(self, interval=_TICK_MS)
        self._timer.timeout.connect(self._tick)
        self.setObjectName("approvalDialog")
        self.setWindowTitle("ARIA asks")
        self.setAccessibleName(one_line(request.question))
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setMinimumSize(560, 380)
        self._facts = FactsArea(look, request)
        self._change = self._change_view(request)
        self._all_shown = Words(look, Kind.HELP, tone="quiet")
        self._all_shown_icon = IconView(look, "check", "text2", 16)
        self._allow = _AllowButton(look, one_line(request.allow_label))
        self._allow.setObjectName("allowButton")
        self._allow.clicked.connect(self._allow_pressed)
        self._cancel = WordButton(look, "Cancel", "main", 38)
        self._cancel.setObjectName("cancelButton")
        self._cancel.setDefault(True)
        self._cancel.clicked.connect(self.reject)
        shortcut = QShortcut(QKeySequence("Alt+A"), self)
        shortcut.setAutoRepeat(False)
        shortcut.activated.connect(self._allow_pressed)
        self._lay_out()
        self.resize(760, min(_HIGHEST, self.sizeHint().height()))
        self._cancel.setFocus(Qt.FocusReason.TabFocusReason)

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

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._arming.shown(True, time.monotonic())
        # Sizes are final once the event loop has run; only then is it known what is on the screen.
        QTimer.singleShot(0, self, self._look_for_end)
        self._observe()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
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
        for area in filter(None, (self._facts, self._change)):
            area.verticalScrollBar().triggerAction(action)

    def _allow_pressed(self) -> None:
        if self._arming.armed(time.monotonic()):
            self.accept()

    def _look_for_end(self) -> None:
        if (
            self.isVisible()
            and self._facts.end_visible()
            and (self._change is None or self._change.last_line_visible())
        ):
            self._arming.end_seen(time.monotonic())
        self._observe()

    def _observe(self) -> None:
        """Bring the button and the footer in line with the arming, and keep looking while it counts."""
        now = time.monotonic()
        armed = self._arming.armed(now)
        self._allow.show_progress(self._arming.progress(now))
        self._allow.setEnabled(armed)
        seen = self._arming.read_to_end
        self._all_shown.setText("All shown" if seen else self._rest())
        self._all_shown.set_tone("quiet" if seen else "doubt")
        self._all_shown_icon.setVisible(seen)
        if self._arming.counting and not armed:
            self._timer.start()
        else:
            self._timer.stop()

    def _tick(self) -> None:
        self._observe()

    def _rest(self) -> str:
        if self._change is not None and not self._change.last_line_visible():
            return f"Scroll to the end: {figures.counted(self._change.lines_below, 'more line', 'more lines')}"
        return "Scroll to the end"

    def _change_view(self, request: ApprovalRequest) -> ChangeView | None:
        if request.after is None and request.before is None:
            return None
        self._difference = difference(request.before, request.after)
        view = ChangeView(self._look, self._difference)
        view.setObjectName("changeView")
        view.setAccessibleName("What changes")
        view.setMinimumHeight(66)
        view.end_seen.connect(self._look_for_end)
        view.verticalScrollBar().valueChanged.connect(lambda _value: self._observe())
        return view

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(28, 24, 22, 20)
        column.setSpacing(14)
        column.addLayout(self._head())
        column.addWidget(self._facts, 0 if self._change is not None else 1)
        self._facts.verticalScrollBar().valueChanged.connect(lambda _value: self._look_for_end())
        if self._change is not None:
            column.addWidget(self._change_card(self._change), 1)
        else:
            column.addLayout(self._shown_row())
        column.addSpacing(6)
        column.addLayout(self._answers())
        column.addLayout(self._keys())
        if self._change is not None:
            self.setTabOrder(self._change, self._allow)
        self.setTabOrder(self._allow, self._cancel)

    def _head(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(_Tile(self._look, verbs(self.request.tool).icon), 0, Qt.AlignmentFlag.AlignTop)
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
        if after is None:
            return f"The tool {tool} wants to do this."
        if before is None:
            return f"The tool {tool} writes {figures.text_size(after)} into a new file."
        return f"The tool {tool} replaces {figures.text_size(before)} with {figures.text_size(after)}."

    def _change_card(self, change: ChangeView) -> QFrame:
        card = QFrame()
        card.setObjectName("panel")
        head = QHBoxLayout()
        head.setContentsMargins(14, 8, 14, 8)
        head.setSpacing(12)
        head.addWidget(Words(self._look, Kind.HELP_STRONG, "What changes"))
        head.addStretch(1)
        if self._difference.added:
            words = "+" + figures.counted(self._difference.added, "line", "lines")
            head.addWidget(Words(self._look, Kind.HELP_STRONG, words, "gain"))
        if self._difference.removed:
            words = "−" + figures.counted(self._difference.removed, "line", "lines")
            head.addWidget(Words(self._look, Kind.HELP_STRONG, words, "loss"))
        if not self._difference.rows:
            head.addWidget(Words(self._look, Kind.HELP, "The file stays empty", "quiet"))
        column = QVBoxLayout(card)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(Hairline())
        column.addWidget(change, 1)
        column.addWidget(Hairline())
        foot = self._shown_row()
        foot.setContentsMargins(14, 7, 14, 7)
        column.addLayout(foot)
        return card

    def _shown_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(7)
        row.addWidget(self._all_shown_icon)
        row.addWidget(self._all_shown)
        row.addStretch(1)
        row.addWidget(Words(self._look, Kind.HELP, "Plain text, hidden characters made visible", "quiet"))
        return row

    def _answers(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.addWidget(Words(self._look, Kind.HELP_STRONG, "Only this one time"))
        row.addStretch(1)
        for button in self._button_order():
            row.addWidget(button)
            row.addSpacing(6)
        return row

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
        keys.show_parts((Cap("Enter"), Cap("Esc"), "cancel", Cap("Alt"), Cap("A"), "allow"))
        row.addWidget(keys, 1)
        row.addWidget(IconView(self._look, "mic-off", "text2", 16))
        row.addWidget(Words(self._look, Kind.HELP, "A spoken yes does nothing here", "quiet"))
        return row


class _AllowButton(WordButton):
    """Outlined; a hairline along its foot fills while it is arming."""

    def __init__(self, look: Look, words: str) -> None:
        super().__init__(look, words, "outlined", 38)
        self._progress = 0.0
        self.setAutoDefault(False)
        self.setEnabled(False)

    def show_progress(self, progress: float) -> None:
        self._progress = progress
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if 0 < self._progress < 1:
            painter = QPainter(self)
            width = (self.width() - 16) * self._progress
            painter.fillRect(QRectF(8, self.height() - 3, width, 2), self._look.color("accent"))


class _Tile(QWidget):
    """The icon of what is asked, on amber: something is to be decided."""

    def __init__(self, look: Look, icon: str) -> None:
        super().__init__()
        self._look = look
        self._icon = icon
        self.setFixedSize(44, 44)
        look.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._look.color("doubt_soft"))
        painter.drawRoundedRect(QRectF(self.rect()), 8, 8)
        self._look.paint_icon(painter, self._icon, "doubt", QRectF(11, 11, 22, 22))

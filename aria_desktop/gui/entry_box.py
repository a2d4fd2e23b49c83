"""The text box: a full equal of speech. Enter sends, Shift+Enter breaks the line, Up and Down walk earlier texts."""

from __future__ import annotations

import sys

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QGridLayout, QPlainTextEdit, QWidget

from aria_desktop.gui.buttons import IconButton
from aria_desktop.gui.focus_ring import FocusRing
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.pasted import PastedTexts
from aria_desktop.gui.state.talk import Cap
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.state.typed import LONGEST, TypedTexts
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import HintLine

_MOST_LINES = 5


class EntryBox(QFrame):
    sent = Signal(str)
    """The text, without blanks around it; never empty."""
    too_long = Signal(int)
    """Somebody pasted this many characters; nothing of it was taken."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._typed = TypedTexts()
        self.pasted = False
        """Whether something of what was sent last was pasted: somebody else may have written it."""
        self.setObjectName("entry")
        self.field = _Field(look)
        self.field.enter.connect(self._send)
        self.field.walk.connect(self._walk)
        self.field.too_long.connect(self.too_long)
        self.field.textChanged.connect(self._text_changed)
        self._send_button = IconButton(look, "arrow-up", tr("Send"))
        self._send_button.setObjectName("sendButton")
        self._send_button.clicked.connect(self._send)
        self._earlier = HintLine(look, Kind.TIME)
        self._earlier.show_parts((Cap(tr("Up")), tr("earlier")))
        self._lay_out()
        look.changed.connect(self._text_changed)
        self._text_changed()

    def put(self, text: str) -> None:
        """Replace what is written and go there."""
        self.field.setPlainText(text)
        self.field.moveCursor(QTextCursor.MoveOperation.End)
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_compact(self, compact: bool) -> None:
        """One line with the button beside it, or the button and a hint below."""
        self._compact = compact
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom
        if compact:
            self._grid.addWidget(self.field, 0, 0)
            self._grid.addWidget(self._send_button, 0, 1, right)
        else:
            self._grid.addWidget(self.field, 0, 0, 1, 2, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(self._earlier, 1, 0, Qt.AlignmentFlag.AlignBottom)
            self._grid.addWidget(self._send_button, 1, 1, right)
        self._grid.setRowStretch(1, 0 if compact else 1)
        self.setMinimumHeight(0 if compact else 92)
        self._show_earlier()

    def _show_earlier(self) -> None:
        self._earlier.setVisible(len(self._typed) > 0 and not self._compact)

    def _lay_out(self) -> None:
        self._ring = FocusRing(self._look, self.field, 8)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(8, 8, 8, 8)
        self._grid.setSpacing(4)
        self._grid.setColumnStretch(0, 1)
        self.set_compact(False)

    def _send(self) -> None:
        text = self.field.toPlainText().strip()
        if text:
            self.pasted = self.field.pasted.sent(text)
            self._typed.sent(text)
            self.field.clear()
            self.sent.emit(text)

    def _walk(self, back: bool) -> None:
        text = self._typed.earlier(self.field.toPlainText()) if back else self._typed.later()
        if text is not None:
            self.put(text)

    def _text_changed(self) -> None:
        self._send_button.setEnabled(bool(self.field.toPlainText().strip()))
        self._show_earlier()
        self.field.fit()


class _Field(QPlainTextEdit):
    enter = Signal()
    walk = Signal(bool)
    """True: to an earlier text."""
    too_long = Signal(int)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.pasted = PastedTexts()
        self.textChanged.connect(lambda: self.pasted.changed(self.toPlainText()))
        self.setObjectName("textBox")
        self.setAccessibleName(tr("What you want"))
        self.setPlaceholderText(tr("Or type what you want"))
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Files dropped on the text box belong to the window, like anywhere else.
        self.setAcceptDrops(False)
        look.changed.connect(self.fit)
        self.fit()

    def fit(self) -> None:
        """As high as the text, up to five lines."""
        self.setFont(self._look.font(Kind.BODY))
        lines = self._visual_lines()
        margins = 2 * self.document().documentMargin()
        self.setFixedHeight(round((self.fontMetrics().lineSpacing() + 1) * min(_MOST_LINES, lines) + margins))
        more = Qt.ScrollBarPolicy.ScrollBarAsNeeded if lines > _MOST_LINES else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(more)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and plain:
            if not event.isAutoRepeat():
                self.enter.emit()
        elif event.key() == Qt.Key.Key_Up and plain and self._at_edge(QTextCursor.MoveOperation.Up):
            self.walk.emit(True)
        elif event.key() == Qt.Key.Key_Down and plain and self._at_edge(QTextCursor.MoveOperation.Down):
            self.walk.emit(False)
        elif event.modifiers() == Qt.KeyboardModifier.AltModifier and sys.platform != "darwin":
            # A shortcut that is none here, such as the dialog's Alt+A a moment too late, is no letter.
            event.ignore()
        else:
            super().keyPressEvent(event)

    def insertFromMimeData(self, source: QMimeData) -> None:
        text = source.text()
        if len(text) + len(self.toPlainText()) > LONGEST:
            self.too_long.emit(len(text))
        else:
            self.pasted.pasted(text)
            self.insertPlainText(text)

    def _at_edge(self, direction: QTextCursor.MoveOperation) -> bool:
        return not self.textCursor().movePosition(direction)

    def _visual_lines(self) -> int:
        """Rows on the screen, at least one."""
        lines = 0
        block = self.document().begin()
        while block.isValid():
            lines += max(1, block.layout().lineCount())
            block = block.next()
        return lines

"""Fields of the pages: a line of text that can be wrong, and a choice. Both tell what the user has settled on."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QComboBox, QLineEdit, QStyle, QStyleOptionComboBox

from aria_desktop.gui.focus_ring import FocusRing
from aria_desktop.gui.look import Look
from aria_desktop.gui.theme import Kind

HEIGHT = 34


class LineField(QLineEdit):
    settled = Signal(str)
    """The text, when it was changed and the user is done with it: Enter, or on to something else."""

    def __init__(self, look: Look, name: str, text: str = "") -> None:
        super().__init__(text)
        self._look = look
        self._told = text
        self.setAccessibleName(name)
        self.setMaxLength(1000)
        self.editingFinished.connect(self._finished)
        self._ring = FocusRing(look, self, 8)
        look.changed.connect(self._restyle)
        self._restyle()

    def put(self, text: str) -> None:
        """From outside; settles nothing."""
        self._told = text
        self.setText(text)
        self.set_bad(False)

    def set_bad(self, bad: bool) -> None:
        self.setProperty("state", "bad" if bad else "")
        self.style().unpolish(self)
        self.style().polish(self)

    def _finished(self) -> None:
        if self.text() != self._told:
            self._told = self.text()
            self.settled.emit(self._told)

    def _restyle(self) -> None:
        self.setFont(self._look.font(Kind.CONTROL))
        self.setFixedHeight(self._look.px(HEIGHT))


class SearchField(LineField):
    """Tells every change at once."""

    def __init__(self, look: Look, name: str) -> None:
        super().__init__(look, name)
        self.setPlaceholderText(name)
        self.setTextMargins(26, 0, 0, 0)
        self.setClearButtonEnabled(False)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        top = (self.height() - 16) / 2
        left = 12 if self.layoutDirection() is Qt.LayoutDirection.LeftToRight else self.width() - 28
        self._look.paint_icon(QPainter(self), "search", "text2", QRectF(left, top, 16, 16))


class ChoiceField(QComboBox):
    chosen = Signal(int)
    """The place of what the user chose."""

    def __init__(self, look: Look, name: str, choices: tuple[str, ...], current: int) -> None:
        super().__init__()
        self._look = look
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.addItems(choices)
        self.setCurrentIndex(current)
        self.activated.connect(self.chosen)
        self._ring = FocusRing(look, self, 8)
        look.changed.connect(self._restyle)
        self._restyle()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scrolling over a page changes nothing in it."""
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        look, border = self._look, self._look.tokens.border
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(look.color("edge"), border))
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        painter.setBrush(look.color("hover" if hovered else "raised"))
        inset = border / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), 8, 8)
        text = self.rect().adjusted(12, 0, -34, 0)
        arrow = QRectF(self.width() - 28, (self.height() - 16) / 2, 16, 16)
        if self.layoutDirection() is Qt.LayoutDirection.RightToLeft:
            text, arrow = self.rect().adjusted(34, 0, -12, 0), QRectF(12, (self.height() - 16) / 2, 16, 16)
        painter.setPen(look.color("text"))
        shown = self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, text.width())
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading, shown)
        look.paint_icon(painter, "chevron-down", "text2", arrow)

    def _restyle(self) -> None:
        self.setFont(self._look.font(Kind.CONTROL))
        self.setFixedHeight(self._look.px(HEIGHT))
        self.setMinimumWidth(self._look.px(150))

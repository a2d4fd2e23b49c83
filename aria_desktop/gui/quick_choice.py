"""A row with a name, what it stands at, and a menu to change it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QActionGroup, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QMenu, QSizePolicy, QWidget

from aria_desktop.gui.focus_ring import FocusRing
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.quick_choices import Choice
from aria_desktop.gui.state.shown import plain_tip
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import Words

_HEIGHT, _CHEVRON, _GAP = 30, 16, 4


class QuickChoice(QWidget):
    opened = Signal()
    """What is to be chosen from is wanted: answer with `offer`."""
    chosen = Signal(str)
    """The value that the user chose."""

    def __init__(self, look: Look, title: str) -> None:
        super().__init__()
        self._title = title
        self.button = _ValueButton(look)
        self.button.clicked.connect(self.opened)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 3, 0, 3)
        row.addWidget(Words(look, Kind.CONTROL, title, "quiet"))
        row.addWidget(self.button, 1)
        self._menu: QMenu | None = None

    def show_value(self, words: str) -> None:
        self.button.setText(words)
        self.button.setAccessibleName(f"{self._title}: {words}")
        self.button.setToolTip(plain_tip(words))

    def offer(self, choices: Sequence[Choice]) -> None:
        """Opens the menu; what is chosen comes as `chosen`."""
        menu = QMenu(self)
        menu.setAccessibleName(self._title)
        group = QActionGroup(menu)
        for choice in choices:
            action = menu.addAction(choice.words.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(choice.chosen)
            group.addAction(action)
            action.triggered.connect(lambda _=False, value=choice.value: self.chosen.emit(value))
            if choice.chosen:
                menu.setActiveAction(action)
        menu.aboutToHide.connect(menu.deleteLater)
        rightwards = self.layoutDirection() is Qt.LayoutDirection.LeftToRight
        left = self.button.width() - menu.sizeHint().width() if rightwards else 0
        menu.popup(self.button.mapToGlobal(QPoint(left, self.button.height())))


class _ValueButton(QAbstractButton):
    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._ring = FocusRing(look, self, 6)
        look.changed.connect(self._restyle)
        self._restyle()

    def sizeHint(self) -> QSize:
        wide = self.fontMetrics().horizontalAdvance(self.text()) + _CHEVRON + 2 * _GAP
        return QSize(wide, self._look.px(_HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        rightwards = self.layoutDirection() is Qt.LayoutDirection.LeftToRight
        left = self.width() - _CHEVRON - _GAP if rightwards else _GAP
        text = self.rect().adjusted(_GAP, 0, -_CHEVRON - 2 * _GAP, 0)
        if not rightwards:
            text = self.rect().adjusted(_CHEVRON + 2 * _GAP, 0, -_GAP, 0)
        painter.setFont(self._look.font(Kind.CONTROL_STRONG))
        painter.setPen(self._look.color("accent" if self.underMouse() else "text"))
        shown = painter.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, text.width())
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignTrailing, shown)
        self._look.paint_icon(
            painter, "chevron-down", "text2", QRectF(left, (self.height() - _CHEVRON) / 2, _CHEVRON, _CHEVRON)
        )

    def _restyle(self) -> None:
        self.setFixedHeight(self._look.px(_HEIGHT))
        self.update()

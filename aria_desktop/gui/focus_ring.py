"""The ring around what has the keyboard: drawn only when the keyboard brought the focus there.

A mouse press shows by itself what was meant; a ring around it would be noise.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from aria_desktop.gui.look import Look

_GAP = 2
_WIDTH = 2
_BY_KEYBOARD = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


class FocusRing(QWidget):
    """Belongs to one widget and follows it; outside its edge, over its neighbours, and never in the mouse's way."""

    def __init__(self, look: Look, target: QWidget, radius: float) -> None:
        # Its own target until that has a place: without a parent Python would end it, on whatever thread.
        super().__init__(target)
        self._look = look
        self._target = target
        self._radius = radius
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()
        target.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        match event.type():
            case QEvent.Type.FocusIn if isinstance(event, QFocusEvent):
                if event.reason() in _BY_KEYBOARD:
                    self._follow()
                    self.show()
                elif event.reason() is not Qt.FocusReason.ActiveWindowFocusReason:
                    self.hide()
            case QEvent.Type.FocusOut if isinstance(event, QFocusEvent):
                if event.reason() is not Qt.FocusReason.ActiveWindowFocusReason:
                    self.hide()
            case QEvent.Type.Hide:
                self.hide()
            case QEvent.Type.Move | QEvent.Type.Resize:
                self._follow()
            case _:
                pass
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._look.color("focus"), _WIDTH))
        inset = _WIDTH / 2
        radius = self._radius + _GAP + inset
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), radius, radius)

    def _follow(self) -> None:
        around = _GAP + _WIDTH
        neighbourhood = self._target.parentWidget()
        if neighbourhood is None:
            return
        if self.parentWidget() is not neighbourhood:
            self.setParent(neighbourhood)
        self.setGeometry(self._target.geometry().adjusted(-around, -around, around, around))
        self.raise_()

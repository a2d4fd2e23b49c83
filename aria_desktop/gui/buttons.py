"""Buttons of the window: with words, with an icon, and the switch. All have names for screen readers."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QEnterEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QPushButton

from aria_desktop.gui.focus_ring import FocusRing
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.shown import plain_tip
from aria_desktop.gui.theme import Kind

ButtonLook = Literal["main", "outlined", "plain"]
_HEIGHT = 34


class WordButton(QPushButton):
    """The words are shown as they are: an ampersand in them makes no mnemonic."""

    def __init__(self, look: Look, words: str, button_look: ButtonLook = "outlined", height: int = _HEIGHT) -> None:
        super().__init__()
        self._look = look
        self._kind = Kind.CONTROL_STRONG if button_look in ("main", "plain") else Kind.CONTROL
        self._height = height
        self.setProperty("look", button_look)
        self.setAutoDefault(False)
        self.set_words(words)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._ring = FocusRing(look, self, 8)
        look.changed.connect(self._restyle)
        self._restyle()

    def set_words(self, words: str) -> None:
        self.setText(words.replace("&", "&&"))
        self.setAccessibleName(words)

    def _restyle(self) -> None:
        self.setFont(self._look.font(self._kind))
        self.setFixedHeight(self._look.px(self._height))


class IconButton(QAbstractButton):
    """28 x 28 at least, with a tool tip that is also its name."""

    def __init__(self, look: Look, icon: str, name: str, size: int = 28) -> None:
        super().__init__()
        self._look = look
        self._icon = icon
        self._size = size
        self.set_name(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFixedSize(size, size)
        self._ring = FocusRing(look, self, 6)
        look.changed.connect(self.update)

    def set_icon(self, icon: str, name: str) -> None:
        self._icon = icon
        self.set_name(name)
        self.update()

    def set_name(self, name: str) -> None:
        """The tool tip is told as plain text, whatever the name holds."""
        self.setToolTip(plain_tip(name))
        self.setAccessibleName(name)

    def sizeHint(self) -> QSize:
        return QSize(self._size, self._size)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.isEnabled() and (self.underMouse() or self.isDown()):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._look.color("accent_soft" if self.isDown() else "hover"))
            painter.drawRoundedRect(QRectF(self.rect()), 6, 6)
        if not self._icon:
            return
        inset = (self._size - 18) / 2
        target = QRectF(inset, inset, 18, 18)
        self._look.paint_icon(painter, self._icon, "text2" if self.isEnabled() else "text3", target)


class Switch(QAbstractButton):
    """On: filled, knob right, with a tick. Off: outlined, knob left. Never told by colour alone."""

    def __init__(self, look: Look, name: str) -> None:
        super().__init__()
        self._look = look
        self.setCheckable(True)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFixedSize(38, 22)
        self._ring = FocusRing(look, self, 11)
        look.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        border = self._look.tokens.border
        body = QRectF(self.rect()).adjusted(border / 2, border / 2, -border / 2, -border / 2)
        painter.setPen(QPen(self._look.color("accent" if self.isChecked() else "edge"), border))
        painter.setBrush(self._look.color("accent" if self.isChecked() else "raised"))
        painter.drawRoundedRect(body, body.height() / 2, body.height() / 2)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._look.color("on_accent" if self.isChecked() else "edge"))
        centre = QPointF(self.width() - 11, 11) if self.isChecked() else QPointF(11, 11)
        radius = 7.5 if self.isChecked() else 6
        painter.drawEllipse(centre, radius, radius)
        if self.isChecked():
            self._look.paint_icon(painter, "check", "accent", QRectF(centre.x() - 5.5, centre.y() - 5.5, 11, 11))

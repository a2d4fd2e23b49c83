"""The mark of ARIA: twelve rays around a dot, painted, so it is sharp at every size and in every theme."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from aria_desktop.gui.look import Look
from aria_desktop.gui.theme import LIGHT

_RAYS = 12


class MarkView(QWidget):
    def __init__(self, look: Look, size: int = 22) -> None:
        super().__init__()
        self._look = look
        self.setFixedSize(size, size)
        look.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_mark(painter, QRectF(self.rect()), self._look.color("accent"))


def paint_mark(painter: QPainter, target: QRectF, colour: QColor) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    radius = target.width() / 2
    pen = QPen(colour, radius * 0.15)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    for ray in range(_RAYS):
        angle = 2 * math.pi * ray / _RAYS
        direction = QPointF(math.sin(angle), -math.cos(angle))
        painter.drawLine(target.center() + direction * radius * 0.58, target.center() + direction * radius * 0.9)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawEllipse(target.center(), radius * 0.3, radius * 0.3)


def window_icon() -> QIcon:
    icon = QIcon()
    for size in (16, 24, 32, 48, 64, 128):
        pixmap = QPixmap(size, size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        paint_mark(painter, QRectF(0, 0, size, size), QColor(LIGHT.accent))
        painter.end()
        icon.addPixmap(pixmap)
    return icon

"""A run that is over, folded into dots: what was done, asked and what failed, at a glance."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QLabel

from aria_desktop.gui.look import Look
from aria_desktop.gui.state.run_pace import Dot

_PITCH, _HEIGHT, _MOST = 15, 16, 16


class RunDots(QLabel):
    """A label by role, so that screen readers read it."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._dots: tuple[Dot, ...] = ()
        self.setObjectName("runDots")
        self.setTextFormat(Qt.TextFormat.PlainText)
        look.changed.connect(self.update)

    def show_dots(self, dots: tuple[Dot, ...]) -> None:
        """Of a very long run the last ones."""
        self._dots = dots[-_MOST:]
        self.setFixedSize(self.sizeHint())
        self.setVisible(bool(dots))
        counts = {"steps": len(dots), "asked": dots.count(Dot.ASKED), "failed": dots.count(Dot.FAILED)}
        self.setAccessibleName(", ".join(f"{count} {name}" for name, count in counts.items() if count))
        self.setToolTip(self.accessibleName())
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(max(0, len(self._dots) * _PITCH), _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = _HEIGHT / 2
        painter.setPen(QPen(self._look.color("text3"), 1))
        if len(self._dots) > 1:
            painter.drawLine(QPointF(_PITCH / 2, middle), QPointF((len(self._dots) - 0.5) * _PITCH, middle))
        for place, dot in enumerate(self._dots):
            self._paint(painter, dot, QPointF((place + 0.5) * _PITCH, middle))

    def _paint(self, painter: QPainter, dot: Dot, at: QPointF) -> None:
        if dot is Dot.FAILED:
            painter.fillRect(QRectF(at.x() - 4, at.y() - 4, 8, 8), self._look.color("surface"))
            painter.setPen(QPen(self._look.color("loss"), 2))
            for sign in (-1, 1):
                painter.drawLine(QPointF(at.x() - 3.5, at.y() - 3.5 * sign), QPointF(at.x() + 3.5, at.y() + 3.5 * sign))
            return
        painter.setPen(QPen(self._look.color("doubt_edge" if dot is Dot.ASKED else "text2"), 1.25))
        painter.setBrush(self._look.color({Dot.ASKED: "doubt_edge", Dot.SKIPPED: "surface", Dot.DONE: "text2"}[dot]))
        if dot is Dot.ASKED:
            corners = [QPointF(at.x() + dx, at.y() + dy) for dx, dy in ((0, -5.5), (5.5, 0), (0, 5.5), (-5.5, 0))]
            painter.drawPolygon(QPolygonF(corners))
        else:
            painter.drawEllipse(at, 3, 3)

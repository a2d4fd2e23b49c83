"""The microphone's level while it is open: now, the peak, and where it would be too loud."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QProgressBar

from aria_desktop.gui.look import Look
from aria_desktop.gui.state.levels import TOO_LOUD, Levels
from aria_desktop.gui.state.translation import tr

_SEGMENTS = 44


class LevelMeter(QProgressBar):
    """A progress bar by role, so that screen readers know what it is; its painting is its own."""

    def __init__(self, look: Look, levels: Levels) -> None:
        super().__init__()
        self._look = look
        self._levels = levels
        self.setObjectName("levelMeter")
        self.setAccessibleName(tr("Microphone level"))
        self.setTextVisible(False)
        self.setFixedSize(220, 9)
        self.setRange(0, 100)

    def refresh(self) -> None:
        """Show the newest level."""
        self.setValue(round(self._levels.latest * 100))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(Qt.PenStyle.NoPen)
        pitch = self.width() / _SEGMENTS
        peak = round(self._levels.peak * (_SEGMENTS - 1))
        for segment in range(_SEGMENTS):
            place = segment / _SEGMENTS
            lit = place < self._levels.latest or (segment == peak and self._levels.peak > 0)
            token = "line" if not lit else "loss" if place >= TOO_LOUD else "accent"
            painter.setBrush(self._look.color(token))
            painter.drawRoundedRect(QRectF(segment * pitch, 0, pitch - 1.6, self.height()), 1, 1)

"""The button that allows: outlined, and off until the question has been in front of the user for long enough."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent

from aria_desktop.gui.buttons import WordButton
from aria_desktop.gui.look import Look


class AllowButton(WordButton):
    """A hairline along its foot fills while it is arming."""

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

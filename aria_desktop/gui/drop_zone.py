"""Where sound files go: dropped anywhere on the window, or chosen."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QWidget

from aria_desktop.gui.buttons import WordButton
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import IconView, Words


class DropZone(QWidget):
    choose = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._over = False
        self.setObjectName("dropZone")
        self._button = WordButton(look, tr("choose…"), "plain")
        self._button.setObjectName("chooseButton")
        self._button.setAccessibleName(tr("Choose sound files"))
        self._button.clicked.connect(self.choose)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 5, 10, 5)
        row.setSpacing(6)
        row.addWidget(IconView(look, "audio-lines"))
        row.addWidget(Words(look, Kind.CONTROL, tr("Drop sound here, or"), "quiet"))
        row.addWidget(self._button)
        row.addStretch(1)
        look.changed.connect(self.update)

    def set_over(self, over: bool) -> None:
        """Something that may be dropped is over the window."""
        if over != self._over:
            self._over = over
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(self._look.color("accent" if self._over else "edge"), self._look.tokens.border + self._over)
        if not self._over:
            pen.setDashPattern([4, 3])
            pen.setStyle(Qt.PenStyle.CustomDashLine)
        painter.setPen(pen)
        if self._over:
            painter.setBrush(self._look.color("accent_soft"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 8, 8)

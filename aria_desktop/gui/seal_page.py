"""The page behind the seal: each process of ARIA, whether the kernel keeps it from the network, and its connections."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from aria_desktop.core.seal import SealReport
from aria_desktop.gui.buttons import WordButton
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.seal import Row, reached, rows, summary
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import IconView, Words


class SealPage(QDialog):
    def __init__(self, look: Look, report: SealReport, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.setObjectName("sealPage")
        self.setWindowTitle(tr("What ARIA could connect to"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumSize(560, 320)
        close = WordButton(look, tr("Close"), "main", 38)
        close.setObjectName("closeSealPage")
        close.setDefault(True)
        close.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(28, 24, 28, 20)
        column.setSpacing(12)
        column.addLayout(self._head(report))
        column.addWidget(Words(look, Kind.HELP, reached(report.reach), "quiet", wrap=True))
        column.addWidget(self._list(rows(report)), 1)
        column.addLayout(foot)
        close.setFocus(Qt.FocusReason.TabFocusReason)

    def _head(self, report: SealReport) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(12)
        sealed = report.sealed
        head.addWidget(IconView(self._look, "lock" if sealed else "triangle-alert", "text2" if sealed else "doubt", 22))
        text = Words(self._look, Kind.BODY_STRONG, summary(report), wrap=True)
        text.setObjectName("sealSummary")
        head.addWidget(text, 1)
        return head

    def _list(self, found: tuple[Row, ...]) -> QScrollArea:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for row in found:
            column.addWidget(Words(self._look, Kind.CONTROL_STRONG, row.what, wrap=True))
            column.addWidget(Words(self._look, Kind.CONTROL, row.state, "quiet", wrap=True))
            for connection in row.connections:
                column.addWidget(Words(self._look, Kind.CONTROL, connection, "quiet", wrap=True))
            column.addSpacing(8)
        column.addStretch(1)
        area = QScrollArea()
        area.setAccessibleName(tr("Processes"))
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(inside)
        return area

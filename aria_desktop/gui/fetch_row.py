"""One model in the window of fetch mode: its name, what goes on, a bar, figures, and what went wrong."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from aria_desktop.gui.look import Look
from aria_desktop.gui.state.fetching import FetchRow
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import Hairline, Words


class FetchRowView(QWidget):
    def __init__(self, look: Look, shown: FetchRow) -> None:
        super().__init__()
        self._name = Words(look, Kind.BODY_MEDIUM)
        self._state = Words(look, Kind.CONTROL)
        self._figures = Words(look, Kind.HELP, tone="quiet")
        self._text = Words(look, Kind.HELP, wrap=True)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setRange(0, 1000)
        self._bar.setFixedHeight(6)
        head = QHBoxLayout()
        head.setSpacing(12)
        head.addWidget(self._name, 1)
        head.addWidget(self._state)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 10, 0, 10)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(self._bar)
        column.addWidget(self._figures)
        column.addWidget(self._text)
        column.addWidget(Hairline())
        self.show_row(shown)

    def show_row(self, shown: FetchRow) -> None:
        self._name.setText(shown.name)
        self._bar.setAccessibleName(shown.name)
        self._state.set_tone(shown.tone)
        self._state.setText(shown.state)
        self._figures.setText(shown.figures)
        self._text.set_tone("loss" if shown.tone == "loss" else "")
        self._text.setText(shown.text)
        self._text.setVisible(bool(shown.text))
        self._bar.setValue(shown.per_mille or 0)

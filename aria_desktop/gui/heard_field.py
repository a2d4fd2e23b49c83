"""What was heard, in a field to be corrected, before anything is done about it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from aria_desktop.gui.buttons import WordButton
from aria_desktop.gui.look import Look
from aria_desktop.gui.pages.fields import LineField
from aria_desktop.gui.state.heard import unsure_words
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import Words


class HeardField(QWidget):
    answered = Signal(str)
    """The words as they are to be carried out; empty: none are."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._field = LineField(look, tr("What was heard"))
        self._field.setObjectName("heardField")
        self._field.setMaxLength(2000)
        self._field.returnPressed.connect(self._take)
        self._doubt = Words(look, Kind.HELP, tone="doubt", wrap=True)
        self._do = WordButton(look, tr("Do this"), "main", 34)
        self._do.setObjectName("takeHeard")
        self._do.clicked.connect(self._take)
        self._drop = WordButton(look, tr("Forget it"), height=34)
        self._drop.setObjectName("dropHeard")
        self._drop.clicked.connect(self.drop)
        self._lay_out()

    def offer(self, text: str, unsure: tuple[str, ...], *, take_keyboard: bool) -> None:
        self._field.put(text)
        self._doubt.setText(unsure_words(unsure))
        self._doubt.setVisible(bool(unsure))
        self.show()
        self._field.setCursorPosition(len(text))
        if take_keyboard:
            self._field.setFocus(Qt.FocusReason.OtherFocusReason)

    def drop(self) -> None:
        self.answered.emit("")

    def _take(self) -> None:
        words = self._field.text().strip()
        if words:
            self.answered.emit(words)

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self._field, 1)
        row.addWidget(self._drop)
        row.addWidget(self._do)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(row)
        column.addWidget(self._doubt)

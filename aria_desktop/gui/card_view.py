"""The card of a text that a tool writes: streamed while it is written, then what became of it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from aria_desktop.gui.buttons import IconButton, WordButton
from aria_desktop.gui.code_view import CodeView
from aria_desktop.gui.look import Look
from aria_desktop.gui.state import figures
from aria_desktop.gui.state.turn import Card, CardState
from aria_desktop.gui.state.undo import undo_words
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import Elided, Hairline, IconView, Words

_WRITING_LINES = 10
_FOLDED_LINES = 8
_WORDS = {
    CardState.WRITING: "being written",
    CardState.WAITING: "",
    CardState.SAVED: "",
    CardState.NOT_SAVED: "not saved",
}
_FOOT_ICONS = {
    CardState.WRITING: ("hand", "doubt"),
    CardState.WAITING: ("hand", "doubt"),
    CardState.SAVED: ("shield-check", "text2"),
    CardState.NOT_SAVED: ("ban", "text2"),
}


class CardView(QFrame):
    undo_wanted = Signal(str)
    """Words that ask for the change of this card to be taken back."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._card: Card | None = None
        self._open = False
        self.setObjectName("card")
        self._name = Elided(look, Kind.CONTROL_STRONG)
        self._about = Words(look, Kind.HELP, tone="quiet")
        self._copy = IconButton(look, "copy", "Copy the text")
        self._copy.clicked.connect(self._copy_text)
        self._code = CodeView(look, _WRITING_LINES)
        self._foot_icon = IconView(look, "hand", "doubt", 16)
        self._foot = Words(look, Kind.HELP, tone="quiet")
        self._unfold = WordButton(look, "", "plain", 28)
        self._unfold.clicked.connect(self._toggle)
        self._undo = WordButton(look, "Undo", "plain", 28)
        self._undo.setToolTip("Show what would come back, and ask")
        self._undo.clicked.connect(self._want_undo)
        self._lay_out()

    def show_card(self, card: Card) -> None:
        if card == self._card:
            return
        self._card = card
        writing = card.state is CardState.WRITING
        self._name.set_full(card.name)
        self._code.setAccessibleName(f"Text of {card.name}")
        self._code.show_text(card.text, follow=writing)
        self._about.setText(
            " · ".join(filter(None, (figures.counted(self._code.lines, "line", "lines"), _WORDS[card.state])))
        )
        self._copy.setVisible(not writing)
        self._undo.setVisible(card.state is CardState.SAVED)
        self._undo.setAccessibleName(f"Undo the change of {card.name}")
        self._foot_icon.set_icon(*_FOOT_ICONS[card.state])
        self._foot.setText(card.footer)
        self._fold()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(14, 6, 8, 6)
        head.addStrut(30)
        head.setSpacing(8)
        head.addWidget(IconView(self._look, "file-text"))
        head.addWidget(self._name)
        head.addWidget(self._about)
        head.addStretch(1)
        head.addWidget(self._copy)
        foot = QHBoxLayout()
        foot.setContentsMargins(14, 3, 10, 3)
        foot.addStrut(30)
        foot.setSpacing(7)
        foot.addWidget(self._foot_icon)
        foot.addWidget(self._foot)
        foot.addStretch(1)
        foot.addWidget(self._unfold)
        foot.addWidget(self._undo)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(Hairline())
        column.addWidget(self._code)
        column.addWidget(Hairline())
        column.addLayout(foot)

    def _fold(self) -> None:
        if self._card is None:
            return
        writing = self._card.state is CardState.WRITING
        lines = self._code.lines
        self._code.set_most_lines(_WRITING_LINES if writing else 0 if self._open else _FOLDED_LINES)
        self._unfold.setVisible(not writing and lines > _FOLDED_LINES)
        self._unfold.set_words("Show less" if self._open else f"Show all {lines:,} lines")

    def _toggle(self) -> None:
        self._open = not self._open
        self._fold()

    def _want_undo(self) -> None:
        if self._card is not None:
            self.undo_wanted.emit(undo_words(self._card.name, self._card.call_id))

    def _copy_text(self) -> None:
        if self._card is not None:
            QGuiApplication.clipboard().setText(self._card.text)

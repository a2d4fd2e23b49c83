"""The card of a text that a tool writes: streamed while it is written, then what became of it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from aria_desktop.gui.buttons import IconButton, WordButton
from aria_desktop.gui.code_view import CodeView
from aria_desktop.gui.look import Look
from aria_desktop.gui.state import figures, kept_files
from aria_desktop.gui.state.code_colours import language_of
from aria_desktop.gui.state.translation import grouped, tr
from aria_desktop.gui.state.turn import Card, CardState
from aria_desktop.gui.state.undo import undo_words
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import Elided, Hairline, IconView, Words

_WRITING_LINES = 10
_FOLDED_LINES = 8
_FOOT_ICONS = {
    CardState.WRITING: ("hand", "doubt"),
    CardState.WAITING: ("hand", "doubt"),
    CardState.SAVED: ("shield-check", "text2"),
    CardState.NOT_SAVED: ("ban", "text2"),
}


class CardView(QFrame):
    undo_wanted = Signal(str)
    """Words that ask for the change of this card to be taken back."""
    open_wanted = Signal(str)
    """The name of the file that is to be shown by the system's program for it."""
    folder_wanted = Signal(str)
    """The name of the file whose folder is to be shown."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._card: Card | None = None
        self._open = False
        self.setObjectName("card")
        self._icon = IconView(look, "file-text")
        self._name = Elided(look, Kind.CONTROL_STRONG)
        self._about = Words(look, Kind.HELP, tone="quiet")
        self._show = IconButton(look, "external-link", tr("Open"))
        self._show.clicked.connect(lambda: self.open_wanted.emit(self._name_of_card()))
        self._folder = IconButton(look, "folder-open", tr("Show in folder"))
        self._folder.clicked.connect(lambda: self.folder_wanted.emit(self._name_of_card()))
        self._copy = IconButton(look, "copy", tr("Copy the text"))
        self._copy.clicked.connect(self._copy_text)
        self._undo = IconButton(look, "undo-2", tr("Undo"))
        self._undo.clicked.connect(self._want_undo)
        self._code = CodeView(look, _WRITING_LINES)
        self._foot_icon = IconView(look, "hand", "doubt", 16)
        self._foot = Words(look, Kind.HELP, tone="quiet")
        self._line = Words(look, Kind.HELP, tone="quiet")
        self._unfold = WordButton(look, "", "plain", 28)
        self._unfold.clicked.connect(self._toggle)
        self._lay_out()

    def show_card(self, card: Card) -> None:
        if card == self._card:
            return
        self._card = card
        writing, saved = card.state is CardState.WRITING, card.state is CardState.SAVED
        self._icon.set_icon(kept_files.icon_of(card.name), "text2")
        self._name.set_full(card.name)
        self._code.setAccessibleName(tr("Text of {name}", name=card.name))
        self._code.show_text(card.text, follow=writing, name=card.name)
        self._about.setText(self._about_words(card))
        self._show.set_name(tr("Open {name}", name=card.name))
        self._show.setVisible(saved and kept_files.may_be_opened(card.name))
        self._folder.set_name(tr("Show {name} in its folder", name=card.name))
        self._folder.setVisible(saved)
        self._copy.setVisible(not writing)
        self._undo.set_name(tr("Undo the change of {name}", name=card.name))
        self._undo.setVisible(saved)
        self._foot_icon.set_icon(*_FOOT_ICONS[card.state])
        self._foot.setText(card.footer)
        self._line.setText(tr("line {number}", number=grouped(self._code.lines)))
        self._line.setVisible(writing)
        self._fold()

    def _about_words(self, card: Card) -> str:
        if card.state is CardState.WRITING:
            return tr("being written")
        words = (tr(language_of(card.name)), figures.counted(self._code.lines, "line", "lines"))
        return " · ".join(filter(None, (*words, tr("not saved") if card.state is CardState.NOT_SAVED else "")))

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(14, 6, 8, 6)
        head.addStrut(30)
        head.setSpacing(8)
        head.addWidget(self._icon)
        head.addWidget(self._name)
        head.addWidget(self._about)
        head.addStretch(1)
        for button in (self._show, self._folder, self._copy, self._undo):
            head.addWidget(button)
        foot = QHBoxLayout()
        foot.setContentsMargins(14, 3, 10, 3)
        foot.addStrut(30)
        foot.setSpacing(7)
        foot.addWidget(self._foot_icon)
        foot.addWidget(self._foot)
        foot.addStretch(1)
        foot.addWidget(self._line)
        foot.addWidget(self._unfold)
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
        self._unfold.set_words(
            tr("Show less") if self._open else tr("Show all {count}", count=figures.counted(lines, "line", "lines"))
        )

    def _toggle(self) -> None:
        self._open = not self._open
        self._fold()

    def _name_of_card(self) -> str:
        return self._card.name if self._card is not None else ""

    def _want_undo(self) -> None:
        if self._card is not None:
            self.undo_wanted.emit(undo_words(self._card.name, self._card.call_id))

    def _copy_text(self) -> None:
        if self._card is not None:
            QGuiApplication.clipboard().setText(self._card.text)

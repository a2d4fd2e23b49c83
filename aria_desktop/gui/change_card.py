"""The change of a question as a card: how many lines come and go, the lines themselves, and whether all were shown."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from aria_desktop.gui.change_view import ChangeView
from aria_desktop.gui.look import Look
from aria_desktop.gui.state import figures
from aria_desktop.gui.state.code_colours import colour_lines
from aria_desktop.gui.state.difference import difference
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import Hairline, IconView, Words


class ChangeCard(QFrame):
    def __init__(self, look: Look, title: str, before: str | None, after: str | None, name: str = "") -> None:
        """`name`: of the file, which tells the language of both texts."""
        super().__init__()
        self._look = look
        self._title = title
        self._difference = difference(before, after)
        self.has_change = before is not None or after is not None
        """Whether the question is about a text at all; without one only the foot is there."""
        colours = (colour_lines(before or "", name), colour_lines(after or "", name))
        self.change = ChangeView(look, self._difference, *colours)
        self.change.setObjectName("changeView")
        self.change.setAccessibleName(title)
        self.change.setMinimumHeight(66)
        self.change.setVisible(self.has_change)
        self._seen_icon = IconView(look, "check", "text2", 16)
        self._seen = Words(look, Kind.HELP, tone="quiet")
        if self.has_change:
            self.setObjectName("panel")
        self._lay_out()

    def show_reading(self, read_to_end: bool) -> None:
        """Tell how much was not on the screen yet."""
        self._seen.setText(tr("All shown") if read_to_end else self._rest())
        self._seen.set_tone("quiet" if read_to_end else "doubt")
        self._seen_icon.setVisible(read_to_end)

    def _rest(self) -> str:
        if self.change.end_visible():
            return tr("Scroll to the end")
        return tr("Scroll to the end: {more}", more=figures.counted(self.change.lines_below, "more line", "more lines"))

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        if self.has_change:
            column.addLayout(self._head())
            column.addWidget(Hairline())
            column.addWidget(self.change, 1)
            column.addWidget(Hairline())
        else:
            self.change.setParent(self)
        column.addLayout(self._foot())

    def _head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setContentsMargins(14, 8, 14, 8)
        head.setSpacing(12)
        head.addWidget(Words(self._look, Kind.HELP_STRONG, self._title))
        head.addStretch(1)
        if self._difference.added:
            words = "+" + figures.counted(self._difference.added, "line", "lines")
            head.addWidget(Words(self._look, Kind.HELP_STRONG, words, "gain"))
        if self._difference.removed:
            words = "−" + figures.counted(self._difference.removed, "line", "lines")
            head.addWidget(Words(self._look, Kind.HELP_STRONG, words, "loss"))
        if not self._difference.rows:
            head.addWidget(Words(self._look, Kind.HELP, tr("The file is empty"), "quiet"))
        return head

    def _foot(self) -> QHBoxLayout:
        foot = QHBoxLayout()
        foot.setContentsMargins(14, 7, 14, 7)
        foot.setSpacing(7)
        foot.addWidget(self._seen_icon)
        foot.addWidget(self._seen)
        foot.addStretch(1)
        foot.addWidget(Words(self._look, Kind.HELP, tr("Plain text, hidden characters made visible"), "quiet"))
        return foot

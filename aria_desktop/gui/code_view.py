"""The text of a card: streamed in while it is written, as high as it is long up to a limit."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent, QTextCursor

from aria_desktop.core.visible import visible
from aria_desktop.gui.look import Look
from aria_desktop.gui.numbered_text import NumberedText

_MARGIN = 48
_AROUND = 10
"""px above and below the lines."""


class CodeView(NumberedText):
    def __init__(self, look: Look, most_lines: int) -> None:
        """`most_lines`: rows on the screen at once, more are scrolled; 0 for all of them."""
        super().__init__(look, _MARGIN, 20)
        self._most_lines = most_lines
        self._shown = ""
        self.restyle()

    @property
    def lines(self) -> int:
        return self.document().blockCount()

    def set_most_lines(self, lines: int) -> None:
        self._most_lines = lines
        self._fit()

    def show_text(self, text: str, *, follow: bool) -> None:
        """Of a text that grew only the new end is inserted. `follow`: keep the end in sight."""
        text = visible(text.removesuffix("\n"))
        if text == self._shown:
            return
        cursor = QTextCursor(self.document())
        if self._shown and text.startswith(self._shown):
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(text[len(self._shown) :])
        else:
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.removeSelectedText()
            cursor.setBlockFormat(self.block_format())
            cursor.insertText(text)
        self._shown = text
        self._fit()
        if follow:
            self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def restyle(self) -> None:
        super().restyle()
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(self.block_format())
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def sizeHint(self) -> QSize:
        return QSize(200, self.height())

    def _fit(self) -> None:
        margins = self.viewportMargins()
        if margins.top() != _AROUND:
            self.setViewportMargins(margins.left(), _AROUND, 12, _AROUND)
        height = self.content_height()
        if self._most_lines:
            height = min(height, self._most_lines * self.row_height)
        self.setFixedHeight(max(height, self.row_height) + 2 * _AROUND)

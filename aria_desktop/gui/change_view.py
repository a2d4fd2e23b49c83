"""What would change, line by line: numbers before and after, a sign, a bar and a colour, changed words darker."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QResizeEvent, QTextBlock, QTextCharFormat, QTextCursor

from aria_desktop.gui.look import Look
from aria_desktop.gui.numbered_text import NumberedText
from aria_desktop.gui.state.difference import Difference, Row, RowKind
from aria_desktop.gui.state.shown import spans
from aria_desktop.gui.theme import Kind

_MARGIN = 92
_OLD, _NEW, _SIGN = (4, 34), (36, 66), (68, 90)
"""Left and right end of the columns in the margin, px at 100 %."""
_COLOURS = {
    RowKind.SAME: ("", "", "text3", ""),
    RowKind.ADDED: ("gain_soft", "gain_word", "gain", "+"),
    RowKind.REMOVED: ("loss_soft", "loss_word", "loss", "−"),
    RowKind.GAP: ("hover", "", "text3", ""),
}
"""Background, background of changed words, bar and sign, sign."""


class ChangeView(NumberedText):
    end_seen = Signal()
    """The last line is on the screen."""

    def __init__(self, look: Look, change: Difference) -> None:
        super().__init__(look, _MARGIN, 22)
        self._rows = change.rows
        self.restyle()
        self.verticalScrollBar().valueChanged.connect(self.look_for_end)

    @property
    def lines_below(self) -> int:
        """Lines still under the lower edge, at least one while the end was not reached."""
        rest = self.content_height() - self.verticalScrollBar().value() - self.viewport().height()
        return max(1, -(-rest // self.row_height))

    def look_for_end(self) -> None:
        """Say so if the end is on the screen now."""
        if self.isVisible() and self.last_line_visible():
            self.end_seen.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.look_for_end()

    def restyle(self) -> None:
        super().restyle()
        self.clear()
        cursor = QTextCursor(self.document())
        for place, row in enumerate(self._rows):
            self._insert(cursor, row, first=place == 0)

    def paint_margin(self, painter: QPainter, block: QTextBlock, row: QRectF) -> None:
        if not self._rows:
            return
        line = self._rows[block.blockNumber()]
        background, _, token, sign = _COLOURS[line.kind]
        height = self.document().documentLayout().blockBoundingRect(block).height()
        if background:
            painter.fillRect(QRectF(0, row.top(), row.width(), height), self._look.color(background))
        if sign:
            painter.fillRect(QRectF(0, row.top(), 3, height), self._look.color(token))
        for number, (_, right) in ((line.old, _OLD), (line.new, _NEW)):
            if number is not None:
                self._write(painter, str(number), right, row, "text2")
        self._write(painter, sign, _SIGN[1] - 8, row, token)

    def _write(self, painter: QPainter, text: str, right: int, row: QRectF, token: str) -> None:
        painter.setPen(self._look.color(token))
        place = QRectF(0, row.top(), self._look.px(right), row.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)

    def _insert(self, cursor: QTextCursor, row: Row, *, first: bool) -> None:
        style = self.block_format()
        background, word, _, _ = _COLOURS[row.kind]
        if background:
            style.setBackground(self._look.color(background))
        if first:
            cursor.setBlockFormat(style)
        else:
            cursor.insertBlock(style)
        if row.kind is RowKind.GAP:
            cursor.insertText(row.text, self._format("text2", ""))
            return
        place = 0
        for start, end in (*row.changed, (len(row.text), len(row.text))):
            self._insert_text(cursor, row.text[place:start], "")
            self._insert_text(cursor, row.text[start:end], word)
            place = end
        if row.unfinished:
            cursor.insertText("  no line break at the end", self._format("doubt", ""))

    def _insert_text(self, cursor: QTextCursor, text: str, background: str) -> None:
        for span in spans(text):
            cursor.insertText(span.text, self._format("doubt" if span.spelled else "text", background))

    def _format(self, token: str, background: str) -> QTextCharFormat:
        style = QTextCharFormat()
        style.setFont(self._look.font(Kind.CODE))
        style.setForeground(self._look.color(token))
        if background:
            style.setBackground(self._look.color(background))
        return style

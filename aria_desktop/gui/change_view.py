"""What would change, line by line: numbers before and after, a sign, a bar and a colour, changed words darker."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QTextBlock, QTextCharFormat, QTextCursor

from aria_desktop.gui.look import Look
from aria_desktop.gui.numbered_text import NumberedText
from aria_desktop.gui.state.code_colours import Lines, Stretch, pieces
from aria_desktop.gui.state.difference import Difference, Row, RowKind
from aria_desktop.gui.state.shown import spans
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.theme import Kind

_MARGIN = 92
_OLD, _NEW, _SIGN = 34, 66, 84
"""Right ends of the columns in the margin, px at 100 %."""
_EDGE = 8
"""px; more than the space above the first and below the last line."""
_COLOURS = {
    RowKind.SAME: ("", "", "text3", ""),
    RowKind.ADDED: ("gain_soft", "gain_word", "gain", "+"),
    RowKind.REMOVED: ("loss_soft", "loss_word", "loss", "−"),
    RowKind.GAP: ("bg", "", "text3", ""),
}
"""Background, background of changed words, bar and sign, sign."""


class ChangeView(NumberedText):
    def __init__(self, look: Look, change: Difference, old: Lines = (), new: Lines = ()) -> None:
        """`old` and `new`: the colours of the whole text before and after, line by line."""
        super().__init__(look, _MARGIN, 22)
        self._rows = change.rows
        self._colours = {RowKind.REMOVED: old, RowKind.ADDED: new, RowKind.SAME: new}
        self.restyle()

    @property
    def lines_below(self) -> int:
        """Lines still under the lower edge, at least one while the end was not reached."""
        rest = self.content_height() - self.verticalScrollBar().value() - self.viewport().height()
        return max(1, -(-rest // self.row_height))

    def end_visible(self) -> bool:
        """Whether the last line is within the view; always when there is none."""
        return self.isHidden() or self.last_line_visible()

    def sizeHint(self) -> QSize:
        return QSize(600, len(self._rows) * self.row_height + 6)

    def restyle(self) -> None:
        super().restyle()
        self.clear()
        cursor = QTextCursor(self.document())
        for place, row in enumerate(self._rows):
            self._insert(cursor, row, first=place == 0)
        # The view scrolls to its cursor, which the insertions have pushed to the end.
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        for block, rows in self.visible_lines():
            self._fill(painter, block, rows)
        painter.end()
        super().paintEvent(event)

    def paint_margin(self, painter: QPainter, block: QTextBlock, rows: QRectF) -> None:
        if not self._rows:
            return
        self._fill(painter, block, rows)
        line = self._rows[block.blockNumber()]
        _, _, token, sign = _COLOURS[line.kind]
        if sign:
            painter.fillRect(QRectF(0, rows.top(), 3, rows.height()), self._look.color(token))
        for number, right in ((line.old, _OLD), (line.new, _NEW)):
            if number is not None:
                self._write(painter, str(number), right, rows, "text2")
        self._write(painter, sign, _SIGN, rows, token)

    def _fill(self, painter: QPainter, block: QTextBlock, rows: QRectF) -> None:
        background = _COLOURS[self._rows[block.blockNumber()].kind][0] if self._rows else ""
        if background:
            # The first and the last line reach to the edge.
            above = -_EDGE if block.blockNumber() == 0 else 0
            below = _EDGE if block.blockNumber() == len(self._rows) - 1 else 0
            painter.fillRect(rows.adjusted(0, above, 0, below), self._look.color(background))

    def _write(self, painter: QPainter, text: str, right: int, rows: QRectF, token: str) -> None:
        painter.setPen(self._look.color(token))
        place = QRectF(0, rows.top(), self._look.px(right), self.row_height)
        painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)

    def _insert(self, cursor: QTextCursor, row: Row, *, first: bool) -> None:
        word = _COLOURS[row.kind][1]
        if first:
            cursor.setBlockFormat(self.block_format())
        else:
            cursor.insertBlock(self.block_format())
        if row.kind is RowKind.GAP:
            cursor.insertText(row.text, self._format("text2", ""))
            return
        for piece in pieces(row.text, row.changed, self._stretches(row)):
            self._insert_text(cursor, piece.text, piece.token, word if piece.changed else "")
        if row.unfinished:
            cursor.insertText(f"  {tr('no line break at the end')}", self._format("doubt", ""))

    def _stretches(self, row: Row) -> tuple[Stretch, ...]:
        lines, number = self._colours[row.kind], row.old if row.kind is RowKind.REMOVED else row.new
        return lines[number - 1] if number is not None and number <= len(lines) else ()

    def _insert_text(self, cursor: QTextCursor, text: str, token: str, background: str) -> None:
        for span in spans(text):
            cursor.insertText(span.text, self._format("doubt" if span.spelled else token, background))

    def _format(self, token: str, background: str) -> QTextCharFormat:
        style = QTextCharFormat()
        style.setFont(self._look.font(Kind.CODE))
        style.setForeground(self._look.color(token))
        if background:
            style.setBackground(self._look.color(background))
        return style

"""Text in the code font with a margin for numbers: read-only, plain, selectable, with lines of one height.

A QTextEdit, because only it sets the height of lines; it is never given anything but plain text.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import (
    QPainter,
    QPaintEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

from aria_desktop.gui.look import Look
from aria_desktop.gui.theme import Kind

_TALL = 10_000


class NumberedText(QTextEdit):
    def __init__(self, look: Look, margin: int, line_height: int) -> None:
        """`margin` and `line_height` in px at 100 % font size."""
        super().__init__()
        self._look = look
        self._line_height = line_height
        self._margin = margin
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAcceptRichText(False)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        self._numbers = _Margin(self)
        self.verticalScrollBar().valueChanged.connect(lambda _value: self._numbers.update())
        self.document().documentLayout().update.connect(lambda _rect: self._numbers.update())
        look.changed.connect(self.restyle)

    def paint_margin(self, painter: QPainter, block: QTextBlock, rows: QRectF) -> None:
        """Paint what stands beside a line; `rows` is the part of the margin beside it."""
        painter.setPen(self._look.color("text3"))
        number = QRectF(0, rows.top(), rows.width() - 18, self.row_height)
        painter.drawText(
            number, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(block.blockNumber() + 1)
        )

    def block_format(self) -> QTextBlockFormat:
        """The format that every line starts from."""
        style = QTextBlockFormat()
        style.setLineHeight(self.row_height, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        return style

    @property
    def row_height(self) -> int:
        return self._look.px(self._line_height)

    def content_height(self) -> int:
        """Of all lines, laid out at the current width."""
        return round(self._rows_of(self.document().lastBlock()).bottom())

    def last_line_visible(self) -> bool:
        return (
            self.verticalScrollBar().value() >= self.content_height() - self.viewport().height() - self.row_height // 2
        )

    def restyle(self) -> None:
        """Take over the theme's font and sizes."""
        self.setFont(self._look.font(Kind.CODE))
        self.setTabStopDistance(4 * self.fontMetrics().horizontalAdvance(" "))
        self.setViewportMargins(self._look.px(self._margin), 0, 0, 0)
        # Higher than any screen: what is outside of this widget is cut off, and no resize has to be followed.
        self._numbers.setGeometry(QRect(0, 0, self._look.px(self._margin), _TALL))
        self._numbers.setFont(self.font())

    def visible_lines(self) -> Iterator[tuple[QTextBlock, QRectF]]:
        """Each line on the screen with the rows it fills, in px of the viewport."""
        offset = self.verticalScrollBar().value()
        block = self.cursorForPosition(self.viewport().rect().topLeft()).block()
        while block.isValid():
            rows = self._rows_of(block).translated(0, -offset)
            if rows.top() > self.viewport().height():
                break
            yield block, rows
            block = block.next()

    def paint_all_margins(self, painter: QPainter) -> None:
        for block, rows in self.visible_lines():
            top = rows.top() + self.viewport().y()
            self.paint_margin(painter, block, QRectF(0, top, self._numbers.width(), rows.height()))

    def _rows_of(self, block: QTextBlock) -> QRectF:
        """Qt gives a line of fixed height to its text's height only, and sets the text low in it: the rows are
        moved down to have the text in their middle."""
        place = self.document().documentLayout().blockBoundingRect(block)
        layout = block.layout()
        drop = 0.0
        if layout.lineCount():
            first = layout.lineAt(0)
            drop = first.y() - (self.row_height - first.height()) / 2
        return QRectF(0, place.top() + drop, self.viewport().width(), max(1, layout.lineCount()) * self.row_height)


class _Margin(QWidget):
    def __init__(self, text: NumberedText) -> None:
        super().__init__(text)
        self._text = text

    def paintEvent(self, event: QPaintEvent) -> None:
        self._text.paint_all_margins(QPainter(self))

"""Text in the code font with a margin for numbers: read-only, plain, selectable, with lines of one height.

A QTextEdit, because only it sets the height of lines; it is never given anything but plain text.
"""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import (
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

from aria_desktop.gui.look import Look
from aria_desktop.gui.theme import Kind


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

    def paint_margin(self, painter: QPainter, block: QTextBlock, row: QRectF) -> None:
        """Paint what stands beside a line; `row` is the part of the margin beside its first row on the screen."""
        painter.setPen(self._look.color("text3"))
        number = row.adjusted(0, 0, -18, 0)
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
        last = self.document().lastBlock()
        return round(self.document().documentLayout().blockBoundingRect(last).bottom())

    def last_line_visible(self) -> bool:
        return self.content_height() <= self.verticalScrollBar().value() + self.viewport().height() + 1

    def restyle(self) -> None:
        """Take over the theme's font and sizes."""
        self.setFont(self._look.font(Kind.CODE))
        self.setTabStopDistance(4 * self.fontMetrics().horizontalAdvance(" "))
        self.setViewportMargins(self._look.px(self._margin), 0, 0, 0)
        self._numbers.setFont(self.font())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._numbers.setGeometry(QRect(0, 0, self._look.px(self._margin), self.height()))

    def paint_all_margins(self, painter: QPainter) -> None:
        layout = self.document().documentLayout()
        offset = self.verticalScrollBar().value()
        block = self.cursorForPosition(self.viewport().rect().topLeft()).block()
        while block.isValid():
            place = layout.blockBoundingRect(block)
            top = place.top() - offset + self.viewport().y()
            if top > self.height():
                break
            self.paint_margin(painter, block, QRectF(0, top, self._numbers.width(), self.row_height))
            block = block.next()


class _Margin(QWidget):
    def __init__(self, text: NumberedText) -> None:
        super().__init__(text)
        self._text = text

    def paintEvent(self, event: QPaintEvent) -> None:
        self._text.paint_all_margins(QPainter(self))

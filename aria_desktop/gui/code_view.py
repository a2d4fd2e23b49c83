"""The text of a card: streamed in while it is written, as high as it is long up to a limit."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPaintEvent, QResizeEvent, QTextCursor, QWheelEvent

from aria_desktop.core.visible import visible
from aria_desktop.gui.code_colourer import CodeColourer
from aria_desktop.gui.look import Look
from aria_desktop.gui.numbered_text import NumberedText
from aria_desktop.gui.state.code_colours import colour_lines

_MARGIN = 48
_AROUND = 10
"""px above and below the lines."""


class CodeView(NumberedText):
    def __init__(self, look: Look, most_lines: int) -> None:
        """`most_lines`: rows on the screen at once, more are scrolled; 0 for all of them."""
        super().__init__(look, _MARGIN, 20)
        self._most_lines = most_lines
        self._follow = False
        self._fit_soon = QTimer(self, singleShot=True, interval=0)
        self._fit_soon.timeout.connect(self._fit)
        self._shown = ""
        self._colourer = CodeColourer(look, self.document())
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.restyle()

    @property
    def lines(self) -> int:
        return self.document().blockCount()

    def set_most_lines(self, lines: int) -> None:
        self._most_lines = lines
        self._fit()

    def show_text(self, text: str, *, follow: bool, name: str = "") -> None:
        """Of a text that grew only the new end is inserted. `follow`: show its end, else its start. `name`: of its
        file, which tells the language."""
        text = visible(text.removesuffix("\n"))
        if text != self._shown:
            self._colourer.show_lines(colour_lines(text, name))
            self._put(text)
        self._follow = follow
        self._fit()

    def _put(self, text: str) -> None:
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

    def restyle(self) -> None:
        super().restyle()
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(self.block_format())
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            # Later: a new size given inside of this event would not reach the scroll bars.
            self._fit_soon.start()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel scrolls the conversation, wherever it points."""
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._cut_off and not self._follow and not self._look.tokens.still:
            painter = QPainter(self.viewport())
            area = self.viewport().rect().toRectF()
            area.setTop(area.bottom() - 2 * self.row_height)
            painter.fillRect(area, self._fade(area))

    def sizeHint(self) -> QSize:
        return QSize(200, self.height())

    @property
    def _cut_off(self) -> bool:
        """Whether there is more text than is shown."""
        return 0 < self._most_lines * self.row_height < self.content_height()

    def _fade(self, area: QRectF) -> QLinearGradient:
        end = self._look.color("sunken")
        start = QColor(end)
        start.setAlpha(0)
        fade = QLinearGradient(area.topLeft(), area.bottomLeft())
        fade.setColorAt(0, start)
        fade.setColorAt(1, end)
        return fade

    def _fit(self) -> None:
        margins = self.viewportMargins()
        if margins.top() != _AROUND:
            self.setViewportMargins(margins.left(), _AROUND, 12, _AROUND)
        height = self.content_height()
        if self._most_lines:
            height = min(height, self._most_lines * self.row_height)
        self.setFixedHeight(max(height, self.row_height) + 2 * _AROUND)
        # The view keeps its cursor in sight, so that is what has to be where the eye should be.
        self.moveCursor(QTextCursor.MoveOperation.End if self._follow else QTextCursor.MoveOperation.Start)
        bar = self.verticalScrollBar()
        bar.setValue(bar.maximum() if self._follow else 0)

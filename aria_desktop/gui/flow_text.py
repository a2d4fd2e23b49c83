"""A paragraph that wraps anywhere, can be selected and copied, and marks unsure words.

A QLabel by role, so that screen readers read it; the painting is its own, because QLabel neither breaks a
long path nor sets the line height.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QFont,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy

from aria_desktop.gui.look import Look
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.theme import Kind


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text in one colour."""

    text: str
    token: str
    dotted: bool = False
    strong: bool = False
    marked: bool = False
    """A search has found it."""


class FlowText(QLabel):
    doubted = Signal()
    """A dotted word was pressed."""

    def __init__(self, look: Look, kind: Kind) -> None:
        super().__init__()
        self._look = look
        self._kind = kind
        self._runs: tuple[Run, ...] = ()
        self._content = ""
        self._layout: QTextLayout | None = None
        self._laid_out: tuple[int, str, int] | None = None
        self._height = 0.0
        self._anchor = self._cursor = 0
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setCursor(Qt.CursorShape.IBeamCursor)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        look.changed.connect(self._restyle)

    def show_runs(self, runs: Sequence[Run]) -> None:
        if tuple(runs) == self._runs:
            return
        self._runs = tuple(runs)
        self._content = "".join(run.text for run in runs)
        self._cursor = min(self._cursor, _units(self._content))
        self._anchor = min(self._anchor, _units(self._content))
        self.setText(self._content)
        self._restyle()

    def selected(self) -> str:
        start, end = sorted((self._anchor, self._cursor))
        return self._content.encode("utf-16-le", "surrogatepass")[2 * start : 2 * end].decode("utf-16-le", "replace")

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        self._lay_out(max(1, width))
        return round(self._height)

    def sizeHint(self) -> QSize:
        # One line: layouts ask `heightForWidth` for the rest, and a guess here would become a minimum.
        return QSize(200, round(self._look.line_height(self._kind)))

    def minimumSizeHint(self) -> QSize:
        return QSize(1, round(self._look.line_height(self._kind)))

    def paintEvent(self, event: QPaintEvent) -> None:
        layout = self._lay_out(max(1, self.width()))
        selection = []
        start, end = sorted((self._anchor, self._cursor))
        if end > start:
            chosen = QTextLayout.FormatRange()
            chosen.start, chosen.length = start, end - start
            chosen.format = QTextCharFormat()
            chosen.format.setBackground(self._look.color("accent"))
            chosen.format.setForeground(self._look.color("on_accent"))
            selection = [chosen]
        painter = QPainter(self)
        painter.setPen(self._look.color("text"))
        layout.draw(painter, QPointF(0, 0), selection)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._anchor = self._cursor = self._at(event.position())
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if (
            event.button() is Qt.MouseButton.LeftButton
            and self._anchor == self._cursor
            and self._dotted_at(self._cursor)
        ):
            self.doubted.emit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._cursor = self._at(event.position())
            self.update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        layout = self._lay_out(max(1, self.width()))
        place = self._at(event.position())
        self._anchor = layout.previousCursorPosition(place, QTextLayout.CursorMode.SkipWords) if place else 0
        self._cursor = layout.nextCursorPosition(self._anchor, QTextLayout.CursorMode.SkipWords)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy) and self.selected():
            QGuiApplication.clipboard().setText(self.selected())
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self._anchor, self._cursor = 0, _units(self._content)
            self.update()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self._anchor = self._cursor
            self.update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        text = self.selected() or self._content
        action = menu.addAction(tr("Copy") if self.selected() else tr("Copy all"))
        action.triggered.connect(lambda: QGuiApplication.clipboard().setText(text))
        menu.popup(event.globalPos())

    def _at(self, point: QPointF) -> int:
        layout = self._lay_out(max(1, self.width()))
        for index in range(layout.lineCount()):
            line = layout.lineAt(index)
            if point.y() < line.y() + self._look.line_height(self._kind) or index == layout.lineCount() - 1:
                return int(line.xToCursor(point.x()))
        return 0

    def _dotted_at(self, place: int) -> bool:
        start = 0
        for run in self._runs:
            end = start + _units(run.text)
            if start <= place < end:
                return run.dotted
            start = end
        return False

    def _restyle(self) -> None:
        self._layout = None
        self.setFont(self._look.font(self._kind))
        self.updateGeometry()
        self.update()

    def _lay_out(self, width: int) -> QTextLayout:
        key = (width, self._content, self._look.percent)
        if self._layout is not None and self._laid_out == key:
            return self._layout
        layout = QTextLayout(self._content.replace("\n", "\N{LINE SEPARATOR}"), self._look.font(self._kind))
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.setFormats(self._formats())
        height = self._look.line_height(self._kind)
        layout.beginLayout()
        top = 0.0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(width)
            line.setPosition(QPointF(0, top + (height - line.height()) / 2))
            top += height
        layout.endLayout()
        self._layout, self._laid_out, self._height = layout, key, max(top, height)
        return layout

    def _formats(self) -> list[QTextLayout.FormatRange]:
        found = []
        start = 0
        for run in self._runs:
            piece = QTextLayout.FormatRange()
            piece.start, piece.length = start, _units(run.text)
            style = QTextCharFormat()
            style.setForeground(self._look.color(run.token))
            if run.strong:
                style.setFontWeight(QFont.Weight.DemiBold)
            if run.marked:
                style.setBackground(self._look.color("mark"))
            if run.dotted:
                style.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
                style.setUnderlineColor(self._look.color("doubt_edge"))
            piece.format = style
            found.append(piece)
            start += _units(run.text)
        return found


def _units(text: str) -> int:
    """Qt counts in units of UTF-16: a sign beyond the basic plane is two of them."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2

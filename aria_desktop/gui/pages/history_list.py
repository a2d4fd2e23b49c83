"""The list of conversations or hits: painted, with a heading for each day, walked through by keyboard."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QFont, QPainter, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from aria_desktop.gui.look import Look
from aria_desktop.gui.state.history_page import Entry, Heading, Item
from aria_desktop.gui.state.marked import Marked
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.theme import Kind

Index = QModelIndex | QPersistentModelIndex
_ITEM = Qt.ItemDataRole.UserRole


class HistoryList(QListWidget):
    chosen = Signal(object)
    """An `Entry`."""
    wanted = Signal(object)
    """An `Entry` that is to be opened: Enter or a double click."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setObjectName("historyList")
        self.setAccessibleName(tr("Conversations"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setItemDelegate(_Delegate(look, self))
        self.setMouseTracking(True)
        self.currentItemChanged.connect(self._changed)
        self.itemActivated.connect(lambda item: self._tell(item, self.wanted))
        look.changed.connect(self.scheduleDelayedItemsLayout)

    def show_items(self, items: Sequence[Item]) -> None:
        """The first entry is chosen."""
        blocked = self.blockSignals(True)
        self.clear()
        for item in items:
            entry = QListWidgetItem(item.text if isinstance(item, Heading) else item.spoken)
            entry.setData(_ITEM, item)
            if isinstance(item, Heading):
                entry.setFlags(Qt.ItemFlag.ItemIsEnabled)
            self.addItem(entry)
        self.blockSignals(blocked)
        first = next((row for row, item in enumerate(items) if isinstance(item, Entry)), -1)
        self.setCurrentRow(first)

    def entry(self) -> Entry | None:
        item = self.currentItem()
        found = item.data(_ITEM) if item is not None else None
        return found if isinstance(found, Entry) else None

    def _changed(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self._tell(item, self.chosen)

    def _tell(self, item: QListWidgetItem, signal: SignalInstance) -> None:
        if isinstance(entry := item.data(_ITEM), Entry):
            signal.emit(entry)


class _Delegate(QStyledItemDelegate):
    def __init__(self, look: Look, parent: HistoryList) -> None:
        super().__init__(parent)
        self._look = look

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        item = index.data(_ITEM)
        if isinstance(item, Heading):
            return QSize(100, self._look.px(44))
        return QSize(100, self._look.px(94 if item.badges else 66))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        item = index.data(_ITEM)
        if isinstance(item, Heading):
            self._paint_heading(painter, QRectF(option.rect), item)
        else:
            self._paint_ground(painter, option)
            chosen = bool(option.state & QStyle.StateFlag.State_Selected)
            self._paint_entry(painter, QRectF(option.rect).adjusted(18, 0, -18, 0), item, chosen)
        painter.restore()

    def _paint_heading(self, painter: QPainter, place: QRectF, item: Heading) -> None:
        painter.setFont(self._look.font(Kind.CONTROL_STRONG))
        painter.setPen(self._look.color("text"))
        align = Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeading
        painter.drawText(place.adjusted(0, 0, 0, -8), align, item.text)

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        focus = bool(option.state & QStyle.StateFlag.State_HasFocus)
        if chosen or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._look.color("accent_soft" if chosen and focus else "hover"))
            painter.drawRoundedRect(QRectF(option.rect).adjusted(0, 1, 0, -1), 8, 8)

    def _paint_entry(self, painter: QPainter, place: QRectF, item: Entry, chosen: bool) -> None:
        look, row = self._look, self._look.px(24)
        top = QRectF(place.left(), place.top() + look.px(8), place.width(), row)
        centre = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(look.font(Kind.TIME))
        painter.setPen(look.color("text3"))
        painter.drawText(top, centre | Qt.AlignmentFlag.AlignTrailing, item.clock)
        clock = painter.fontMetrics().horizontalAdvance(item.clock) + 12
        painter.setFont(look.font(Kind.BODY_STRONG))
        painter.setPen(look.color("text"))
        title = painter.fontMetrics().elidedText(item.title, Qt.TextElideMode.ElideRight, int(top.width() - clock))
        painter.drawText(top, centre | Qt.AlignmentFlag.AlignLeading, title)
        line = QRectF(place.left(), top.bottom() + look.px(2), place.width(), row)
        look.paint_icon(painter, item.icon, "text2", QRectF(line.left(), line.center().y() - 8, 16, 16))
        self._paint_marked(painter, line.adjusted(24, 0, 0, 0), item.line)
        ground = "surface" if chosen else "hover"
        self._paint_badges(painter, line.left(), line.bottom() + look.px(4), place.right(), item, ground)

    def _paint_marked(self, painter: QPainter, place: QRectF, text: Marked) -> None:
        layout = QTextLayout(text.text, self._look.font(Kind.ROW))
        formats = []
        at = 0
        for piece, hit in text.pieces():
            units = len(piece.encode("utf-16-le", "surrogatepass")) // 2
            if hit:
                marked = QTextLayout.FormatRange()
                marked.start, marked.length = at, units
                marked.format = QTextCharFormat()
                marked.format.setBackground(self._look.color("mark"))
                marked.format.setForeground(self._look.color("text"))
                marked.format.setFontWeight(QFont.Weight.Bold)
                formats.append(marked)
            at += units
        layout.setFormats(formats)
        layout.beginLayout()
        line = layout.createLine()
        if line.isValid():
            line.setLineWidth(place.width())
        layout.endLayout()
        painter.setPen(self._look.color("text2"))
        layout.draw(painter, QPointF(place.left(), place.top() + (place.height() - line.height()) / 2))

    def _paint_badges(self, painter: QPainter, left: float, top: float, end: float, item: Entry, ground: str) -> None:
        look = self._look
        painter.setFont(look.font(Kind.HELP))
        for icon, word in item.badges:
            room = end - left - 38
            if room < 40:
                return
            shown = painter.fontMetrics().elidedText(word, Qt.TextElideMode.ElideMiddle, int(min(room, look.px(180))))
            width = painter.fontMetrics().horizontalAdvance(shown) + 36
            place = QRectF(left, top, width, look.px(23))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.color(ground))
            painter.drawRoundedRect(place, 6, 6)
            look.paint_icon(painter, icon, "text2", QRectF(place.left() + 8, place.center().y() - 7, 14, 14))
            painter.setPen(look.color("text"))
            painter.drawText(place.adjusted(28, 0, -8, 0), Qt.AlignmentFlag.AlignVCenter, shown)
            left += width + 8

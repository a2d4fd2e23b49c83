"""The list at the left of a page: an icon and a word each. Petrol marks the chosen one while the list has the focus."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from aria_desktop.gui.look import Look
from aria_desktop.gui.theme import Kind

Index = QModelIndex | QPersistentModelIndex
_ICON = Qt.ItemDataRole.UserRole


class SideList(QListWidget):
    chosen = Signal(int)

    def __init__(self, look: Look, name: str, entries: tuple[tuple[str, str], ...]) -> None:
        """`entries`: icon and words."""
        super().__init__()
        self.setObjectName("sideList")
        self.setAccessibleName(name)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setItemDelegate(_Delegate(look, self))
        self.setMouseTracking(True)
        for icon, words in entries:
            item = QListWidgetItem(words)
            item.setData(_ICON, icon)
            self.addItem(item)
        self.currentRowChanged.connect(self.chosen)
        look.changed.connect(self.scheduleDelayedItemsLayout)

    def show_chosen(self, row: int) -> None:
        """-1: none."""
        blocked = self.blockSignals(True)
        self.setCurrentRow(row)
        self.blockSignals(blocked)


class _Delegate(QStyledItemDelegate):
    def __init__(self, look: Look, parent: SideList) -> None:
        super().__init__(parent)
        self._look = look

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(100, self._look.px(40))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        look, state = self._look, option.state
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        focus = bool(state & QStyle.StateFlag.State_HasFocus)
        place = QRectF(option.rect).adjusted(0, 1, 0, -1)
        right = option.direction is Qt.LayoutDirection.RightToLeft
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        if chosen or state & QStyle.StateFlag.State_MouseOver:
            painter.setBrush(look.color("accent_soft" if chosen and focus else "hover"))
            painter.drawRoundedRect(place, 6, 6)
        if chosen:
            painter.setBrush(look.color("accent" if focus else "edge"))
            edge = place.right() - 3 if right else place.left()
            painter.drawRoundedRect(QRectF(edge, place.top() + 8, 3, place.height() - 16), 1.5, 1.5)
        top = place.center().y() - 9
        left = place.right() - 32 if right else place.left() + 14
        look.paint_icon(painter, index.data(_ICON), "accent" if chosen else "text2", QRectF(left, top, 18, 18))
        painter.setFont(look.font(Kind.CONTROL_STRONG if chosen else Kind.CONTROL))
        painter.setPen(look.color("text"))
        words = place.adjusted(10, 0, -44, 0) if right else place.adjusted(44, 0, -10, 0)
        shown = painter.fontMetrics().elidedText(index.data(), Qt.TextElideMode.ElideRight, int(words.width()))
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading, shown)
        painter.restore()

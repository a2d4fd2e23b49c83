"""A list of the right panel: rows of 50 px with an icon, a name and what is known of it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from aria_desktop.gui.look import Look
from aria_desktop.gui.state.shown import plain_tip
from aria_desktop.gui.state.side_lists import SideRow
from aria_desktop.gui.theme import Kind

_ROW = 50
_Index = QModelIndex | QPersistentModelIndex


class SideList(QListView):
    selected = Signal(str)
    """The key of a row that was gone to."""
    opened = Signal(str)
    """The key of a row on which Enter was pressed, or that was clicked twice."""

    def __init__(self, look: Look, name: str) -> None:
        super().__init__()
        self._look = look
        self._rows = _Rows()
        self.setModel(self._rows)
        self.setItemDelegate(_Delegate(look, self))
        self.setUniformItemSizes(True)
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setObjectName("sideList")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.selectionModel().currentChanged.connect(lambda index, _before: self._tell(self.selected, index))
        self.doubleClicked.connect(lambda index: self._tell(self.opened, index))
        look.changed.connect(self.reset)

    def show_rows(self, rows: Sequence[SideRow]) -> None:
        """Where the same row is there again it stays the selected one."""
        if tuple(rows) == self._rows.rows:
            return
        key = self.key
        self._rows.replace(tuple(rows))
        self.updateGeometry()
        place = next((at for at, row in enumerate(rows) if row.key == key), None)
        if place is not None:
            self.selectionModel().blockSignals(True)
            self.setCurrentIndex(self._rows.index(place))
            self.selectionModel().blockSignals(False)

    @property
    def key(self) -> str:
        """Of the selected row; empty when none is."""
        row = self.currentIndex().row()
        return self._rows.rows[row].key if 0 <= row < len(self._rows.rows) else ""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.key:
            self.opened.emit(self.key)
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(200, len(self._rows.rows) * self._look.px(_ROW) + 2)

    def _tell(self, signal: object, index: _Index) -> None:
        if index.isValid():
            signal.emit(self._rows.rows[index.row()].key)  # type: ignore[attr-defined]


class _Rows(QAbstractListModel):
    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[SideRow, ...] = ()

    def replace(self, rows: tuple[SideRow, ...]) -> None:
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.title
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(row.title)
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{row.title}, {row.about}"
            case Qt.ItemDataRole.UserRole:
                return row
            case _:
                return None


class _Delegate(QStyledItemDelegate):
    def __init__(self, look: Look, parent: SideList) -> None:
        super().__init__(parent)
        self._look = look
        self._list = parent

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(100, self._look.px(_ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        row: SideRow = index.data(Qt.ItemDataRole.UserRole)
        place = QRectF(option.rect)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        over = bool(option.state & QStyle.StateFlag.State_MouseOver)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen or over:
            painter.setPen(Qt.PenStyle.NoPen)
            alive = chosen and self._list.hasFocus()
            painter.setBrush(self._look.color("accent_soft" if alive else "hover"))
            painter.drawRoundedRect(place.adjusted(0, 1, 0, -1), 8, 8)
        right_to_left = option.direction is Qt.LayoutDirection.RightToLeft
        inset = 42 if row.icon else 14
        text = place.adjusted(12, 0, -inset, 0) if right_to_left else place.adjusted(inset, 0, -12, 0)
        if row.icon:
            left = place.right() - 30 if right_to_left else place.left() + 12
            self._look.paint_icon(painter, row.icon, "text2", QRectF(left, place.center().y() - 9, 18, 18))
        self._line(painter, text, -0.95, row.title, Kind.ROW, "text")
        self._line(painter, text, 0.05, row.about, Kind.TIME, "text2")
        painter.restore()

    def _line(self, painter: QPainter, place: QRectF, lines: float, words: str, kind: Kind, token: str) -> None:
        """`lines`: how far below the middle of the row its top is."""
        height = self._look.line_height(Kind.ROW)
        painter.setFont(self._look.font(kind))
        painter.setPen(self._look.color(token))
        shown = QFontMetrics(painter.font()).elidedText(words, Qt.TextElideMode.ElideMiddle, int(place.width()))
        box = QRectF(place.left(), place.center().y() + lines * height, place.width(), height)
        painter.drawText(box, Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter, shown)

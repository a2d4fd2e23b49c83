"""One model on the Models page: what it is, what it needs, how fast it is here, and what can be done with it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QMenu, QStackedLayout, QVBoxLayout, QWidget

from aria_desktop.core.models import ModelWork
from aria_desktop.gui.buttons import IconButton, WordButton
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.models_page import Action, MemoryCell, ModelRow, Moving
from aria_desktop.gui.state.translation import mark, tr
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import Elided, IconView, Words

LICENCE, SIZE, MEMORY, MEASURED, ACTION = 128, 78, 178, 150, 196
"""Widths of the columns in px at 100 % font size; the first one takes the rest."""
NARROW = 980
"""Below it, in px at 100 % font size, the columns go below the name, and licence and size beside the languages."""
WORK_WORDS = {
    ModelWork.MEASURE: mark("Measure its speed"),
    ModelWork.VERIFY: mark("Check its files"),
    ModelWork.REMOVE: mark("Remove…"),
}


class ShareBar(QWidget):
    """How much of the room a model takes. Its words are beside it."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._cell: MemoryCell | None = None
        self.setFixedHeight(5)
        look.changed.connect(self.update)

    def show_cell(self, cell: MemoryCell) -> None:
        self._cell = cell
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._look.color("hover"))
        whole = QRectF(self.rect())
        painter.drawRoundedRect(whole, 2.5, 2.5)
        if self._cell is not None and self._cell.per_mille:
            width = max(5.0, whole.width() * self._cell.per_mille / 1000)
            left = whole.right() - width if self.layoutDirection() is Qt.LayoutDirection.RightToLeft else 0.0
            painter.setBrush(self._look.color(self._cell.token))
            painter.drawRoundedRect(QRectF(left, 0, width, whole.height()), 2.5, 2.5)


class ModelRowView(QWidget):
    acted = Signal(str)
    """The model's id, when its main button was pressed."""
    work_wanted = Signal(str, object)
    """The model's id and a `ModelWork`."""
    stop_wanted = Signal(str)

    def __init__(self, look: Look, row: ModelRow) -> None:
        super().__init__()
        self._look = look
        self._row = row
        self.setObjectName(f"model-{row.model_id}")
        self._title = Elided(look, Kind.BODY_MEDIUM, middle=False)
        self._languages = Elided(look, Kind.HELP, tone="quiet", middle=False)
        self._note = Words(look, Kind.HELP, tone="faint", wrap=True)
        self._remark = Words(look, Kind.HELP, tone="doubt", wrap=True)
        self._licence = Elided(look, Kind.CONTROL, tone="quiet", middle=False)
        self._size = Words(look, Kind.CONTROL, tone="quiet")
        self._fit_icon = IconView(look, "check", "accent", 16)
        self._fit = Elided(look, Kind.CONTROL, middle=False)
        self._share = ShareBar(look)
        self._speed = Words(look, Kind.CONTROL)
        self._tools = Words(look, Kind.HELP, tone="quiet")
        self._main = WordButton(look, "")
        self._main.setObjectName(f"act-{row.model_id}")
        self._main.clicked.connect(lambda: self.acted.emit(self._row.model_id))
        self._in_use = Words(look, Kind.CONTROL_STRONG, tr(Action.IN_USE.value), "alive")
        self._used_icon = IconView(look, "check", "accent", 16)
        self._more = IconButton(look, "ellipsis", "")
        self._more.setObjectName(f"more-{row.model_id}")
        self._more.clicked.connect(self._show_menu)
        self._moving = Words(look, Kind.HELP, tone="quiet")
        self._stop = IconButton(look, "x", "")
        self._stop.setObjectName(f"stop-{row.model_id}")
        self._stop.clicked.connect(lambda: self.stop_wanted.emit(self._row.model_id))
        self._lay_out()
        look.changed.connect(self.fit_columns)
        self.show_row(row)
        self.show_moving(None)
        self.fit_columns()

    def show_row(self, row: ModelRow) -> None:
        self._row = row
        self.setAccessibleName(row.spoken)
        self._title.set_full(row.title)
        self._show_languages()
        for words, text in ((self._note, row.note), (self._remark, row.remark)):
            words.setText(text)
            words.setVisible(bool(text))
        self._licence.set_full(row.licence)
        self._size.setText(row.size)
        self._fit.set_full(row.memory.words)
        self._fit_icon.set_icon(row.memory.icon, row.memory.token)
        self._share.show_cell(row.memory)
        self._speed.setText(row.speed)
        self._tools.setText(row.tools)
        self._tools.setVisible(bool(row.tools))
        used, has_button = row.action is Action.IN_USE, row.action not in (Action.IN_USE, Action.NONE)
        self._in_use.setVisible(used)
        self._used_icon.setVisible(used)
        self._main.setVisible(has_button)
        if has_button:
            self._main.set_words(tr(row.action.value))
            self._main.setAccessibleName(f"{tr(row.action.value)}: {row.title}")
        # It keeps its place, so that the columns stay in line.
        self._more.setEnabled(bool(row.works))
        self._more.set_icon("ellipsis" if row.works else "", tr("More: {name}", name=row.title))
        self._stop.set_name(tr("Stop: {name}", name=row.title))

    def show_moving(self, moving: Moving | None) -> None:
        """What goes on with it now; None: nothing."""
        if moving is not None:
            self._moving.setText(moving.words)
        self._stack.setCurrentIndex(0 if moving is None else 1)

    def fit_columns(self) -> None:
        px = self._look.px
        for widget, width in ((self._licence, LICENCE), (self._size, SIZE), (self._memory, MEMORY)):
            widget.setFixedWidth(px(width))
        self._measured.setFixedWidth(px(MEASURED))
        self._actions.setFixedWidth(px(ACTION))

    def set_narrow(self, narrow: bool) -> None:
        directions = QBoxLayout.Direction
        self._whole.setDirection(directions.TopToBottom if narrow else directions.LeftToRight)
        for widget in (self._licence, self._size):
            widget.setVisible(not narrow)
        self._show_languages()

    def _show_languages(self) -> None:
        row, narrow = self._row, self._whole.direction() is QBoxLayout.Direction.TopToBottom
        self._languages.set_full(" · ".join((row.languages, row.licence, row.size)) if narrow else row.languages)

    def _show_menu(self) -> None:
        menu = QMenu(self)
        menu.setObjectName("modelMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for work in self._row.works:
            action = menu.addAction(tr(WORK_WORDS[work]).replace("&", "&&"))
            action.triggered.connect(partial(self.work_wanted.emit, self._row.model_id, work))
        menu.popup(self._more.mapToGlobal(QPoint(0, self._more.height())))

    def _lay_out(self) -> None:
        self._memory = _column(_beside(self._fit_icon, self._fit), self._share)
        self._measured = _column(self._speed, self._tools)
        self._actions = QWidget()
        self._stack = QStackedLayout(self._actions)
        self._stack.addWidget(_beside(None, self._used_icon, self._in_use, self._main, self._more))
        self._stack.addWidget(_beside(None, self._moving, self._stop))
        cells = QHBoxLayout()
        cells.setSpacing(12)
        for widget in (self._licence, self._size, self._memory, self._measured):
            cells.addWidget(widget)
        cells.addStretch(1)
        cells.addWidget(self._actions)
        self._whole = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._whole.setContentsMargins(14, 8, 0, 8)
        self._whole.setSpacing(12)
        self._whole.addWidget(_column(self._title, self._languages, self._note, self._remark), 1)
        self._whole.addLayout(cells)
        self.setMinimumHeight(58)


def _column(*widgets: QWidget) -> QWidget:
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(3)
    column.addStretch(1)
    for widget in widgets:
        column.addWidget(widget)
    column.addStretch(1)
    return holder


def _beside(*widgets: QWidget | None) -> QWidget:
    """In a row; None is the space that is left."""
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(8)
    for widget in widgets:
        if widget is None:
            row.addStretch(1)
        else:
            row.addWidget(widget, 1 if isinstance(widget, Elided) else 0)
    return holder

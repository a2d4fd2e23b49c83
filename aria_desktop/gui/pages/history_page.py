"""The History page: where to look, what is there, and one conversation in full. It shows what it is given."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from aria_desktop.core.history import EVERYWHERE, Place, SearchResult
from aria_desktop.gui.buttons import Switch
from aria_desktop.gui.look import Look
from aria_desktop.gui.pages.fields import ChoiceField, SearchField
from aria_desktop.gui.pages.history_list import HistoryList
from aria_desktop.gui.pages.history_preview import HistoryPreview
from aria_desktop.gui.state.history_page import PLACE_WORDS, Item, Since, place_count
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import Line, Words

SIDE, PREVIEW = 248, 400
"""Widths in px at 100 % font size."""
_TYPED_MS = 120
"""So long after the last key a search is made."""


class HistoryPage(QWidget):
    search_wanted = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.setObjectName("page")
        self.search = SearchField(look, tr("Search in all conversations"))
        self.search.setObjectName("searchHistory")
        self.list = HistoryList(look)
        self.preview = HistoryPreview(look)
        self._said = Words(look, Kind.HELP, tone="quiet", wrap=True)
        self._said.setObjectName("searchSaid")
        self._places = {place: Switch(look, tr(PLACE_WORDS[place])) for place in EVERYWHERE}
        self._counts = {place: Words(look, Kind.HELP, tone="quiet") for place in EVERYWHERE}
        self._since = ChoiceField(look, tr("When"), tuple(tr(since.value) for since in Since), 0)
        self._order = ChoiceField(look, tr("Order"), (tr("Newest first"), tr("Best match first")), 0)
        self._wait = QTimer(self, singleShot=True, interval=_TYPED_MS)
        self._wait.timeout.connect(self.search_wanted)
        self.search.textChanged.connect(lambda _: self._wait.start())
        for switch in self._places.values():
            switch.setChecked(True)
            switch.toggled.connect(lambda _: self._wait.start())
        for choice in (self._since, self._order):
            choice.chosen.connect(lambda _: self._wait.start())
        self._lay_out()
        look.changed.connect(self._fit)

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(place for place, switch in self._places.items() if switch.isChecked())

    @property
    def since(self) -> Since:
        return list(Since)[self._since.currentIndex()]

    @property
    def newest_first(self) -> bool:
        return self._order.currentIndex() == 0

    def show_items(self, items: Sequence[Item], said: str, result: SearchResult | None) -> None:
        self.say(said)
        for place, count in self._counts.items():
            count.setText(place_count(result, place))
        self.list.show_items(items)
        if self.list.entry() is None:
            self.preview.show_preview(None)

    def say(self, text: str) -> None:
        self._said.setText(text)
        self._said.setVisible(bool(text))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """The preview gives way first, then the filters."""
        width = self.width()
        self.preview.setFixedWidth(min(self._look.px(PREVIEW), max(240, round(width * 0.36))))
        self._side.setFixedWidth(min(self._look.px(SIDE), max(180, round(width * 0.24))))
        self._side.setVisible(width >= self._look.px(860))
        self._second.setVisible(width >= self._look.px(860))

    def _filters(self) -> QWidget:
        side = QWidget()
        side.setObjectName("pageSide")
        side.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(side)
        column.setContentsMargins(16, 18, 16, 18)
        column.setSpacing(10)
        column.addWidget(Words(self._look, Kind.HELP, tr("Look in"), "quiet"))
        for place, switch in self._places.items():
            switch.setObjectName(f"place-{place}")
            row = QHBoxLayout()
            row.addWidget(switch)
            row.addWidget(Words(self._look, Kind.CONTROL, tr(PLACE_WORDS[place])), 1)
            row.addWidget(self._counts[place])
            column.addLayout(row)
        column.addSpacing(12)
        for name, choice in ((tr("When"), self._since), (tr("Order"), self._order)):
            column.addWidget(Words(self._look, Kind.HELP, name, "quiet"))
            column.addWidget(choice)
        column.addStretch(1)
        return side

    def _lay_out(self) -> None:
        self._side = self._filters()
        middle = QWidget()
        middle.setObjectName("pageColumn")
        column = QVBoxLayout(middle)
        column.setContentsMargins(28, 22, 28, 12)
        column.setSpacing(8)
        column.addWidget(self.search)
        column.addWidget(self._said)
        column.addWidget(self.list, 1)
        self._second = Line()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._side)
        row.addWidget(self._second)
        row.addWidget(middle, 1)
        row.addWidget(Line())
        row.addWidget(self.preview)

"""The Settings page: search and categories at the left, the rows of one category, or of a search, at the right."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from aria_desktop.gui.look import Look
from aria_desktop.gui.options import WindowOptions
from aria_desktop.gui.pages import settings_panels as panels
from aria_desktop.gui.pages.fields import SearchField
from aria_desktop.gui.pages.setting_row import SettingRowView
from aria_desktop.gui.pages.side_list import SideList
from aria_desktop.gui.state.settings_page import ICONS, Category, SettingRow, categories_with, rows
from aria_desktop.gui.state.shown import one_line
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import Hairline, Line, Words, clear
from aria_desktop.storage.declarations import Settings

SIDE, COLUMN = 248, 720
"""Widths in px at 100 % font size."""


class SettingsPage(QWidget):
    wanted = Signal(str, object)
    """A setting's name and the value that it is to have."""
    guide_wanted = Signal()

    def __init__(self, look: Look, options: WindowOptions, settings: Settings) -> None:
        super().__init__()
        self._look = look
        self._options = options
        self._settings = settings
        self._category = Category.HEARING
        self._views: dict[str, SettingRowView] = {}
        self.setObjectName("page")
        self.search = SearchField(look, tr("Search settings"))
        self.search.setObjectName("searchSettings")
        self.search.textChanged.connect(lambda _: self._show())
        self.list = SideList(look, tr("Categories"), tuple((ICONS[each], tr(each.value)) for each in Category))
        self.list.chosen.connect(self._choose)
        self._column = QVBoxLayout()
        self._lay_out()
        self.open_category(Category.HEARING)
        look.changed.connect(self._fit)
        self._fit()

    def open_category(self, category: Category) -> None:
        self.search.clear()
        self._category = category
        self.list.show_chosen(list(Category).index(category))
        self._show()

    def show_settings(self, settings: Settings) -> None:
        self._settings = settings
        for row in rows(settings):
            if row.name in self._views:
                self._views[row.name].show_row(row)

    def complain(self, name: str, text: str) -> None:
        """A value of this setting was refused."""
        if name in self._views:
            self._views[name].complain(text)

    def _choose(self, index: int) -> None:
        if index >= 0:
            self.open_category(list(Category)[index])

    def _show(self) -> None:
        clear(self._column)
        self._views.clear()
        query = self.search.text()
        self.list.show_chosen(-1 if query.strip() else list(Category).index(self._category))
        if query.strip():
            self._show_found(query)
        else:
            self._show_category()
        self._column.addStretch(1)
        self._area.verticalScrollBar().setValue(0)

    def _show_category(self) -> None:
        title = Words(self._look, Kind.PAGE, tr(self._category.value), wrap=True)
        title.setObjectName("categoryTitle")
        self._column.addWidget(title)
        self._add_panel(self._category)
        for row in rows(self._settings):
            if row.category is self._category:
                self._add(row)

    def _show_found(self, query: str) -> None:
        found = rows(self._settings, query)
        named = categories_with(query)
        if not found and not named:
            nothing = tr("No setting found for {query}.", query=f"'{one_line(query.strip())}'")
            self._column.addWidget(Words(self._look, Kind.BODY, nothing, "quiet", wrap=True))
        for category in Category:
            inside = [row for row in found if row.category is category]
            if inside or category in named:
                self._column.addSpacing(20 if self._column.count() else 0)
                self._column.addWidget(Words(self._look, Kind.SECTION, tr(category.value)))
            if category in named:
                self._add_panel(category)
            for row in inside:
                self._add(row)

    def _add(self, row: SettingRow) -> None:
        view = SettingRowView(self._look, row)
        view.wanted.connect(self.wanted)
        self._views[row.name] = view
        self._column.addWidget(view)
        self._column.addWidget(Hairline())

    def _add_panel(self, category: Category) -> None:
        look, options, desk = self._look, self._options, self._options.desk
        assert desk is not None
        match category:
            case Category.KEYS:
                self._column.addWidget(panels.KeysPanel(look))
            case Category.PERMISSIONS:
                self._column.addWidget(panels.LeavePanel(look, desk))
            case Category.LEAVE:
                self._column.addWidget(panels.SealPanel(look, options.look_at_seal))
            case Category.KEEPING:
                self._column.addWidget(panels.KeepingPanel(look))
            case Category.WORKSPACE:
                self._column.addWidget(panels.WorkspacePanel(look, options.workspace, desk.data_folder))
            case Category.TROUBLE:
                trouble = panels.TroublePanel(look, desk)
                trouble.guide_wanted.connect(self.guide_wanted)
                self._column.addWidget(trouble)
            case _:
                pass

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self._side.setFixedWidth(min(self._look.px(SIDE), max(200, round(self.width() * 0.34))))
        self._inside.setMaximumWidth(self._look.px(COLUMN))

    def _lay_out(self) -> None:
        self._side = QWidget()
        self._side.setObjectName("pageSide")
        self._side.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        side = QVBoxLayout(self._side)
        side.setContentsMargins(16, 18, 16, 18)
        side.setSpacing(12)
        side.addWidget(self.search)
        side.addWidget(self.list, 1)
        side.addWidget(Words(self._look, Kind.HELP, tr("Changes apply at once."), "quiet", wrap=True))
        self._inside = QWidget()
        self._inside.setObjectName("pageColumn")
        self._inside.setLayout(self._column)
        self._column.setContentsMargins(28, 30, 28, 40)
        self._column.setSpacing(0)
        middle = QWidget()
        middle.setObjectName("pageColumn")
        centred = QHBoxLayout(middle)
        centred.setContentsMargins(0, 0, 0, 0)
        centred.addStretch(1)
        centred.addWidget(self._inside, 1000)
        centred.addStretch(1)
        self._area = QScrollArea()
        self._area.setObjectName("pageBody")
        self._area.setAccessibleName(tr("Settings"))
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setWidget(middle)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._side)
        row.addWidget(Line())
        row.addWidget(self._area, 1)

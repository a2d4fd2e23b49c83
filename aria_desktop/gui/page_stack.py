"""The pages, one at a time. A page is made when it is first opened, so that the window opens with Talk alone."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from aria_desktop.gui.state.pages import Page

MakePage = Callable[[], QWidget]


class PageStack(QStackedWidget):
    opened = Signal(object)
    """The `Page` that is shown now."""
    offered = Signal(object)
    """A `Page` that can be opened from now on."""

    def __init__(self, talk: QWidget) -> None:
        super().__init__()
        self.setObjectName("pages")
        self._made: dict[Page, QWidget] = {Page.TALK: talk}
        self._makers: dict[Page, MakePage] = {}
        self._current = Page.TALK
        self.addWidget(talk)

    @property
    def current(self) -> Page:
        return self._current

    def offer(self, page: Page, make: MakePage) -> None:
        self._makers[page] = make
        self.offered.emit(page)

    def open(self, page: Page) -> None:
        """Passes over a page that nobody offers."""
        if page is self._current or (page not in self._made and page not in self._makers):
            return
        if page not in self._made:
            self._made[page] = self._makers[page]()
            self.addWidget(self._made[page])
        self._current = page
        self.setCurrentWidget(self._made[page])
        self.opened.emit(page)

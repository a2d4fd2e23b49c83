"""The tabs of the top bar: words with a line under the page that is open. Arrow keys go from one to the next."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QTabBar

from aria_desktop.gui.focus_ring import FocusRing
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.pages import PAGES, Page
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.theme import Kind

_SIDE = 17
"""Px on each side of a word."""
_LINE = 3


class PageTabs(QTabBar):
    """A real tab bar, so that screen readers know its tabs as tabs; only the painting is ours."""

    wanted = Signal(object)
    """A `Page`, when the user chose it."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.setObjectName("pageTabs")
        self.setAccessibleName(tr("Pages"))
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        for page in PAGES:
            self.setTabVisible(self.addTab(tr(page.value)), page is Page.TALK)
        self._ring = FocusRing(look, self, 8)
        self.currentChanged.connect(lambda index: self.wanted.emit(PAGES[index]))
        look.changed.connect(self._restyle)
        self._restyle()

    def reveal(self, page: Page) -> None:
        self.setTabVisible(PAGES.index(page), True)

    def show_page(self, page: Page) -> None:
        self.setCurrentIndex(PAGES.index(page))

    def tabSizeHint(self, index: int) -> QSize:
        width = QFontMetrics(self._look.font(Kind.CONTROL_STRONG)).horizontalAdvance(self.tabText(index))
        return QSize(width + 2 * self._look.px(_SIDE), 48)

    def minimumTabSizeHint(self, index: int) -> QSize:
        return self.tabSizeHint(index)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        side = self._look.px(_SIDE)
        for index in filter(self.isTabVisible, range(self.count())):
            place = QRectF(self.tabRect(index))
            here = index == self.currentIndex()
            painter.setFont(self._look.font(Kind.CONTROL_STRONG if here else Kind.CONTROL))
            painter.setPen(self._look.color("text" if here else "text2"))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, self.tabText(index))
            if here:
                line = QRectF(place.left() + side, place.bottom() - _LINE, place.width() - 2 * side, _LINE)
                painter.fillRect(line, self._look.color("accent"))

    def _restyle(self) -> None:
        self.setFont(self._look.font(Kind.CONTROL))
        self.updateGeometry()
        self.update()

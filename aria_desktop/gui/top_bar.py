"""The bar on top: the mark, the name, the pages, and the seal that is always there and says what is so."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from aria_desktop.core.seal import Badge
from aria_desktop.gui.buttons import IconButton
from aria_desktop.gui.look import Look
from aria_desktop.gui.mark import MarkView
from aria_desktop.gui.page_tabs import PageTabs
from aria_desktop.gui.state.seal import badge_words
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import Elided, IconView, Words


class TopBar(QWidget):
    def __init__(self, look: Look, badge: Badge) -> None:
        super().__init__()
        self._look = look
        self.setObjectName("topBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMinimumHeight(52)
        self.tabs = PageTabs(look)
        self.seal_button = IconButton(look, "shield-check", tr("What ARIA could connect to"))
        self.seal_button.setObjectName("sealButton")
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 0, 20, 0)
        row.setSpacing(8)
        # The same share on both sides keeps the tabs in the middle.
        row.addWidget(self._name(), 1)
        row.addWidget(self.tabs)
        row.addWidget(self._seal(badge), 1)

    def _name(self) -> QWidget:
        name = QWidget()
        row = QHBoxLayout(name)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        row.addWidget(MarkView(self._look, 24))
        row.addWidget(Words(self._look, Kind.BRAND, "ARIA"))
        row.addStretch(1)
        return name

    def _seal(self, badge: Badge) -> QWidget:
        words = badge_words(badge)
        explained = Elided(self._look, Kind.CONTROL, tone=words.tone or "quiet", middle=False)
        explained.set_full(words.explained)
        seal = QWidget()
        row = QHBoxLayout(seal)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addStretch(1)
        row.addWidget(IconView(self._look, words.icon, words.token))
        row.addWidget(Words(self._look, Kind.CONTROL_STRONG, words.name, words.tone))
        row.addWidget(explained)
        row.addWidget(self.seal_button)
        return seal

"""The bar on top: the mark, the name, and the seal that is always there and says what is so."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from aria_desktop.core.seal import Badge
from aria_desktop.gui.buttons import IconButton
from aria_desktop.gui.look import Look
from aria_desktop.gui.mark import MarkView
from aria_desktop.gui.state.seal import badge_words
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import IconView, Words


class TopBar(QWidget):
    def __init__(self, look: Look, badge: Badge) -> None:
        super().__init__()
        self.setObjectName("topBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(52)
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 0, 20, 0)
        row.setSpacing(8)
        row.addWidget(MarkView(look, 24))
        row.addSpacing(2)
        row.addWidget(Words(look, Kind.BRAND, "ARIA"))
        row.addStretch(1)
        words = badge_words(badge)
        row.addWidget(IconView(look, words.icon, words.token))
        row.addWidget(Words(look, Kind.CONTROL_STRONG, words.name, words.tone))
        row.addWidget(Words(look, Kind.CONTROL, words.explained, words.tone or "quiet"))
        self.seal_button = IconButton(look, "shield-check", "What ARIA could connect to")
        self.seal_button.setObjectName("sealButton")
        row.addWidget(self.seal_button)

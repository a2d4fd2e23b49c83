"""The bar over the conversation: its title, when it began, what was done, and a new one."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from aria_desktop.gui.buttons import IconButton
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import Elided, Words


class TitleBar(QWidget):
    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setFixedHeight(54)
        self._title = Elided(look, Kind.SECTION, middle=False)
        self._title.setObjectName("conversationTitle")
        self._time = Words(look, Kind.CONTROL, tone="quiet")
        self.new_button = IconButton(look, "message-square-plus", tr("New conversation (Ctrl+N)"))
        self.new_button.setObjectName("newConversation")
        self.audit_button = IconButton(look, "list-checks", tr("What was done"))
        self.audit_button.setObjectName("auditButton")
        row = QHBoxLayout(self)
        row.setContentsMargins(28, 0, 20, 0)
        row.setSpacing(12)
        row.addWidget(self._title)
        row.addWidget(self._time)
        row.addStretch(1)
        row.addWidget(self.audit_button)
        row.addWidget(self.new_button)

    def show_title(self, title: str, time: str) -> None:
        self._title.set_full(title)
        self._time.setText(time)

"""The text of a sound file, kept in the conversation without being carried out."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from aria_desktop.gui.buttons import WordButton
from aria_desktop.gui.flow_text import FlowText, Run
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.conversation import KeptText
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.turn_widget import GUTTER
from aria_desktop.gui.words import Elided, IconView, Words


class KeptTextWidget(QWidget):
    def __init__(self, look: Look, kept: KeptText) -> None:
        super().__init__()
        self._text = kept.text
        copy = WordButton(look, tr("Copy"), "plain", 28)
        copy.setObjectName("copyKept")
        copy.clicked.connect(self._copy)
        name = Elided(look, Kind.CONTROL_STRONG)
        name.set_full(kept.name)
        body = FlowText(look, Kind.BODY)
        body.show_runs((Run(kept.text, "text"),))
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(IconView(look, "file-audio"))
        head.addWidget(name)
        head.addWidget(Words(look, Kind.HELP, tr("kept as text, nothing was done with it"), "quiet"))
        head.addStretch(1)
        head.addWidget(copy)
        card = QFrame()
        card.setObjectName("card")
        column = QVBoxLayout(card)
        column.setContentsMargins(14, 8, 14, 12)
        column.addLayout(head)
        column.addWidget(body)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(GUTTER, 0, 0, 0)
        outer.addWidget(card)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text)

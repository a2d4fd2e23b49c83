"""A question with what it means below it. No is the easy answer: it has the focus, and Enter and Escape give it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from aria_desktop.gui.buttons import WordButton
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import Words


class PlainQuestion(QDialog):
    """`accepted` is yes. `yes` is the verb on its button."""

    def __init__(self, look: Look, question: str, means: Sequence[str], yes: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("plainQuestion")
        self.setWindowTitle(question)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(look.px(520))
        agree = WordButton(look, yes, height=38)
        agree.setObjectName("agree")
        agree.clicked.connect(self.accept)
        no = WordButton(look, tr("Cancel"), "main", 38)
        no.setDefault(True)
        no.clicked.connect(self.reject)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(agree)
        foot.addWidget(no)
        column = QVBoxLayout(self)
        column.setContentsMargins(28, 24, 28, 20)
        column.setSpacing(12)
        column.addWidget(Words(look, Kind.QUESTION, question, wrap=True))
        for sentence in means:
            column.addWidget(Words(look, Kind.BODY, sentence, wrap=True))
        column.addStretch(1)
        column.addLayout(foot)
        # The size that a dialog has of itself is that of its texts at their narrowest.
        self.resize(self.minimumWidth(), column.totalHeightForWidth(self.minimumWidth()))
        no.setFocus(Qt.FocusReason.TabFocusReason)

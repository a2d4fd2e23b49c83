"""Asked before a conversation is removed for good: what goes, and no is the easy answer."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from aria_desktop.core.records import SessionRecord
from aria_desktop.gui.buttons import WordButton
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.history_page import deletion_words
from aria_desktop.gui.state.shown import one_line
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import Words


class DeleteQuestion(QDialog):
    """`accepted` means yes; every other ending means no."""

    def __init__(self, look: Look, session: SessionRecord, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("deleteQuestion")
        self.setWindowTitle(tr("Delete conversation"))
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(look.px(460))
        yes = WordButton(look, tr("Delete conversation"), height=38)
        yes.setObjectName("confirmDelete")
        yes.clicked.connect(self.accept)
        no = WordButton(look, tr("Cancel"), "main", 38)
        no.setDefault(True)
        no.clicked.connect(self.reject)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(yes)
        foot.addWidget(no)
        column = QVBoxLayout(self)
        column.setContentsMargins(28, 24, 28, 20)
        column.setSpacing(12)
        question = tr("Delete {title}?", title=one_line(session.title) or tr("No words"))
        column.addWidget(Words(look, Kind.QUESTION, question, wrap=True))
        column.addWidget(Words(look, Kind.BODY, deletion_words(session), wrap=True))
        column.addLayout(foot)
        no.setFocus(Qt.FocusReason.TabFocusReason)

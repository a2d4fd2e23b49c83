"""The page of the audit: each call, question, decision and end, as plain text that can be selected and copied."""

from __future__ import annotations

import time
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from aria_desktop.core.records import AuditRecord
from aria_desktop.gui.buttons import WordButton
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.audit import lines, summary
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import Words


class AuditPage(QDialog):
    def __init__(self, look: Look, records: Sequence[AuditRecord], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("auditPage")
        self.setWindowTitle(tr("What was done"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumSize(680, 400)
        text = QPlainTextEdit(lines(records, time.time()))
        text.setObjectName("auditLines")
        text.setAccessibleName(tr("What was done"))
        text.setReadOnly(True)
        text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        close = WordButton(look, tr("Close"), "main", 38)
        close.setObjectName("closeAuditPage")
        close.setDefault(True)
        close.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.addWidget(Words(look, Kind.HELP, tr("`aria audit --csv` prints all of it."), "quiet"))
        foot.addStretch(1)
        foot.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(28, 24, 28, 20)
        column.setSpacing(12)
        column.addWidget(Words(look, Kind.BODY_STRONG, summary(records), wrap=True))
        column.addWidget(text, 1)
        column.addLayout(foot)
        close.setFocus(Qt.FocusReason.TabFocusReason)

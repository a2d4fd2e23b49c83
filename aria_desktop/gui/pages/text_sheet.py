"""A dialog with a plain text that can be selected and copied: the log, for instance."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from aria_desktop.gui.buttons import WordButton
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.theme import Kind


class TextSheet(QDialog):
    def __init__(self, look: Look, title: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("textSheet")
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumSize(720, 440)
        field = QPlainTextEdit(text)
        field.setObjectName("sheetText")
        field.setAccessibleName(title)
        field.setReadOnly(True)
        field.setTabChangesFocus(True)
        field.setFont(look.font(Kind.CODE))
        field.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        copy = WordButton(look, tr("Copy all"), height=38)
        copy.setObjectName("copySheet")
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(text))
        close = WordButton(look, tr("Close"), "main", 38)
        close.setObjectName("closeSheet")
        close.setDefault(True)
        close.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(copy)
        foot.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(28, 24, 28, 20)
        column.setSpacing(12)
        column.addWidget(field, 1)
        column.addLayout(foot)
        close.setFocus(Qt.FocusReason.TabFocusReason)

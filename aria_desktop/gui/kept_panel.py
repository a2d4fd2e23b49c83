"""What stays: the files of the workspace with a preview, and the conversations before this one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from aria_desktop.core.visible import visible
from aria_desktop.gui.buttons import IconButton
from aria_desktop.gui.code_colourer import CodeColourer
from aria_desktop.gui.look import Look
from aria_desktop.gui.side_list import SideList
from aria_desktop.gui.state.code_colours import colour_lines
from aria_desktop.gui.state.kept_files import icon_of
from aria_desktop.gui.state.shown import one_line, plain_tip
from aria_desktop.gui.state.side_lists import SideRow
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import Elided, Words

_PREVIEW = 186


class KeptPanel(QWidget):
    preview_wanted = Signal(str)
    open_wanted = Signal(str)
    """The name of a file."""
    folder_wanted = Signal()
    conversation_wanted = Signal(str)
    """The id of a stored conversation."""

    def __init__(self, look: Look, folder: str) -> None:
        super().__init__()
        self._look = look
        self.setObjectName("side")
        self.files = SideList(look, tr("Files"))
        self.files.selected.connect(self.preview_wanted)
        self.files.opened.connect(self.open_wanted)
        self.conversations = SideList(look, tr("Earlier conversations"))
        self.conversations.opened.connect(self.conversation_wanted)
        self.conversations.clicked.connect(lambda _index: self.conversation_wanted.emit(self.conversations.key))
        self._no_files = Words(look, Kind.HELP, tr("Files that ARIA makes appear here."), "quiet", wrap=True)
        self._no_conversations = Words(look, Kind.HELP, tr("Earlier conversations appear here."), "quiet", wrap=True)
        self._preview = _Preview(look)
        self._lay_out(folder)
        self.show_files(())
        self.show_conversations(())

    def show_files(self, rows: Sequence[SideRow]) -> None:
        self.files.show_rows(rows)
        self.files.setVisible(bool(rows))
        self._no_files.setVisible(not rows)
        if self._preview.name not in {row.key for row in rows}:
            self._preview.hide()

    def show_conversations(self, rows: Sequence[SideRow]) -> None:
        self.conversations.show_rows(rows)
        self.conversations.setVisible(bool(rows))
        self._no_conversations.setVisible(not rows)

    def show_folder(self, folder: str) -> None:
        self._folder.set_full(folder.rstrip("/\\").replace("\\", "/").rsplit("/", 1)[-1] or folder)
        self._folder.setToolTip(plain_tip(folder))

    def show_preview(self, name: str, text: str, *, cut: bool) -> None:
        if name == self.files.key:
            self._preview.show_text(name, text, cut=cut)

    def refuse_preview(self, why: str) -> None:
        """The selected file can't be shown, and why."""
        self._preview.show_text(self.files.key, why, cut=False)

    def _lay_out(self, folder: str) -> None:
        self._folder = Elided(self._look, Kind.HELP, tone="quiet")
        self.show_folder(folder)
        button = IconButton(self._look, "folder-open", tr("Open the folder of the files"))
        button.clicked.connect(self.folder_wanted)
        head = QHBoxLayout()
        head.setContentsMargins(14, 0, 0, 0)
        head.addWidget(Words(self._look, Kind.BODY_STRONG, tr("Files")))
        head.addStretch(1)
        head.addWidget(self._folder)
        head.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 13, 14, 14)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(self._no_files)
        column.addWidget(self.files)
        column.addWidget(self._preview)
        column.addSpacing(14)
        title = Words(self._look, Kind.BODY_STRONG, tr("History"))
        title.setContentsMargins(14, 0, 0, 0)
        column.addWidget(title)
        column.addWidget(self._no_conversations)
        column.addWidget(self.conversations)
        column.addStretch(1)
        for empty in (self._no_files, self._no_conversations):
            empty.setContentsMargins(14, 0, 8, 0)


class _Preview(QFrame):
    """The start of a file, as plain text; code has its colours."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.name = ""
        self.setObjectName("panel")
        self._text = QPlainTextEdit()
        self._text.setReadOnly(True)
        self._text.setTabChangesFocus(True)
        self._text.setObjectName("previewText")
        self._text.setFrameShape(QFrame.Shape.NoFrame)
        self._colourer = CodeColourer(look, self._text.document())
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 6, 4, 6)
        column.addWidget(self._text)
        look.changed.connect(self._restyle)
        self._restyle()
        self.hide()

    def show_text(self, name: str, text: str, *, cut: bool) -> None:
        self.name = name
        text = visible(text) + ("\n…" if cut else "")
        self._colourer.show_lines(colour_lines(text, name))
        if text != self._text.toPlainText():
            self._text.setPlainText(text)
        self._text.setAccessibleName(tr("Start of {name}", name=one_line(name)))
        self._restyle()
        self.show()

    def _restyle(self) -> None:
        self.setFixedHeight(self._look.px(_PREVIEW))
        self._text.setFont(self._look.font(Kind.CODE if icon_of(self.name) == "file-code" else Kind.HELP))

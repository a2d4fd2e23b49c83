"""One conversation beside the list: its turns, and what can be done with it as a whole."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from aria_desktop.gui.buttons import IconButton, WordButton
from aria_desktop.gui.look import Look
from aria_desktop.gui.pages.fields import LineField
from aria_desktop.gui.pages.marked_text import MarkedText
from aria_desktop.gui.state.history_page import Preview, PreviewTurn
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import Elided, Hairline, Words, clear


class HistoryPreview(QWidget):
    open_wanted = Signal()
    branch_wanted = Signal()
    pin_wanted = Signal(bool)
    renamed = Signal(str)
    export_wanted = Signal()
    delete_wanted = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._preview: Preview | None = None
        self.setObjectName("pageSide")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._title = Elided(look, Kind.SECTION, middle=False)
        self._title.setObjectName("previewTitle")
        self._name = LineField(look, tr("Title"))
        self._name.setObjectName("renameField")
        self._name.settled.connect(self._rename)
        self._name.hide()
        self._about = Words(look, Kind.HELP, tone="quiet", wrap=True)
        self._pin = self._act("pin", tr("Pin"), "pinSession", self._want_pin)
        self._acts = (
            self._pin,
            self._act("pencil", tr("Rename"), "renameSession", self._start_rename),
            self._act("download", tr("Export…"), "exportSession", self.export_wanted.emit),
            self._act("trash-2", tr("Delete…"), "deleteSession", self.delete_wanted.emit),
        )
        self.open_button = WordButton(look, tr("Open"), "main", 38)
        self.open_button.setObjectName("openSession")
        self.open_button.clicked.connect(lambda: self.open_wanted.emit())
        self.branch_button = WordButton(look, tr("Branch from here"), height=38)
        self.branch_button.setObjectName("branchSession")
        self.branch_button.clicked.connect(lambda: self.branch_wanted.emit())
        self._column = QVBoxLayout()
        self._lay_out()
        self.show_preview(None)

    def show_preview(self, preview: Preview | None) -> None:
        self._preview = preview
        self._name.hide()
        self._title.show()
        clear(self._column)
        for part in (*self._acts, self.open_button, self.branch_button, self._title, self._about):
            part.setVisible(preview is not None)
        if preview is None:
            return
        self._title.set_full(preview.title)
        self._about.setText(preview.about)
        self._pin.set_icon("pin", tr("Let go") if preview.pinned else tr("Pin"))
        for turn in preview.turns:
            self._add(turn)
        if preview.more:
            self._column.addWidget(Words(self._look, Kind.HELP, preview.more, "quiet"))
        self._column.addStretch(1)
        self._area.verticalScrollBar().setValue(0)

    def allow_open(self, allowed: bool) -> None:
        """Not while a turn runs: its conversation is the one that is shown."""
        self.open_button.setEnabled(allowed)
        self.open_button.setToolTip("" if allowed else tr("A command is being carried out. Stop it first."))

    def _add(self, turn: PreviewTurn) -> None:
        self._column.addWidget(MarkedText(self._look, Kind.BODY_STRONG, turn.words))
        if turn.tools:
            self._column.addWidget(Words(self._look, Kind.HELP, " · ".join(turn.tools), "quiet", wrap=True))
        if turn.answer.text:
            self._column.addWidget(MarkedText(self._look, Kind.BODY, turn.answer))
        self._column.addWidget(Hairline())

    def _act(self, icon: str, name: str, object_name: str, press: object) -> IconButton:
        button = IconButton(self._look, icon, name)
        button.setObjectName(object_name)
        button.clicked.connect(lambda: press())  # type: ignore[operator]
        return button

    def _want_pin(self) -> None:
        if self._preview is not None:
            self.pin_wanted.emit(not self._preview.pinned)

    def _start_rename(self) -> None:
        if self._preview is not None:
            self._title.hide()
            self._name.put(self._preview.title)
            self._name.show()
            self._name.setFocus(Qt.FocusReason.TabFocusReason)
            self._name.selectAll()

    def _rename(self, title: str) -> None:
        if title.strip():
            self.renamed.emit(title)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(4)
        head.addWidget(self._title, 1)
        head.addWidget(self._name, 1)
        for act in self._acts:
            head.addWidget(act)
        inside = QWidget()
        inside.setObjectName("pageSide")
        inside.setLayout(self._column)
        self._column.setContentsMargins(0, 8, 8, 8)
        self._column.setSpacing(8)
        self._area = QScrollArea()
        self._area.setObjectName("previewBody")
        self._area.setAccessibleName(tr("The conversation that is chosen"))
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setWidget(inside)
        foot = QHBoxLayout()
        foot.addWidget(self.branch_button)
        foot.addStretch(1)
        foot.addWidget(self.open_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 18, 20, 18)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(self._about)
        column.addWidget(self._area, 1)
        column.addLayout(foot)

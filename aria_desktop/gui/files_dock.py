"""Sound files that were dropped or chosen: a row each, with progress, then the text and what to do with it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QProgressBar, QScrollArea, QVBoxLayout, QWidget

from aria_desktop.core.visible import visible
from aria_desktop.gui.buttons import IconButton, WordButton
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.sound_files import SoundFile, Stage
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import Elided, Hairline, IconView, Words

_MOST_HEIGHT = 300
_TEXT_LINES = 4


class FilesDock(QWidget):
    carry_out = Signal(str)
    keep = Signal(str)
    take_away = Signal(str)
    hold = Signal(str)
    """All with the file's key."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._rows: dict[str, _FileRow] = {}
        self.setObjectName("filesDock")
        self._area = QScrollArea()
        self._area.setObjectName("conversation")
        self._area.setAccessibleName(tr("Sound files"))
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._content = QWidget()
        self._content.setObjectName("column")
        self._column = QVBoxLayout(self._content)
        self._column.setContentsMargins(28, 12, 28, 12)
        self._column.setSpacing(8)
        self._column.addStretch(1)
        self._fit_soon = QTimer(self, singleShot=True, interval=0)
        self._fit_soon.timeout.connect(self._fit)
        self._area.setWidget(self._content)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(Hairline())
        outer.addWidget(self._area)
        self.hide()

    def show_files(self, files: Sequence[SoundFile]) -> None:
        keys = {file.key for file in files}
        for key in [key for key in self._rows if key not in keys]:
            row = self._rows.pop(key)
            row.hide()
            self._column.removeWidget(row)
            row.deleteLater()
        for file in files:
            if file.key not in self._rows:
                self._rows[file.key] = self._new_row(file.key)
            self._rows[file.key].show_file(file)
        self.setVisible(bool(files))
        self._fit_soon.start()

    def _fit(self) -> None:
        """As high as its rows, up to a limit; rows know their height once they have been laid out."""
        for row in self._rows.values():
            row.activate()
        self._column.activate()
        wrapped = self._content.heightForWidth(max(400, self._area.viewport().width()))
        wanted = wrapped if wrapped >= 0 else self._column.sizeHint().height()
        self._area.setFixedHeight(min(_MOST_HEIGHT, wanted))

    def _new_row(self, key: str) -> _FileRow:
        row = _FileRow(self._look)
        row.carry_out.clicked.connect(lambda: self.carry_out.emit(key))
        row.keep.clicked.connect(lambda: self.keep.emit(key))
        row.away.clicked.connect(lambda: self.take_away.emit(key))
        row.hold.clicked.connect(lambda: self.hold.emit(key))
        row.height_changed.connect(self._fit_soon.start)
        self._column.insertWidget(self._column.count() - 1, row)
        return row


class _FileRow(QFrame):
    height_changed = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._file: SoundFile | None = None
        self.setObjectName("card")
        self._icon = IconView(look, "file-audio")
        self._name = Elided(look, Kind.CONTROL_STRONG)
        self._words = Elided(look, Kind.HELP, tone="quiet", middle=False)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(6)
        self._bar.setRange(0, 1000)
        self._hint = Words(look, Kind.HELP, tone="quiet", wrap=True)
        self._text = QPlainTextEdit()
        self._text.setReadOnly(True)
        self._text.setTabChangesFocus(True)
        self._text.setFont(look.font(Kind.BODY))
        self._text.document().documentLayout().documentSizeChanged.connect(self._fit_text)
        self.carry_out = WordButton(look, tr("Carry out"), "main")
        self.carry_out.setObjectName("carryOut")
        self.keep = WordButton(look, tr("Keep as text"))
        self.keep.setObjectName("keepAsText")
        self.hold = IconButton(look, "pause", tr("Pause"))
        self.hold.setObjectName("holdFile")
        self.away = IconButton(look, "x", tr("Take the file out of the list"))
        self.away.setObjectName("takeAway")
        self._lay_out()

    def show_file(self, file: SoundFile) -> None:
        if file == self._file:
            return
        self._file = file
        done, failed = file.stage is Stage.DONE, file.stage is Stage.FAILED
        self._name.set_full(file.name)
        self._words.set_full(file.words)
        self._words.set_tone("loss" if failed else "quiet")
        self._icon.set_icon("circle-alert" if failed else "file-audio", "loss" if failed else "text2")
        self._bar.setVisible(file.stage is Stage.RUNNING)
        self._bar.setValue(round(file.part * 1000))
        self._bar.setAccessibleName(f"{file.name}: {file.words}")
        self._text.setAccessibleName(tr("What is said in {name}", name=file.name))
        self._hint.setText(file.hint)
        self._hint.setVisible(bool(file.hint))
        self._show_text(file)
        self.hold.setVisible(file.stage is Stage.RUNNING)
        self.hold.set_icon("play" if file.held else "pause", tr("Go on") if file.held else tr("Pause"))
        self.carry_out.setVisible(done)
        self.keep.setVisible(done)
        self.away.set_icon("x", tr("Stop and take it out") if file.stage is Stage.RUNNING else tr("Take it out"))

    def activate(self) -> None:
        """Make the row's size true now; by itself it is so only after the next events."""
        self._column.activate()

    def _show_text(self, file: SoundFile) -> None:
        self._text.setVisible(bool(file.text))
        if self._text.toPlainText() != visible(file.text):
            self._text.setPlainText(visible(file.text))

    def _fit_text(self) -> None:
        rows = min(_TEXT_LINES, max(1, round(self._text.document().size().height())))
        self._text.setFixedHeight(rows * self._text.fontMetrics().lineSpacing() + 10)
        self.height_changed.emit()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._icon)
        head.addWidget(self._name)
        head.addWidget(self._words, 1)
        head.addWidget(self.keep)
        head.addWidget(self.carry_out)
        head.addWidget(self.hold)
        head.addWidget(self.away)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 6, 8, 6)
        self._column.setSpacing(4)
        self._column.addLayout(head)
        self._column.addWidget(self._bar)
        self._column.addWidget(self._hint)
        self._column.addWidget(self._text)

"""The left panel: talk, type, drop a file, see how the models are. It shows what it is given and emits wishes."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from aria_desktop.gui.buttons import IconButton, Switch
from aria_desktop.gui.drop_zone import DropZone
from aria_desktop.gui.entry_box import EntryBox
from aria_desktop.gui.level_meter import LevelMeter
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.engine_board import EngineLine
from aria_desktop.gui.state.levels import Levels
from aria_desktop.gui.state.talk import Ring, Talk
from aria_desktop.gui.talk_button import TalkButton
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import Elided, Hairline, HintLine, IconView, Words

WIDTH = 284


class TalkPanel(QWidget):
    open_folder = Signal()

    def __init__(self, look: Look, levels: Levels, folder: str, speak: bool) -> None:
        super().__init__()
        self._look = look
        self.setObjectName("talkPanel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.button = TalkButton(look)
        self.entry = EntryBox(look)
        self.drop_zone = DropZone(look)
        self.meter = LevelMeter(look, levels)
        self.speak = Switch(look, "Speak replies")
        self.speak.setObjectName("speakSwitch")
        self.speak.setChecked(speak)
        self._state = Words(look, Kind.STATE)
        self._state.setObjectName("talkState")
        self._state.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._hint = HintLine(look, Kind.ROW, centred=True)
        self._microphone = self._microphone_line()
        self._engines_icon = IconView(look, "cpu")
        self._engines = Words(look, Kind.HELP_STRONG)
        self._engines.setObjectName("engineLine")
        self._engines_detail = Elided(look, Kind.HELP, tone="quiet", middle=False)
        self._lay_out(folder)

    def show_talk(self, talk: Talk, microphone: str) -> None:
        """`microphone`: the device's name while it is open, else empty."""
        self.button.show_state(talk.ring, talk.action)
        self._state.setText(talk.state)
        self._hint.show_parts(talk.hint)
        self._microphone.setCurrentIndex(1 if talk.ring is Ring.LISTENING else 0)
        self.meter.setToolTip(microphone)

    def show_engines(self, line: EngineLine) -> None:
        self._engines_icon.set_icon("cpu" if line.tone == "quiet" else "circle-alert", _TOKENS[line.tone])
        self._engines.setText(line.text)
        self._engines.set_tone("" if line.tone == "quiet" else line.tone.value)
        self._engines_detail.set_full(f"· {line.detail}" if line.detail else "")
        self._engines.setToolTip(line.all)

    def _microphone_line(self) -> QStackedWidget:
        closed = QWidget()
        row = QHBoxLayout(closed)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addStretch(1)
        row.addWidget(IconView(self._look, "mic-off", "text2", 16))
        row.addWidget(Words(self._look, Kind.CONTROL, "Microphone is closed", "quiet"))
        row.addStretch(1)
        metered = QWidget()
        column = QVBoxLayout(metered)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.meter, 0, Qt.AlignmentFlag.AlignCenter)
        lines = QStackedWidget()
        lines.addWidget(closed)
        lines.addWidget(metered)
        lines.setFixedHeight(24)
        return lines

    def _lay_out(self, folder: str) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 14, 20, 10)
        column.setSpacing(0)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(8)
        column.addWidget(self._state)
        column.addSpacing(4)
        column.addWidget(self._hint)
        column.addSpacing(12)
        column.addWidget(self._microphone)
        column.addSpacing(14)
        column.addWidget(self.entry)
        column.addSpacing(10)
        column.addWidget(self.drop_zone)
        column.addStretch(1)
        column.addLayout(self._row("Speak replies", self.speak))
        column.addWidget(Hairline())
        column.addLayout(self._folder_row(folder))
        column.addSpacing(10)
        column.addWidget(Hairline())
        column.addSpacing(8)
        column.addLayout(self._engine_row())

    def _row(self, name: str, control: QWidget) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(0, 7, 0, 7)
        row.addWidget(Words(self._look, Kind.CONTROL, name, "quiet"))
        row.addStretch(1)
        row.addWidget(control)
        return row

    def _folder_row(self, folder: str) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(0, 4, 0, 4)
        row.addWidget(Words(self._look, Kind.CONTROL, "Works in", "quiet"))
        name = Elided(self._look, Kind.CONTROL_STRONG)
        name.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        name.set_full(folder.rstrip("/\\").replace("\\", "/").rsplit("/", 1)[-1] or folder)
        name.setToolTip(folder)
        row.addWidget(name, 1)
        button = IconButton(self._look, "folder-open", "Open the folder")
        button.setToolTip(f"Open {folder}")
        button.clicked.connect(self.open_folder)
        row.addWidget(button)
        return row

    def _engine_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self._engines_icon)
        row.addWidget(self._engines)
        row.addWidget(self._engines_detail, 1)
        return row


_TOKENS = {"quiet": "text2", "doubt": "doubt", "loss": "loss"}

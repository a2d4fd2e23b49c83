"""The left panel: talk, type, drop a file, see how the models are. It shows what it is given and emits wishes."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from aria_desktop.gui.buttons import IconButton, Switch
from aria_desktop.gui.drop_zone import DropZone
from aria_desktop.gui.entry_box import EntryBox
from aria_desktop.gui.level_meter import LevelMeter
from aria_desktop.gui.look import Look
from aria_desktop.gui.quick_choice import QuickChoice
from aria_desktop.gui.state.engine_board import EngineLine
from aria_desktop.gui.state.levels import Levels
from aria_desktop.gui.state.quick_choices import NAMES
from aria_desktop.gui.state.shown import plain_tip
from aria_desktop.gui.state.talk import Ring, Talk
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.talk_button import COMPACT, FULL, TalkButton
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import Elided, Hairline, HintLine, IconView, Words

WIDTH = 284
_NO_LIMIT = (1 << 24) - 1
"""Qt's QWIDGETSIZE_MAX, which has no name in Python."""


class TalkPanel(QWidget):
    open_folder = Signal()
    change_folder = Signal()

    def __init__(self, look: Look, levels: Levels, folder: str, speak: bool) -> None:
        super().__init__()
        self._look = look
        self.setObjectName("talkPanel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.button = TalkButton(look)
        self.entry = EntryBox(look)
        self.drop_zone = DropZone(look)
        self.meter = LevelMeter(look, levels)
        self.speak = Switch(look, tr("Speak replies"))
        self.speak.setObjectName("speakSwitch")
        self.speak.setChecked(speak)
        self.choices = {name: QuickChoice(look, tr(title)) for name, title in NAMES.items()}
        """By the name of the setting."""
        self._state = Words(look, Kind.STATE)
        self._state.setObjectName("talkState")
        self._state.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._hint = HintLine(look, Kind.ROW, centred=True)
        self._microphone = self._microphone_line()
        self._engines_icon = IconView(look, "cpu")
        self._engines = Words(look, Kind.HELP_STRONG)
        self._engines.setObjectName("engineLine")
        self._engines_detail = Elided(look, Kind.HELP, tone="quiet", middle=False)
        self._strip = False
        self._folder = Elided(look, Kind.CONTROL_STRONG)
        self._folder.setObjectName("folderName")
        self._open = IconButton(look, "folder-open", tr("Open the folder"))
        self.other_folder = IconButton(look, "folder", tr("Work in another folder"))
        self.other_folder.setObjectName("otherFolder")
        self._lay_out()
        self.show_folder(folder)
        look.changed.connect(self._fit)

    def show_talk(self, talk: Talk, microphone: str) -> None:
        """`microphone`: the device's name while it is open, else empty."""
        self.button.show_state(talk.ring, talk.action)
        self._state.setText(talk.state)
        self._hint.show_parts(talk.hint)
        self._microphone.setCurrentIndex(1 if talk.ring is Ring.LISTENING else 0)
        self.meter.setToolTip(plain_tip(microphone))

    def show_engines(self, line: EngineLine) -> None:
        self._engines_icon.set_icon("cpu" if line.tone == "quiet" else "circle-alert", _TOKENS[line.tone])
        self._engines.setText(line.text)
        self._engines.set_tone("" if line.tone == "quiet" else line.tone.value)
        self._engines_detail.set_full(f"· {line.detail}" if line.detail else "")
        self._engines.setToolTip(plain_tip(line.all))

    def show_folder(self, folder: str) -> None:
        """Where turns work."""
        self._folder.set_full(folder.rstrip("/\\").replace("\\", "/").rsplit("/", 1)[-1] or folder)
        self._folder.setToolTip(plain_tip(folder))
        self._open.setToolTip(plain_tip(tr("Open {name}", name=folder)))

    def _microphone_line(self) -> QStackedWidget:
        closed = QWidget()
        row = QHBoxLayout(closed)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addStretch(1)
        row.addWidget(IconView(self._look, "mic-off", "text2", 16))
        row.addWidget(Words(self._look, Kind.CONTROL, tr("Microphone is closed"), "quiet"))
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

    def set_strip(self, strip: bool) -> None:
        """A strip along the top of a small window: ring, state and text box only."""
        for part in self._only_wide:
            part.setVisible(not strip)
        self.button.set_size(COMPACT if strip else FULL)
        self.entry.set_compact(strip)
        self._strip = strip
        self._fit()
        self._place()

    def _fit(self) -> None:
        self.setMaximumWidth(_NO_LIMIT if self._strip else self._look.px(WIDTH))
        self.setMinimumWidth(0 if self._strip else self._look.px(WIDTH))

    def _lay_out(self) -> None:
        foot = QWidget()
        rows = QVBoxLayout(foot)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        for name, choice in self.choices.items():
            choice.button.setObjectName(f"quick-{name}")
            rows.addWidget(choice)
            rows.addWidget(Hairline())
        rows.addLayout(self._row(tr("Speak replies"), self.speak))
        rows.addWidget(Hairline())
        rows.addLayout(self._folder_row())
        rows.addSpacing(10)
        rows.addWidget(Hairline())
        rows.addSpacing(8)
        rows.addLayout(self._engine_row())
        self._foot = foot
        self._only_wide = (self._hint, self.drop_zone, foot)
        self._grid = QGridLayout(self)
        self.set_strip(False)

    def _place(self) -> None:
        """Put every part into its cell; a widget that is added again leaves its old one."""
        grid = self._grid
        middle, top = Qt.AlignmentFlag.AlignHCenter, Qt.AlignmentFlag.AlignTop
        if self._strip:
            grid.setContentsMargins(20, 6, 20, 6)
            grid.setHorizontalSpacing(14)
            grid.setVerticalSpacing(0)
            grid.addWidget(self.button, 0, 0, 2, 1)
            grid.addWidget(self._state, 0, 1)
            grid.addWidget(self._microphone, 1, 1)
            grid.addWidget(self.entry, 0, 2, 2, 1)
        else:
            grid.setContentsMargins(20, 14, 20, 10)
            grid.setVerticalSpacing(9)
            grid.addWidget(self.button, 0, 0, middle)
            grid.addWidget(self._state, 1, 0)
            grid.addWidget(self._hint, 2, 0)
            grid.addWidget(self._microphone, 3, 0)
            grid.addWidget(self.entry, 4, 0)
            grid.addWidget(self.drop_zone, 5, 0, top)
            grid.addWidget(self._foot, 6, 0)
        grid.setRowStretch(5, 0 if self._strip else 1)
        grid.setColumnStretch(0, 0 if self._strip else 1)
        grid.setColumnStretch(2, 1 if self._strip else 0)

    def _row(self, name: str, control: QWidget) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(0, 7, 0, 7)
        row.addWidget(Words(self._look, Kind.CONTROL, name, "quiet"))
        row.addStretch(1)
        row.addWidget(control)
        return row

    def _folder_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(0, 4, 0, 4)
        row.addWidget(Words(self._look, Kind.CONTROL, tr("Works in"), "quiet"))
        self._folder.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._folder, 1)
        for button, wish in ((self.other_folder, self.change_folder), (self._open, self.open_folder)):
            button.clicked.connect(wish)
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

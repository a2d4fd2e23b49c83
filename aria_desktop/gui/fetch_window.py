"""The window of fetch mode: clearly marked as not sealed, with what is fetched and how far it is, and nothing else.

It closes by itself when all is here. Whoever closes it before stops the fetch; what arrived is kept.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from aria_desktop.core.errors import ExitCode
from aria_desktop.core.fetch_mode import Fetching, FetchLine
from aria_desktop.gui.announce import announce
from aria_desktop.gui.buttons import WordButton
from aria_desktop.gui.display import require_display
from aria_desktop.gui.fetch_row import FetchRowView
from aria_desktop.gui.garbage import collected_here
from aria_desktop.gui.look import Look
from aria_desktop.gui.mark import window_icon
from aria_desktop.gui.qt_program import application, signals_close, speak
from aria_desktop.gui.state.fetching import MainButton, all_here, back_words, main_button, row, spoken
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import IconTile, Words

if TYPE_CHECKING:
    from aria_desktop.gui.options import ThemeChoice

_LOOK_MS = 100
"""How often it is looked whether the thread that fetches has ended."""


@dataclass(frozen=True, slots=True)
class FetchOptions:
    resources: Path
    names: Mapping[str, str]
    """What each model is called, by id."""
    theme: ThemeChoice = "system"
    font_percent: int = 100
    language: str = "auto"


def run(fetching: Fetching, options: FetchOptions) -> int:
    """Returns an exit code when the window is closed. Raises DisplayMissing before anything is opened."""
    require_display(os.environ)
    app = application()
    speak(app, options.resources, options.language)
    window = FetchWindow(Look(app, options.resources, options.theme, options.font_percent), fetching, options.names)
    try:
        with collected_here(), signals_close(window) as signals:
            window.show()
            window.begin()
            app.exec()
    finally:
        fetching.close()
        window.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    return ExitCode.CANCELLED if signal.SIGINT in signals else ExitCode.OK


class FetchWindow(QWidget):
    _moved = Signal(object)
    """A `FetchLine`, from the thread that fetches."""

    def __init__(self, look: Look, fetching: Fetching, names: Mapping[str, str]) -> None:
        super().__init__()
        self._look, self._fetching, self._names = look, fetching, names
        self._lines = {line.model_id: line for line in fetching.lines}
        self._rows = {name: FetchRowView(look, row(line, names[name])) for name, line in self._lines.items()}
        self._main = WordButton(look, "", height=38)
        self._main.setObjectName("mainFetch")
        self._main.clicked.connect(self._act)
        self._back = WordButton(look, "", "main", 38)
        self._back.setObjectName("backToAria")
        self._back.clicked.connect(self.close)
        self._moved.connect(self._show_line, Qt.ConnectionType.QueuedConnection)
        # The thread ends after its last line.
        self._watch = QTimer(self, interval=_LOOK_MS)
        self._watch.timeout.connect(self._show_buttons)
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setWindowTitle(tr("ARIA: fetching models, not sealed"))
        self.setWindowIcon(window_icon())
        self.setMinimumSize(560, 360)
        self.resize(look.px(720), look.px(480))
        QShortcut(QKeySequence("Escape"), self).activated.connect(self.close)
        self._lay_out()
        self._back.setFocus(Qt.FocusReason.TabFocusReason)

    def begin(self) -> None:
        """Fetch what is not here yet."""
        self._fetching.start(self._moved.emit)
        self._watch.start()
        self._show_buttons()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._watch.stop()
        self._fetching.pause()
        super().closeEvent(event)

    def _act(self) -> None:
        if main_button(self._now(), running=self._fetching.running) is MainButton.PAUSE:
            self._fetching.pause()
        else:
            self.begin()

    def _now(self) -> tuple[FetchLine, ...]:
        return tuple(self._lines.values())

    def _show_line(self, line: FetchLine) -> None:
        before = self._lines[line.model_id]
        self._lines[line.model_id] = line
        self._rows[line.model_id].show_row(row(line, self._names[line.model_id]))
        if before.state is not line.state:
            announce(self, spoken(line, self._names[line.model_id]))
        self._show_buttons()

    def _show_buttons(self) -> None:
        running = self._fetching.running
        self._main.set_words(tr(main_button(self._now(), running=running).value))
        self._back.set_words(back_words(running=running))
        if not running:
            self._watch.stop()
            if all_here(self._now()):
                self.close()

    def _lay_out(self) -> None:
        inside = QWidget()
        inside.setObjectName("pageColumn")
        rows = QVBoxLayout(inside)
        rows.setContentsMargins(0, 0, 0, 0)
        for view in self._rows.values():
            rows.addWidget(view)
        rows.addStretch(1)
        area = QScrollArea()
        area.setObjectName("pageBody")
        area.setAccessibleName(tr("Models"))
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(inside)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(self._main)
        foot.addWidget(self._back)
        column = QVBoxLayout(self)
        column.setContentsMargins(28, 24, 28, 20)
        column.setSpacing(16)
        column.addLayout(self._head())
        column.addWidget(area, 1)
        column.addLayout(foot)

    def _head(self) -> QHBoxLayout:
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(Words(self._look, Kind.QUESTION, tr("Not sealed: fetching models"), "doubt", wrap=True))
        explained = tr("This window fetches models and can do nothing else. ARIA comes back sealed when it is closed.")
        words.addWidget(Words(self._look, Kind.BODY, explained, wrap=True))
        head = QHBoxLayout()
        head.setSpacing(16)
        head.addWidget(IconTile(self._look, "triangle-alert"))
        head.addLayout(words, 1)
        return head

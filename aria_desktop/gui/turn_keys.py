"""The keys for turns: from one to the next, see the run again, put the heard words right, undo and redo."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtGui import QKeySequence, QShortcut

from aria_desktop.gui.main_window import MainWindow
from aria_desktop.gui.state.pages import Page
from aria_desktop.gui.state.translation import tr

UNDO, REDO = "Undo that", "Redo that"
"""What `assistant.said_alone` knows; shown as what was asked for."""


class TurnKeys(QObject):
    def __init__(self, window: MainWindow, send: Callable[[str], None], complain: Callable[[str, str], None]) -> None:
        """`send` asks for something in words; `complain` tells that a key found nothing to do, and why."""
        super().__init__(window)
        self._window = window
        self._send = send
        self._complain = complain
        conversation = window.conversation
        for keys, act in (
            ("Alt+Up", lambda: self._step(-1)),
            ("Alt+Down", lambda: self._step(1)),
            ("Ctrl+R", self._replay),
            ("F2", conversation.correct_last),
            ("Ctrl+Z", lambda: self._send_here(UNDO)),
            ("Ctrl+Shift+Z", lambda: self._send_here(REDO)),
        ):
            QShortcut(QKeySequence(keys), window).activated.connect(act)

    def _step(self, by: int) -> None:
        self._window.pages.open(Page.TALK)
        self._window.conversation.step(by)

    def _replay(self) -> None:
        turn = self._window.conversation.turn_at_hand()
        if turn is None or not turn.ended:
            self._complain(tr("There is no run to see again"), tr("A run can be seen again when its turn is over."))
            return
        self._window.pages.open(Page.TALK)
        self._window.conversation.replay_wanted.emit(turn.turn_id)

    def _send_here(self, words: str) -> None:
        """Not from another page: nobody undoes what is not in sight."""
        if self._window.pages.current is Page.TALK:
            self._send(words)

"""What every window of ARIA begins with: the Qt application, the language of its words, and signals that close it."""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QLocale, QSocketNotifier, Qt
from PySide6.QtWidgets import QApplication, QWidget

from aria_desktop.gui.languages import read_language
from aria_desktop.gui.state import translation


def application() -> QApplication:
    QApplication.setApplicationName("aria-desktop")
    QApplication.setApplicationDisplayName("ARIA")
    QApplication.setDesktopFileName("aria-desktop")
    app = QApplication([sys.argv[0]])
    app.setQuitOnLastWindowClosed(True)
    return app


def speak(app: QApplication, resources: Path, wanted: str) -> None:
    """Before any widget is made: each takes its words when it is. `wanted`: code of a language, or "auto"."""
    folder = resources / "words"
    available = ("en", *(path.stem for path in folder.glob("*.json")))
    language = read_language(folder, translation.best(wanted, QLocale.system().name(), available))
    translation.use(language)
    directions = Qt.LayoutDirection
    app.setLayoutDirection(directions.RightToLeft if language.right_to_left else directions.LeftToRight)


@contextmanager
def signals_close(window: QWidget) -> Iterator[list[int]]:
    """Ctrl+C in the terminal and a request to end close the window in the ordinary way. Yields those received.

    Python runs signal handlers between bytecodes, and there are none while Qt waits: the wake-up socket makes
    Qt call back into Python.
    """
    received: list[int] = []
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    theirs.setblocking(False)

    def handle(number: int, _frame: object) -> None:
        received.append(number)

    def woken() -> None:
        ours.recv(64)
        if received:
            window.close()

    notifier = QSocketNotifier(ours.fileno(), QSocketNotifier.Type.Read)
    notifier.activated.connect(woken)
    earlier = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    descriptor = signal.set_wakeup_fd(theirs.fileno())
    try:
        yield received
    finally:
        signal.set_wakeup_fd(descriptor)
        for number, handler in earlier.items():
            signal.signal(number, handler)
        notifier.setEnabled(False)
        ours.close()
        theirs.close()

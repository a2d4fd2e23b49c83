"""Opens the window and runs it until it is closed. The entry of the whole folder; call it on the main thread.

The assistant is handed in and stays its owner's: this ends with the window gone, every open question answered
with no, and no event listened to any more; closing the assistant is the caller's part.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from PySide6.QtCore import QEvent, QLocale, QSocketNotifier, Qt
from PySide6.QtWidgets import QApplication

from aria_desktop.core.errors import ExitCode
from aria_desktop.core.interfaces import Assistant
from aria_desktop.gui.bridge import Bridge
from aria_desktop.gui.conductor import Conductor
from aria_desktop.gui.display import require_display
from aria_desktop.gui.garbage import collected_here
from aria_desktop.gui.languages import read_language
from aria_desktop.gui.look import Look
from aria_desktop.gui.main_window import MainWindow
from aria_desktop.gui.options import WindowOptions
from aria_desktop.gui.state import translation
from aria_desktop.gui.state.levels import Levels

__all__ = ["WindowOptions", "run"]

_log = logging.getLogger(__name__)


def run(assistant: Assistant, options: WindowOptions) -> int:
    """Returns an exit code when the window was closed. Raises DisplayMissing before anything is opened."""
    require_display(os.environ)
    app = _application()
    _speak(app, options)
    look = Look(app, options.resources, options.theme, options.font_percent)
    levels = Levels()
    window = MainWindow(look, options, levels)
    bridge = Bridge(assistant, window)
    conductor = Conductor(look, window, bridge, options, levels)
    if options.when_painted is not None:
        window.painted.connect(options.when_painted)
    try:
        with collected_here(), _faults_shown(conductor), _signals_close(window) as signals:
            window.show()
            app.exec()
    finally:
        bridge.close()
        # While the application still is: Qt can't end a window after it.
        window.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    return ExitCode.CANCELLED if signal.SIGINT in signals else ExitCode.OK


def _application() -> QApplication:
    QApplication.setApplicationName("aria-desktop")
    QApplication.setApplicationDisplayName("ARIA")
    QApplication.setDesktopFileName("aria-desktop")
    app = QApplication([sys.argv[0]])
    app.setQuitOnLastWindowClosed(True)
    return app


def _speak(app: QApplication, options: WindowOptions) -> None:
    """Before any widget is made: each takes its words when it is."""
    folder = options.resources / "words"
    available = ("en", *(path.stem for path in folder.glob("*.json")))
    language = read_language(folder, translation.best(options.language, QLocale.system().name(), available))
    translation.use(language)
    directions = Qt.LayoutDirection
    app.setLayoutDirection(directions.RightToLeft if language.right_to_left else directions.LeftToRight)


@contextmanager
def _faults_shown(conductor: Conductor) -> Iterator[None]:
    """An exception in the window's code is logged in full and told in a banner; the window goes on."""
    before = sys.excepthook

    def hook(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
        _log.error("fault in the window", exc_info=(kind, error, traceback))
        conductor.show_trouble("The window made a mistake", f"{kind.__name__}: {error}. It is in the log.")

    sys.excepthook = hook
    try:
        yield
    finally:
        sys.excepthook = before


@contextmanager
def _signals_close(window: MainWindow) -> Iterator[list[int]]:
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

"""Opens the window and runs it until it is closed. The entry of the whole folder; call it on the main thread.

The assistant is handed in and stays its owner's: this ends with the window gone, every open question answered
with no, and no event listened to any more; closing the assistant is the caller's part.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from aria_desktop.core.errors import ExitCode
from aria_desktop.core.interfaces import Assistant
from aria_desktop.gui.bridge import Bridge
from aria_desktop.gui.conductor import Conductor
from aria_desktop.gui.display import require_display
from aria_desktop.gui.garbage import collected_here
from aria_desktop.gui.look import Look
from aria_desktop.gui.main_window import MainWindow
from aria_desktop.gui.options import WindowOptions
from aria_desktop.gui.qt_program import application, signals_close, speak
from aria_desktop.gui.state.levels import Levels

__all__ = ["WindowOptions", "run"]

_log = logging.getLogger(__name__)


def run(assistant: Assistant, options: WindowOptions) -> int:
    """Returns an exit code when the window was closed. Raises DisplayMissing before anything is opened."""
    require_display(os.environ)
    app = application()
    speak(app, options.resources, options.language)
    look = Look(app, options.resources, options.theme, options.font_percent)
    levels = Levels()
    window = MainWindow(look, options, levels)
    bridge = Bridge(assistant, window)
    conductor = Conductor(look, window, bridge, options, levels)
    # Hidden, the window is none that Qt would see the last of.
    app.setQuitOnLastWindowClosed(False)
    window.closing.connect(app.quit)
    if options.when_painted is not None:
        window.painted.connect(options.when_painted)
    try:
        with collected_here(), _faults_shown(conductor), signals_close(window) as signals:
            window.show()
            app.exec()
    finally:
        bridge.close()
        # While the application still is: Qt can't end a window after it.
        window.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    return ExitCode.CANCELLED if signal.SIGINT in signals else ExitCode.OK


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

"""The window with a stop watch, for `aria bench window`: it runs the real window and tells how long things took.

All times are seconds of the Qt main thread, in which the window is shown, painted and scrolled.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from aria_desktop.core.errors import EngineFailed
from aria_desktop.core.interfaces import Assistant
from aria_desktop.gui.bridge import Bridge
from aria_desktop.gui.conductor import Conductor
from aria_desktop.gui.look import Look
from aria_desktop.gui.main_window import MainWindow
from aria_desktop.gui.options import WindowOptions
from aria_desktop.gui.state.levels import Levels

_TICK_MS = 5
"""A gap of the event loop is what a tick of this came too late."""


class MeasuredWindow:
    """Use `opened_window`."""

    def __init__(self, app: QApplication, assistant: Assistant, options: WindowOptions) -> None:
        self._app = app
        self._look = Look(app, options.resources, options.theme, options.font_percent)
        levels = Levels()
        self.window = MainWindow(self._look, options, levels)
        self._bridge = Bridge(assistant, self.window)
        self._conductor = Conductor(self._look, self.window, self._bridge, options, levels)
        self._painted = False
        self.window.painted.connect(self._was_painted)
        self.window.show()

    @property
    def painted(self) -> bool:
        return self._painted

    def until(self, so: Callable[[], bool], most_s: float) -> None:
        """Run the event loop until it is so. Raises EngineFailed when that takes too long."""
        end = time.monotonic() + most_s
        while not so():
            self._app.processEvents()
            if time.monotonic() > end:
                raise EngineFailed(f"The window did not come to its goal within {most_s:g} s.", "Measure again.")

    def takes_keys(self) -> bool:
        """Type a letter into the text box, and take it away again."""
        field = self.window.panel.entry.field
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            key = QKeyEvent(kind, Qt.Key.Key_A, Qt.KeyboardModifier.NoModifier, "a")
            self._app.sendEvent(field, key)
        taken = field.toPlainText() == "a"
        field.clear()
        return taken

    def send(self, words: str) -> None:
        self.window.panel.entry.sent.emit(words)

    def scrolled(self, steps: int) -> list[tuple[float, float]]:
        """Of each of so many small steps upwards, painting included: seconds, and seconds of the processor, which a
        machine that is busy otherwise does not lengthen much."""
        return [self._moved(-120) for _ in range(steps)]

    def jumped(self, times: int) -> list[tuple[float, float]]:
        """The same of each of so many jumps to anywhere."""
        chance = random.Random(1)
        bar = self.window.conversation.verticalScrollBar()
        return [self._moved(chance.randint(0, bar.maximum()) - bar.value()) for _ in range(times)]

    def gaps_while(self, so: Callable[[], bool], most_s: float) -> list[float]:
        """By how many seconds each tick came too late, until it is so."""
        gaps: list[float] = []
        last = [time.perf_counter()]

        def tick() -> None:
            now = time.perf_counter()
            gaps.append(max(0.0, now - last[0] - _TICK_MS / 1000))
            last[0] = now
            if so() or len(gaps) * _TICK_MS / 1000 > most_s:
                self._app.quit()

        timer = QTimer(interval=_TICK_MS, timerType=Qt.TimerType.PreciseTimer)
        timer.timeout.connect(tick)
        timer.start()
        self._app.exec()
        timer.stop()
        return gaps

    def close(self) -> None:
        self._bridge.close()
        self.window.close()
        self.window.deleteLater()
        self._look.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    def _moved(self, by: int) -> tuple[float, float]:
        bar = self.window.conversation.verticalScrollBar()
        began, worked = time.perf_counter(), time.thread_time()
        bar.setValue(bar.value() + by)
        self.window.conversation.viewport().repaint()
        self._app.processEvents()
        # Outside of `exec` Qt leaves alone what is to be ended later.
        self._app.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        return time.perf_counter() - began, time.thread_time() - worked

    def _was_painted(self) -> None:
        self._painted = True


@contextmanager
def opened_window(assistant: Assistant, options: WindowOptions) -> Iterator[MeasuredWindow]:
    app = QApplication(["aria-bench"])
    opened = MeasuredWindow(app, assistant, options)
    try:
        yield opened
    finally:
        opened.close()
        app.shutdown()

"""ARIA outside its window: overlay, tray and notifications, as the settings have them. On the Qt main thread."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from aria_desktop.core import events, listings
from aria_desktop.core.errors import AriaError
from aria_desktop.gui.desktop_notice import tell_desktop
from aria_desktop.gui.look import Look
from aria_desktop.gui.main_window import MainWindow
from aria_desktop.gui.options import WindowOptions
from aria_desktop.gui.overlay import OverlayWindow
from aria_desktop.gui.state.banners import Banner
from aria_desktop.gui.state.levels import Levels
from aria_desktop.gui.state.notices import notice
from aria_desktop.gui.state.overlay import OverlayBoard
from aria_desktop.gui.state.talk import Press, talk
from aria_desktop.gui.state.turn import Tone
from aria_desktop.gui.tray import Tray
from aria_desktop.storage.declarations import WindowSettings
from aria_desktop.storage.window_place import WindowPlace

_log = logging.getLogger(__name__)
_BEAT_MS = 33
_STAYS_MS = 1200
"""So long the overlay stays when nothing goes on any more."""


class DesktopControl(QObject):
    complaint = Signal(object)
    """A `Banner`."""

    def __init__(
        self, look: Look, window: MainWindow, levels: Levels, options: WindowOptions, show_settings: Callable[[], None]
    ) -> None:
        super().__init__(window)
        settings = options.desk.settings.window if options.desk else WindowSettings()
        self._options = options
        self._look = look
        self._window = window
        self._levels = levels
        self._board = OverlayBoard()
        self._overlay: OverlayWindow | None = None
        self._overlay_wanted = settings.overlay
        self._notify = settings.notify
        self._activity = events.Activity.IDLE
        self._open = False
        self._hearing: events.EngineState | None = None
        self._asked = False
        """A question that waits was told of already."""
        self._beat = QTimer(self, interval=_BEAT_MS)
        self._beat.timeout.connect(self._show_overlay)
        self._stays = QTimer(self, singleShot=True, interval=_STAYS_MS)
        self._stays.timeout.connect(self._hide_overlay)
        self.tray = Tray(window)
        self._connect(show_settings)
        self._show_state()
        self.tray.set_wanted(settings.tray)

    def apply(self, event: events.Event) -> None:
        """Every event, in order."""
        self._note(event)
        if self._board.apply(event, time.monotonic()):
            self._arrange_overlay()
        self._tell(event)

    def _note(self, event: events.Event) -> None:
        match event:
            case events.ActivityChanged(activity=activity):
                self._activity = activity
                self._asked = self._asked and activity is events.Activity.CONFIRMING
            case events.ListeningStarted():
                self._open = True
            case events.ListeningEnded():
                self._open = False
            case events.EngineChanged(role=events.EngineRole.SPEECH, state=state):
                self._hearing = state
            case listings.SettingChanged(name="window.overlay", value=value):
                self._overlay_wanted = bool(value)
                self._arrange_overlay()
            case listings.SettingChanged(name="window.tray", value=value):
                self.tray.set_wanted(bool(value))
            case listings.SettingChanged(name="window.autostart", value=value):
                self._set_autostart(bool(value))
            case listings.SettingChanged(name="window.notify", value=value):
                self._notify = bool(value)
            case _:
                return
        self._show_state()

    def _show_state(self) -> None:
        self.tray.show_talk(talk(self._activity, self._open, self._hearing))

    def _tell(self, event: events.Event) -> None:
        told = notice(event)
        if told is None or not self._notify or QApplication.activeWindow() is not None:
            return
        overlaid = self._overlay is not None and self._overlay.isVisible()
        if self._asked if told.urgent else overlaid:
            return
        self._asked = self._asked or told.urgent
        QApplication.alert(self._window)
        if not self.tray.tell(told.title, told.text):
            tell_desktop(told.title, told.text, urgent=told.urgent, environment=os.environ)

    def _arrange_overlay(self) -> None:
        """Up while something goes on and no window of ours has the keyboard."""
        in_front = QApplication.activeWindow() is not None
        if in_front or not self._overlay_wanted or QGuiApplication.platformName().startswith("wayland"):
            self._hide_overlay()
        elif self._board.up:
            self._stays.stop()
            self._show_overlay()
            self._beat.start()
        elif self._overlay is not None and self._overlay.isVisible() and not self._stays.isActive():
            self._show_overlay()
            self._beat.stop()
            self._stays.start()

    def _show_overlay(self) -> None:
        if self._overlay is None:
            self._overlay = OverlayWindow(self._look)
            self._overlay.escape.connect(self._window.escape)
            self._overlay.open_wanted.connect(self._window.come_to_front)
        self._overlay.show_overlay(self._board.shown(time.monotonic()), self._levels.bars())
        self._overlay.come_up()
        if not self._overlay.ring.animated:
            self._beat.stop()

    def _hide_overlay(self) -> None:
        self._beat.stop()
        self._stays.stop()
        if self._overlay is not None:
            self._overlay.hide()

    def _end_overlay(self) -> None:
        self._hide_overlay()
        if self._overlay is not None:
            self._overlay.deleteLater()
            self._overlay = None
        self._overlay_wanted = False

    def _press(self) -> None:
        if talk(self._activity, self._open, self._hearing).press in (Press.SHOW_QUESTION, Press.EXPLAIN):
            self._window.come_to_front()
        self._window.panel.button.toggled_by_key.emit()

    def _set_autostart(self, wanted: bool) -> None:
        if self._options.set_autostart is None:
            return
        try:
            self._options.set_autostart(wanted)
        except AriaError as error:
            self.complaint.emit(Banner("autostart", Tone.LOSS, str(error), error.hint))

    def _keep_place(self) -> None:
        """A place that can't be kept is no reason to hold up the end."""
        if self._options.keep_place is None:
            return
        geometry = bytes(self._window.saveGeometry().data())
        try:
            self._options.keep_place(WindowPlace(geometry, self._window.pages.current.name))
        except AriaError as error:
            _log.warning("the window's place was not kept: %s", error)

    def _connect(self, show_settings: Callable[[], None]) -> None:
        window, tray = self._window, self.tray
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusWindowChanged.connect(self._arrange_overlay)
        window.closing.connect(self._end_overlay)
        window.closing.connect(self._keep_place)
        tray.window_wanted.connect(window.come_to_front)
        tray.hide_wanted.connect(window.hide)
        tray.press_wanted.connect(self._press)
        tray.new_wanted.connect(window.new_conversation)
        tray.settings_wanted.connect(window.come_to_front)
        tray.settings_wanted.connect(show_settings)
        tray.end_wanted.connect(window.close)

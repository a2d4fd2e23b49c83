"""ARIA in the desktop's tray: its state, and a menu. Where there is no tray nothing is missing but this."""

from __future__ import annotations

from PySide6.QtCore import QObject, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QMenu, QSystemTrayIcon, QWidget

from aria_desktop.gui.mark import paint_mark
from aria_desktop.gui.state.talk import Press, Ring, Talk
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.theme import LIGHT

_FILLED = {Ring.LISTENING: LIGHT.accent, Ring.WAITING: LIGHT.doubt_edge, Ring.OFF: LIGHT.edge}
"""A disc tells these apart from the rest; the tool tip says the state in words."""


class Tray(QObject):
    window_wanted = Signal()
    hide_wanted = Signal()
    press_wanted = Signal()
    """What a press of the ring does now."""
    new_wanted = Signal()
    settings_wanted = Signal()
    end_wanted = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._menu = QMenu(window)
        self._menu.setObjectName("trayMenu")
        self.show_window = self._menu.addAction(tr("Show the window"))
        self.hide_window = self._menu.addAction(tr("Hide the window"))
        self.press = self._menu.addAction("")
        self.new = self._menu.addAction(tr("New conversation"))
        self.settings = self._menu.addAction(tr("Settings"))
        self._menu.addSeparator()
        self.end = self._menu.addAction(tr("Quit"))
        self.icon = QSystemTrayIcon(self)
        self.icon.setContextMenu(self._menu)
        self.icon.activated.connect(self._activated)
        self.icon.messageClicked.connect(self.window_wanted)
        for action, signal in (
            (self.show_window, self.window_wanted),
            (self.hide_window, self.hide_wanted),
            (self.press, self.press_wanted),
            (self.new, self.new_wanted),
            (self.settings, self.settings_wanted),
            (self.end, self.end_wanted),
        ):
            action.triggered.connect(signal)

    @property
    def there(self) -> bool:
        """Whether a desktop shows it now; trays come and go."""
        return self.icon.isVisible() and QSystemTrayIcon.isSystemTrayAvailable()

    def set_wanted(self, wanted: bool) -> None:
        self.icon.setVisible(wanted)

    def show_talk(self, talk: Talk) -> None:
        self.icon.setIcon(state_icon(talk.ring))
        self.icon.setToolTip(f"ARIA: {talk.state}")
        # Holding has no meaning in a menu: there it listens until silence.
        self.press.setText(tr("Listen") if talk.press is Press.LISTEN else talk.action)

    def tell(self, title: str, text: str) -> bool:
        """False when nothing can be told this way."""
        if not self.there or not QSystemTrayIcon.supportsMessages():
            return False
        self.icon.showMessage(title, text, self.icon.icon())
        return True

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason is QSystemTrayIcon.ActivationReason.Trigger:
            self.window_wanted.emit()


def state_icon(ring: Ring) -> QIcon:
    icon = QIcon()
    for size in (16, 22, 24, 32, 48, 64):
        pixmap = QPixmap(size, size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole = QRectF(0, 0, size, size)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(_FILLED.get(ring, LIGHT.surface)))
        painter.drawEllipse(whole)
        inner = whole.adjusted(size * 0.1, size * 0.1, -size * 0.1, -size * 0.1)
        paint_mark(painter, inner, QColor(LIGHT.surface if ring in _FILLED else LIGHT.accent))
        painter.end()
        icon.addPixmap(pixmap)
    return icon

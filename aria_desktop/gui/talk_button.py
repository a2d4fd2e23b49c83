"""The ring: the hold-to-talk button, which shows by itself what the assistant does.

Its disc is filled only while the microphone is open. The mouse holds it; the keyboard and screen readers
toggle it, because a held key repeats and a spoken "press" has no length.
"""

from __future__ import annotations

import math
import time
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHideEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton

from aria_desktop.gui.focus_ring import FocusRing
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.levels import TICKS
from aria_desktop.gui.state.talk import Ring

FULL = 176
COMPACT = 52
_DISC, _TICKS_FROM, _TICKS_SHORT, _TICKS_LONG = 49 / 88, 57 / 88, 66 / 88, 82 / 88
"""Radii as parts of half the width."""
_SWEEP = 1.2
"""Seconds for the third of the ring that runs around while thinking."""


class _Style(NamedTuple):
    icon: str
    icon_token: str
    edge: str
    fill: str
    ticks: str


_STYLES = {
    Ring.READY: _Style("mic", "accent", "accent", "surface", "edge"),
    Ring.LISTENING: _Style("mic", "on_accent", "accent", "accent", "accent"),
    Ring.THINKING: _Style("square", "accent", "accent", "surface", "edge"),
    Ring.WAITING: _Style("hand", "doubt", "doubt_edge", "doubt_soft", "doubt_edge"),
    Ring.SPEAKING: _Style("volume-2", "accent", "accent", "surface", "accent"),
    Ring.OFF: _Style("mic-off", "text3", "edge", "surface", "line"),
}


class TalkButton(QAbstractButton):
    held = Signal()
    """The mouse went down on it."""
    let_go = Signal(float)
    """The mouse went up again, with the seconds it was down."""
    toggled_by_key = Signal()
    """Space, Enter or a screen reader pressed it."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._ring = Ring.READY
        self._bars: tuple[float, ...] = (0.0,) * TICKS
        self._down_since: float | None = None
        self.setObjectName("talkButton")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.set_size(FULL)
        self._focus_ring = FocusRing(look, self, FULL / 2)
        self.clicked.connect(self.toggled_by_key)
        look.changed.connect(self.update)

    def set_size(self, size: int) -> None:
        self.setFixedSize(size, size)

    def show_state(self, ring: Ring, action: str) -> None:
        if ring is self._ring and action == self.toolTip():
            return
        self._ring = ring
        self.setToolTip(action)
        self.setAccessibleName(action)
        self.update()

    @property
    def animated(self) -> bool:
        """Whether it wants to be repainted at the beat."""
        return self._ring is Ring.LISTENING or (self._ring is Ring.THINKING and not self._look.tokens.still)

    def show_levels(self, bars: tuple[float, ...]) -> None:
        """At least `TICKS` heights from 0 to 1, oldest first; seen at the next `update`."""
        self._bars = bars

    def sizeHint(self) -> QSize:
        return self.size()

    def hitButton(self, point: object) -> bool:
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self._down_since is None and self._inside(event.position()):
            self._down_since = time.monotonic()
            self.setDown(True)
            self.held.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._release()

    def hideEvent(self, event: QHideEvent) -> None:
        self._release()
        super().hideEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat() and event.modifiers() == Qt.KeyboardModifier.NoModifier:
                self.toggled_by_key.emit()
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        half = self.width() / 2
        style = _STYLES[self._ring]
        painter.translate(half, half)
        self._paint_ticks(painter, half, style)
        painter.setPen(
            QPen(self._look.color(style.edge), max(1.5, 2 * half / 88) if self._ring is not Ring.OFF else 1.5)
        )
        painter.setBrush(self._look.color(style.fill))
        radius = half * _DISC * (0.97 if self.isDown() else 1)
        painter.drawEllipse(QPointF(0, 0), radius, radius)
        side = max(16.0, 32 * half / 88)
        self._look.paint_icon(painter, style.icon, style.icon_token, QRectF(-side / 2, -side / 2, side, side))

    def _paint_ticks(self, painter: QPainter, half: float, style: _Style) -> None:
        pen = QPen(QColor(), max(1.0, 2 * half / 88))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        count = 12 if self._ring is Ring.WAITING else TICKS
        for tick in range(count):
            colour, outer = self._tick(tick, style)
            pen.setColor(colour)
            painter.setPen(pen)
            angle = 2 * math.pi * tick / count
            direction = QPointF(math.sin(angle), -math.cos(angle))
            painter.drawLine(direction * half * _TICKS_FROM, direction * half * outer)

    def _tick(self, tick: int, style: _Style) -> tuple[QColor, float]:
        """Colour and outer end of a tick, counted clockwise from 12 o'clock."""
        colour = self._look.color(style.ticks)
        match self._ring:
            case Ring.LISTENING:
                # The newest bar is at 12 o'clock, older ones follow clockwise and pale.
                age = tick / TICKS
                if not self._look.tokens.still:
                    colour.setAlphaF(1 - 0.7 * age)
                return colour, _TICKS_FROM + 3 / 88 + (_TICKS_LONG - _TICKS_FROM) * self._bars[-1 - tick]
            case Ring.THINKING:
                lit = self._sweep(tick)
                if lit > 0:
                    colour = self._look.color("accent")
                    colour.setAlphaF(lit)
                return colour, _TICKS_SHORT + 2 / 88 * lit
            case Ring.SPEAKING:
                return colour, _TICKS_SHORT + (3 / 88 if tick % 2 else 0)
            case Ring.WAITING:
                return colour, _TICKS_SHORT + 3 / 88
            case Ring.OFF:
                return colour, _TICKS_SHORT - 4 / 88
            case Ring.READY:
                colour.setAlphaF(0.65 if not self._look.tokens.still else 1)
                return colour, _TICKS_SHORT

    def _sweep(self, tick: int) -> float:
        """How brightly a tick is lit by the running third; a still third with less motion."""
        head = 0.0 if self._look.tokens.still else time.monotonic() % _SWEEP / _SWEEP
        behind = (head - tick / TICKS) % 1.0
        return max(0.0, 1 - behind * 3)

    def _inside(self, point: QPointF) -> bool:
        return math.hypot(point.x() - self.width() / 2, point.y() - self.height() / 2) <= self.width() / 2

    def _release(self) -> None:
        if self._down_since is not None:
            seconds = time.monotonic() - self._down_since
            self._down_since = None
            self.setDown(False)
            self.let_go.emit(seconds)

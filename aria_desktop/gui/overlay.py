"""The small window over all others while ARIA listens, speaks or waits. It never takes the keyboard."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QCursor, QGuiApplication, QPainter, QPainterPath, QPaintEvent, QPen, QRegion
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from aria_desktop.gui.buttons import WordButton
from aria_desktop.gui.flow_text import FlowText, Run
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.overlay import Overlay
from aria_desktop.gui.state.talk import Ring
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.talk_button import TalkButton
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import Words

_WIDTH, _HEIGHT, _RING, _FROM_EDGE, _RADIUS = 520, 104, 80, 24, 18
_FLAGS = (
    Qt.WindowType.Tool
    | Qt.WindowType.FramelessWindowHint
    | Qt.WindowType.WindowStaysOnTopHint
    | Qt.WindowType.WindowDoesNotAcceptFocus
)


class OverlayWindow(QWidget):
    """Without a parent: a minimised window would take it along. Whoever makes it ends it."""

    escape = Signal()
    open_wanted = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__(None, _FLAGS)
        self._look = look
        self.setObjectName("overlay")
        self.setWindowTitle(tr("ARIA, small"))
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_MacAlwaysShowToolWindow)
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self.ring = TalkButton(look)
        self.ring.setObjectName("overlayRing")
        self.ring.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.ring.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._state = Words(look, Kind.CONTROL_STRONG)
        self._clock = Words(look, Kind.CONTROL, tone="quiet")
        self._words = FlowText(look, Kind.BODY_MEDIUM)
        self._words.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._note = Words(look, Kind.HELP, tone="quiet")
        self._does = Words(look, Kind.CONTROL, tone="quiet")
        self._escape = self._button(look, tr("Esc"), "overlayEscape")
        self._escape.clicked.connect(self.escape)
        self._open = self._button(look, tr("Open ARIA"), "overlayOpen")
        self._open.clicked.connect(self.open_wanted)
        self._lay_out()
        look.changed.connect(self._fit)
        self._fit()

    def show_overlay(self, shown: Overlay, bars: tuple[float, ...]) -> None:
        """`bars`: as `TalkButton.show_levels` takes them."""
        self.ring.show_state(shown.ring, shown.state)
        self.ring.show_levels(bars)
        self.ring.update()
        self._state.setText(shown.state)
        self._state.set_tone("doubt" if shown.ring is Ring.WAITING else "alive")
        self._clock.setText(shown.clock)
        self._words.show_runs((Run(shown.words, "text"),) if shown.words else ())
        self._note.setText(shown.note)
        self._note.setVisible(bool(shown.note))
        self._does.setText(shown.escape)
        self._does.setVisible(bool(shown.escape))
        self._escape.setVisible(bool(shown.escape))
        self._escape.setAccessibleName(f"{tr('Esc')}: {shown.escape}")
        self._open.setVisible(shown.question)
        self.setAccessibleName(f"{shown.state}. {shown.words}".strip())

    def come_up(self) -> None:
        """At the bottom of the screen that the pointer is on."""
        if not self.isVisible():
            screen = QGuiApplication.screenAt(QCursor.pos()) or QGuiApplication.primaryScreen()
            self.move(_place(screen.availableGeometry(), self.width(), self.height()))
            self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        border = self._look.tokens.border
        painter.setPen(QPen(self._look.color("edge"), border))
        painter.setBrush(self._look.color("surface"))
        body = QRectF(self.rect()).adjusted(border / 2, border / 2, -border / 2, -border / 2)
        painter.drawRoundedRect(body, _RADIUS, _RADIUS)

    def _fit(self) -> None:
        """Cut out by a mask: a transparent window would have black corners where nothing composes the screen."""
        self.setFixedSize(self._look.px(_WIDTH), self._look.px(_HEIGHT))
        self.ring.set_size(self._look.px(_RING))
        outline = QPainterPath()
        outline.addRoundedRect(QRectF(self.rect()), _RADIUS, _RADIUS)
        self.setMask(QRegion(outline.toFillPolygon().toPolygon()))

    def _button(self, look: Look, words: str, name: str) -> WordButton:
        button = WordButton(look, words, height=26)
        button.setObjectName(name)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return button

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(8)
        top.addWidget(self._state)
        top.addWidget(self._clock)
        top.addStretch(1)
        for part in (self._escape, self._does, self._open):
            top.addWidget(part)
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addLayout(top)
        column.addWidget(self._words)
        column.addWidget(self._note)
        column.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 12, 20, 8)
        row.setSpacing(20)
        row.addWidget(self.ring)
        row.addLayout(column, 1)


def _place(screen: QRect, width: int, height: int) -> QPoint:
    return QPoint(screen.center().x() - width // 2, screen.bottom() - height - _FROM_EDGE)

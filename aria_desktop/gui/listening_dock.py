"""The dock under the conversation while the microphone is open: the wave, the time, and what came of it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from aria_desktop.gui.buttons import IconButton
from aria_desktop.gui.flow_text import FlowText, Run
from aria_desktop.gui.heard_field import HeardField
from aria_desktop.gui.look import Look
from aria_desktop.gui.state import figures
from aria_desktop.gui.state.levels import Levels
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.turn_widget import GUTTER
from aria_desktop.gui.words import Hairline, IconView, Words

_INSET = 28


class ListeningDock(QWidget):
    answered = Signal(str)
    """What was offered, as it is to be carried out; empty: it is not."""

    def __init__(self, look: Look, levels: Levels) -> None:
        super().__init__()
        self.setObjectName("listeningDock")
        self._icon = IconView(look, "mic", "accent")
        self._wave = _Wave(look, levels)
        self._time = Words(look, Kind.CONTROL)
        self._words = FlowText(look, Kind.HEARD_LIVE)
        self._so_far = FlowText(look, Kind.HEARD_LIVE)
        self._so_far.setObjectName("wordsSoFar")
        self._field = HeardField(look)
        self._field.answered.connect(self.answered)
        self._note = Words(look, Kind.HELP, tone="quiet", wrap=True)
        self._close = IconButton(look, "x", tr("Close"))
        self._close.clicked.connect(self.hide)
        self._lay_out()
        self._so_far.hide()
        self._field.hide()
        self.hide()

    @property
    def offering(self) -> bool:
        """Whether words wait to be taken, corrected or dropped."""
        return self._field.isVisibleTo(self)

    def listening(self, seconds: float, device: str) -> None:
        """The microphone is open; called again for each stretch of time."""
        self._field.hide()
        self._icon.set_icon("mic", "accent")
        self._wave.show()
        self._wave.update()
        self._time.setText(figures.position(seconds))
        self._time.show()
        self._close.hide()
        self._words.hide()
        self._note.setText(tr("Listening on {device}.", device=device))
        self.show()

    def so_far(self, text: str, *, pausing: bool) -> None:
        """What was recognised while the microphone is open; full in colour when it may be all."""
        self._so_far.show_runs((Run(text, "text" if pausing else "text2"),))
        self._so_far.setVisible(bool(text))

    def offer(self, text: str, unsure: tuple[str, ...], *, take_keyboard: bool) -> None:
        """What was heard, to be answered before anything is done."""
        self._icon.set_icon("ear", "doubt" if unsure else "accent")
        for part in (self._time, self._wave, self._so_far, self._close):
            part.hide()
        self._words.show_runs((Run(tr("Is that what you said?"), "text"),))
        self._words.show()
        self._note.setText(tr("Nothing is done before you answer."))
        self.show()
        self._field.offer(text, unsure, take_keyboard=take_keyboard)

    def drop_offer(self) -> None:
        self._field.drop()

    def recognising(self, text: str) -> None:
        """The recording ended and is being recognised."""
        self._field.hide()
        self.so_far("", pausing=False)
        self._icon.set_icon("audio-lines", "text2")
        self._time.hide()
        self._wave.hide()
        self._words.setVisible(bool(text))
        self._words.show_runs((Run(text, "text3"),))
        self._note.setText(tr("Recognising what you said."))
        self.show()

    def nothing(self, text: str, hint: str) -> None:
        """No turn came of it, and why."""
        self._field.hide()
        self.so_far("", pausing=False)
        self._icon.set_icon("ear", "doubt")
        self._time.hide()
        self._wave.hide()
        self._words.show()
        self._words.show_runs((Run(text, "doubt"),))
        self._note.setText(hint)
        self._close.show()
        self.show()

    def _lay_out(self) -> None:
        wave = QHBoxLayout()
        wave.setSpacing(0)
        gutter = QWidget()
        gutter.setFixedWidth(GUTTER)
        inner = QVBoxLayout(gutter)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.addWidget(self._icon)
        wave.addWidget(gutter)
        wave.addWidget(self._wave, 1)
        wave.addWidget(self._words, 1)
        wave.addSpacing(16)
        wave.addWidget(self._time)
        wave.addWidget(self._close)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(Hairline())
        body = QVBoxLayout()
        body.setContentsMargins(_INSET, 18, _INSET, 16)
        body.setSpacing(8)
        body.addLayout(wave)
        indented = QVBoxLayout()
        indented.setContentsMargins(GUTTER, 0, 0, 0)
        indented.setSpacing(8)
        for part in (self._so_far, self._field, self._note):
            indented.addWidget(part)
        body.addLayout(indented)
        column.addLayout(body)


class _Wave(QWidget):
    """The last seconds of the level as bars; older ones are paler."""

    def __init__(self, look: Look, levels: Levels) -> None:
        super().__init__()
        self._look = look
        self._levels = levels
        self.setFixedHeight(42)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        bars = self._levels.bars()
        pitch = self.width() / len(bars)
        colour = self._look.color("accent")
        for place, height in enumerate(bars):
            if not self._look.tokens.still:
                colour.setAlphaF(0.35 + 0.65 * place / len(bars))
            painter.setBrush(colour)
            length = max(4.0, height * self.height())
            painter.drawRoundedRect(QRectF(place * pitch, (self.height() - length) / 2, 2.5, length), 1.25, 1.25)

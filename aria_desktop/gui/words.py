"""Labels: plain text in one of the theme's kinds of type and tones. Never rich text, whatever the text holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLayout, QSizePolicy, QWidget

from aria_desktop.gui.look import Look
from aria_desktop.gui.state.shown import plain_tip
from aria_desktop.gui.state.talk import Cap
from aria_desktop.gui.theme import Kind

TextTone = Literal["", "quiet", "faint", "alive", "doubt", "loss", "gain"]


class Words(QLabel):
    """A label of one line, or of as many as it needs with `wrap`."""

    def __init__(self, look: Look, kind: Kind, text: str = "", tone: TextTone = "", *, wrap: bool = False) -> None:
        super().__init__()
        self._look = look
        self._kind = kind
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wrap)
        self.setProperty("tone", tone)
        if wrap:
            # A word longer than the line is cut at the edge instead of widening the window.
            self.setMinimumWidth(1)
            self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setText(text)
        look.changed.connect(self._restyle)
        self._restyle()

    def set_tone(self, tone: TextTone) -> None:
        if self.property("tone") != tone:
            self.setProperty("tone", tone)
            self.style().unpolish(self)
            self.style().polish(self)

    def minimumSizeHint(self) -> QSize:
        """Of a wrapped text one line: its height is asked for by width, and a guess here would become a minimum."""
        if self.wordWrap():
            return QSize(1, QFontMetrics(self.font()).lineSpacing())
        return super().minimumSizeHint()

    def _restyle(self) -> None:
        self.setFont(self._look.font(self._kind))


class Elided(Words):
    """A label of one line that is cut in the middle, or at its end, when there is no room; the tool tip has it all."""

    def __init__(self, look: Look, kind: Kind, text: str = "", tone: TextTone = "", *, middle: bool = True) -> None:
        self._full = text
        self._mode = Qt.TextElideMode.ElideMiddle if middle else Qt.TextElideMode.ElideRight
        super().__init__(look, kind, text, tone)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_full(self, text: str) -> None:
        self._full = text
        self.setAccessibleName(text)
        self.updateGeometry()
        self._elide()

    def sizeHint(self) -> QSize:
        return QSize(QFontMetrics(self.font()).horizontalAdvance(self._full) + 2, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(min(self.sizeHint().width(), 48), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        shown = QFontMetrics(self.font()).elidedText(self._full, self._mode, self.width())
        self.setText(shown)
        self.setToolTip("" if shown == self._full else plain_tip(self._full))


class KeyCap(Words):
    def __init__(self, look: Look, text: str) -> None:
        super().__init__(look, Kind.CAP, text)
        self.setObjectName("keyCap")


class HintLine(QWidget):
    """Words and key caps in a row."""

    def __init__(self, look: Look, kind: Kind = Kind.HELP, *, centred: bool = False) -> None:
        super().__init__()
        self._look = look
        self._kind = kind
        self._centred = centred
        self._parts: tuple[str | Cap, ...] | None = None
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(6)
        self._row.addStrut(26)

    def show_parts(self, parts: Sequence[str | Cap]) -> None:
        if tuple(parts) == self._parts:
            return
        self._parts = tuple(parts)
        clear(self._row)
        if self._centred:
            self._row.addStretch(1)
        for part in parts:
            widget = (
                KeyCap(self._look, part.text) if isinstance(part, Cap) else Words(self._look, self._kind, part, "quiet")
            )
            self._row.addWidget(widget)
        self._row.addStretch(1)
        self.setAccessibleName(" ".join(part.text if isinstance(part, Cap) else part for part in parts))


class IconView(QWidget):
    """An icon in one of the theme's colours."""

    def __init__(self, look: Look, icon: str, token: str = "text2", size: float = 18) -> None:
        super().__init__()
        self._look = look
        self._icon = icon
        self._token = token
        self._size = size
        self.setFixedSize(round(size), round(size))
        look.changed.connect(self.update)

    def set_icon(self, icon: str, token: str) -> None:
        if (icon, token) != (self._icon, self._token):
            self._icon, self._token = icon, token
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._look.paint_icon(painter, self._icon, self._token, self.rect().toRectF())


class IconTile(QWidget):
    """An icon on amber: something is to be decided."""

    def __init__(self, look: Look, icon: str) -> None:
        super().__init__()
        self._look = look
        self._icon = icon
        self.setFixedSize(44, 44)
        look.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._look.color("doubt_soft"))
        painter.drawRoundedRect(QRectF(self.rect()), 8, 8)
        self._look.paint_icon(painter, self._icon, "doubt", QRectF(11, 11, 22, 22))


class Hairline(QFrame):
    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("hairline")
        self.setFixedHeight(1)


class Line(QFrame):
    """A hairline between two neighbours, whichever way their layout runs."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("hairline")
        self.setMinimumSize(1, 1)

    def sizeHint(self) -> QSize:
        return QSize(1, 1)


def clear(layout: QLayout) -> None:
    """Take everything out of a layout and end it."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()

"""Banners over the conversation: a bar and an icon in amber or red, what happened, what to do, close."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from aria_desktop.gui.buttons import IconButton, WordButton
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.banners import Banner, Banners, button_words
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.state.turn import Tone
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import IconView, Words, clear


class BannerStack(QWidget):
    closed = Signal(str)
    """The banner's key."""
    acted = Signal(object)
    """The `Do` of a banner whose button was pressed."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.setObjectName("banners")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(28, 12, 28, 0)
        self._column.setSpacing(8)
        self.hide()

    def show_banners(self, banners: Banners) -> None:
        clear(self._column)
        for banner in banners.shown():
            view = _BannerView(self._look, banner)
            view.close_button.clicked.connect(lambda _checked=False, key=banner.key: self.closed.emit(key))
            if view.act is not None:
                view.act.clicked.connect(lambda _checked=False, do=banner.do: self.acted.emit(do))
            self._column.addWidget(view)
        if banners.more:
            self._column.addWidget(Words(self._look, Kind.HELP, tr("{count} more", count=banners.more), "quiet"))
        self.setVisible(bool(banners.shown()))


class _BannerView(QFrame):
    def __init__(self, look: Look, banner: Banner) -> None:
        super().__init__()
        self._look = look
        lost = banner.tone is Tone.LOSS
        self._token = "loss" if lost else "doubt_edge"
        self.setObjectName("banner")
        self.setAccessibleName(f"{banner.text} {banner.hint}".strip())
        self.close_button = IconButton(look, "x", tr("Close"))
        text = Words(look, Kind.BODY_STRONG, banner.text, wrap=True)
        text.setObjectName("bannerText")
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(text)
        if banner.hint:
            words.addWidget(Words(look, Kind.HELP, banner.hint, "quiet", wrap=True))
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 10, 10, 10)
        row.setSpacing(12)
        row.addWidget(IconView(look, "circle-alert" if lost else "triangle-alert", "loss" if lost else "doubt", 20))
        row.addLayout(words, 1)
        self.act: WordButton | None = None
        if banner.do is not None:
            self.act = WordButton(look, button_words(banner.do))
            self.act.setObjectName("bannerAct")
            row.addWidget(self.act)
        row.addWidget(self.close_button)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._look.color(self._token))
        painter.drawRoundedRect(QRectF(0, 0, 4, self.height()), 2, 2)

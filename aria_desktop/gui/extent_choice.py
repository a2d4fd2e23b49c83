"""How far a yes reaches: only this once unless something else is chosen, from what code offers and nothing else."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QSizePolicy

from aria_desktop.core.approval import Extent, Offer
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.shown import one_line
from aria_desktop.gui.state.translation import mark, tr
from aria_desktop.gui.theme import Kind

ONCE = mark("Only this one time")


class ExtentChoice(QComboBox):
    changed = Signal()

    def __init__(self, look: Look, offers: tuple[Offer, ...]) -> None:
        super().__init__()
        self.setObjectName("extentChoice")
        self.setAccessibleName(tr("How far a yes reaches"))
        self.setFont(look.font(Kind.HELP_STRONG))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(look.px(220))
        self._extents = (Extent.ONCE, *(offer.extent for offer in offers))
        self.addItem(tr(ONCE))
        for offer in offers:
            self.addItem(one_line(offer.text))
        self.currentIndexChanged.connect(lambda _: self._chosen())

    @property
    def extent(self) -> Extent:
        return self._extents[self.currentIndex()]

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scrolling through a question chooses nothing."""
        event.ignore()

    def _chosen(self) -> None:
        self.setToolTip(self.currentText())
        self.changed.emit()

"""The right panel: what stays, or the step that is looked at."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget

from aria_desktop.gui.kept_panel import KeptPanel
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.run_view import Visit
from aria_desktop.gui.step_inspector import StepInspector

WIDTH = 292


class SidePanel(QStackedWidget):
    closed = Signal()
    """No step is looked at any more."""

    def __init__(self, look: Look, folder: str) -> None:
        super().__init__()
        self._look = look
        self.setObjectName("sidePanel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.inspector = StepInspector(look)
        self.inspector.closed.connect(self.close_step)
        self.kept = KeptPanel(look, folder)
        self.addWidget(self.kept)
        self.addWidget(self.inspector)
        self.looking = False
        look.changed.connect(self._fit)
        self._fit()

    def show_visit(self, visit: Visit) -> None:
        self.looking = True
        self.inspector.show_visit(visit)
        self.setCurrentWidget(self.inspector)

    def close_step(self) -> None:
        if self.looking:
            self.looking = False
            self.setCurrentWidget(self.kept)
            self.closed.emit()

    def _fit(self) -> None:
        self.setFixedWidth(self._look.px(WIDTH))

"""The Models page: where models run, and each model of the catalogue with what is known of it here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from aria_desktop.gui.announce import announce
from aria_desktop.gui.buttons import WordButton
from aria_desktop.gui.look import Look
from aria_desktop.gui.pages.model_row import ACTION, LICENCE, MEASURED, MEMORY, NARROW, SIZE, ModelRowView
from aria_desktop.gui.state.models_page import Group, Moving
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import Elided, Hairline, IconView, Words, clear


class ModelsPage(QWidget):
    acted = Signal(str)
    work_wanted = Signal(str, object)
    stop_wanted = Signal(str)
    add_wanted = Signal()
    measure_all_wanted = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._views: dict[str, ModelRowView] = {}
        self.setObjectName("page")
        self.add_button = WordButton(look, tr("Add from a folder…"), height=38)
        self.add_button.setObjectName("addModels")
        self.add_button.clicked.connect(self.add_wanted)
        self.measure_button = WordButton(look, tr("Measure this computer"), height=38)
        self.measure_button.setObjectName("measureAll")
        self.measure_button.clicked.connect(self.measure_all_wanted)
        self._place = Words(look, Kind.CONTROL_STRONG)
        self._reason = Elided(look, Kind.CONTROL, middle=False)
        self._memory = Words(look, Kind.CONTROL, tone="quiet")
        self._said = Words(look, Kind.BODY, wrap=True)
        self._said.setObjectName("modelsSaid")
        self._said.hide()
        self._rows = QVBoxLayout()
        self._rows.setSpacing(0)
        self._heads: list[QWidget] = []
        self._lay_out()
        look.changed.connect(self._fit)

    def show_machine(self, place: str, reason: str, memory: str) -> None:
        self._place.setText(place)
        self._reason.set_full(reason)
        self._memory.setText(memory)

    def show_groups(self, groups: Sequence[Group], moving: Mapping[str, Moving]) -> None:
        """Rows that are there stay, so that what has the keyboard keeps it."""
        wanted = [row.model_id for group in groups for row in group.rows]
        if wanted != list(self._views):
            self._build(groups)
        for group in groups:
            for row in group.rows:
                self._views[row.model_id].show_row(row)
        for model_id, view in self._views.items():
            view.show_moving(moving.get(model_id))
        self._fit()

    def show_moving(self, model_id: str, moving: Moving | None) -> None:
        if model_id in self._views:
            self._views[model_id].show_moving(moving)

    def say_nothing(self) -> None:
        """What was said before is over."""
        self.say(text="")

    def say(self, text: str, *, trouble: bool = False) -> None:
        self._said.set_tone("loss" if trouble else "")
        self._said.setText(text)
        self._said.setVisible(bool(text))
        if text:
            announce(self, text, urgent=trouble)

    def focus_first(self) -> None:
        """Where the keyboard begins. The stack of pages may have put it there already, and without a ring."""
        self.add_button.clearFocus()
        self.add_button.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        narrow = self.width() < self._look.px(NARROW)
        for view in self._views.values():
            view.set_narrow(narrow)
        for head, width in zip(self._heads, (LICENCE, SIZE, MEMORY, MEASURED, ACTION), strict=True):
            head.setFixedWidth(self._look.px(width))
        self._columns.setVisible(not narrow)
        self._memory.setVisible(not narrow)

    def _build(self, groups: Sequence[Group]) -> None:
        clear(self._rows)
        self._views.clear()
        for group in groups:
            self._rows.addWidget(self._group_head(group))
            for row in group.rows:
                view = ModelRowView(self._look, row)
                view.acted.connect(self.acted)
                view.work_wanted.connect(self.work_wanted)
                view.stop_wanted.connect(self.stop_wanted)
                self._views[row.model_id] = view
                self._rows.addWidget(view)
            self._rows.addWidget(Hairline())

    def _group_head(self, group: Group) -> QWidget:
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(14, 14, 0, 6)
        row.setSpacing(8)
        row.addWidget(IconView(self._look, group.icon, "text2"))
        row.addWidget(Words(self._look, Kind.BODY_STRONG, group.title))
        row.addWidget(Words(self._look, Kind.CONTROL, group.explained, "quiet"), 1)
        return holder

    def _column_heads(self) -> QWidget:
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(14, 0, 0, 6)
        row.setSpacing(12)
        row.addStretch(1)
        for text in (tr("Licence"), tr("Size"), tr("Memory"), tr("Measured here"), ""):
            self._heads.append(Words(self._look, Kind.CONTROL, text, "quiet"))
            row.addWidget(self._heads[-1])
        return holder

    def _machine_line(self) -> QFrame:
        card = QFrame()
        card.setObjectName("card")
        row = QHBoxLayout(card)
        row.setContentsMargins(18, 12, 18, 12)
        row.setSpacing(8)
        row.addWidget(IconView(self._look, "cpu"))
        row.addWidget(self._place)
        row.addWidget(self._reason, 1)
        row.addWidget(self._memory)
        return card

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(Words(self._look, Kind.PAGE, tr("Models")), 1)
        head.addWidget(self.add_button)
        head.addWidget(self.measure_button)
        inside = QWidget()
        inside.setObjectName("pageColumn")
        whole = QVBoxLayout(inside)
        whole.setContentsMargins(0, 0, 12, 20)
        whole.setSpacing(0)
        self._columns = self._column_heads()
        whole.addWidget(self._columns)
        whole.addWidget(Hairline())
        whole.addLayout(self._rows)
        whole.addStretch(1)
        area = QScrollArea()
        area.setObjectName("pageBody")
        area.setAccessibleName(tr("Models"))
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inside)
        # The keyboard goes from button to button, and the area follows.
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column = QVBoxLayout(self)
        column.setContentsMargins(40, 26, 28, 0)
        column.setSpacing(10)
        column.addLayout(head)
        column.addWidget(self._machine_line())
        column.addWidget(self._said)
        column.addSpacing(6)
        column.addWidget(area, 1)

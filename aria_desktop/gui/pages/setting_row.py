"""One setting: what it is, what it does, its control, a way back to the default, and why a value does not fit."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from aria_desktop.gui.announce import announce
from aria_desktop.gui.buttons import IconButton, Switch
from aria_desktop.gui.look import Look
from aria_desktop.gui.pages.fields import ChoiceField, LineField
from aria_desktop.gui.pages.marked_text import MarkedText
from aria_desktop.gui.state.settings_page import (
    SettingRow,
    Value,
    choice_words,
    is_long,
    judged,
    shown_value,
    unit_words,
)
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import IconView, Words
from aria_desktop.storage.rules import OneOf
from aria_desktop.storage.rules import Switch as SwitchRule

_NARROW = 520
"""Px at 100 % font size."""


class SettingRowView(QWidget):
    wanted = Signal(str, object)
    """Name and value, when the user has settled on one that fits."""

    def __init__(self, look: Look, row: SettingRow) -> None:
        super().__init__()
        self._look = look
        self._row = row
        self.setObjectName(f"setting-{row.name}")
        self._control, self._show_value = self._make_control()
        self._back = IconButton(look, "rotate-ccw", row.default_words)
        self._back.setObjectName(f"default-{row.name}")
        self._back.clicked.connect(self._want_default)
        self._complaint = Words(look, Kind.HELP_STRONG, tone="loss", wrap=True)
        self._complaint.setObjectName(f"complaint-{row.name}")
        self._alert = IconView(look, "circle-alert", "loss", 16)
        self._lay_out()
        self.show_row(row)

    def show_row(self, row: SettingRow) -> None:
        self._row = row
        self._show_value(row.value)
        # It keeps its place, so that nothing moves under the pointer.
        self._back.setEnabled(row.changed)
        self._back.set_icon("rotate-ccw" if row.changed else "", row.default_words)
        self.complain("")

    def complain(self, text: str) -> None:
        """Empty: all is well."""
        if isinstance(self._control, LineField):
            self._control.set_bad(bool(text))
        self._complaint.setText(text)
        self._problem.setVisible(bool(text))
        if text:
            announce(self, text, urgent=True)

    def _make_control(self) -> tuple[QWidget, Callable[[Value], None]]:
        row, name = self._row, self._row.title.text
        if isinstance(row.rule, SwitchRule):
            switch = Switch(self._look, name)
            switch.clicked.connect(lambda: self.wanted.emit(row.name, switch.isChecked()))
            return switch, lambda value: switch.setChecked(bool(value))
        if isinstance(row.rule, OneOf):
            choices = row.rule.choices
            choice = ChoiceField(
                self._look, name, tuple(choice_words(row.name, each) for each in choices), choices.index(str(row.value))
            )
            choice.chosen.connect(lambda index: self.wanted.emit(row.name, choices[index]))
            return choice, lambda value: choice.setCurrentIndex(choices.index(str(value)))
        field = LineField(self._look, name, shown_value(row.value))
        if self._row.default == "":
            field.setPlaceholderText(tr("As the system"))
        field.settled.connect(self._settled)
        field.setFixedWidth(self._look.px(290 if is_long(row) else 96))
        return field, lambda value: field.put(shown_value(value))

    def _settled(self, text: str) -> None:
        found = judged(self._row, text)
        self.complain(found.complaint)
        if found.value is not None:
            self.wanted.emit(self._row.name, found.value)

    def _want_default(self) -> None:
        self.wanted.emit(self._row.name, self._row.default)

    def _lay_out(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(MarkedText(self._look, Kind.BODY_MEDIUM, self._row.title))
        words.addWidget(MarkedText(self._look, Kind.HELP, self._row.words, "text2"))
        control = QHBoxLayout()
        control.setSpacing(8)
        control.addWidget(self._back)
        control.addWidget(self._control)
        if unit := unit_words(self._row.unit).strip():
            control.addWidget(Words(self._look, Kind.CONTROL, unit, "quiet"))
        self._problem = QWidget()
        problem = QHBoxLayout(self._problem)
        problem.setContentsMargins(0, 2, 0, 0)
        problem.addWidget(self._alert, 0, Qt.AlignmentFlag.AlignTop)
        problem.addWidget(self._complaint, 1)
        self._beside = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._beside.setSpacing(12)
        self._beside.addLayout(words, 1)
        self._beside.addLayout(control)
        self._beside.setAlignment(control, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeading)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 14, 0, 14)
        column.setSpacing(0)
        column.addLayout(self._beside)
        column.addWidget(self._problem)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The control goes below the words where they would be squeezed."""
        super().resizeEvent(event)
        directions = QBoxLayout.Direction
        narrow = self.width() < self._look.px(_NARROW)
        self._beside.setDirection(directions.TopToBottom if narrow else directions.LeftToRight)

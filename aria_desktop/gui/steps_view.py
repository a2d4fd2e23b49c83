"""The steps of a turn, one row each, lighting up as they run: mark, verb, object, figure."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from aria_desktop.gui.look import Look
from aria_desktop.gui.state.turn import Mark, Step
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import Elided, Words

_ICONS = {
    Mark.QUEUED: ("clock", "text3"),
    Mark.WAITING: ("hand", "doubt"),
    Mark.DONE: ("check", "text2"),
    Mark.ALLOWED: ("shield-check", "text2"),
    Mark.REFUSED: ("ban", "doubt"),
    Mark.FAILED: ("circle-x", "loss"),
    Mark.STOPPED: ("square", "text3"),
    Mark.UNKNOWN: ("circle-question-mark", "doubt"),
}
_VERB_TONES = {Mark.ACTIVE: "alive", Mark.WAITING: "doubt", Mark.REFUSED: "doubt", Mark.FAILED: "loss"}


class StepsView(QWidget):
    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._rows: list[_Row] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)

    def show_steps(self, steps: Sequence[Step]) -> None:
        while len(self._rows) < len(steps):
            row = _Row(self._look)
            self._rows.append(row)
            self._column.addWidget(row)
        for row, step in zip(self._rows, steps, strict=False):
            row.show_step(step)
        for row in self._rows[len(steps) :]:
            row.hide()
        self.setVisible(bool(steps))


class _Row(QWidget):
    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._step: Step | None = None
        self._mark = _MarkView(look)
        self._verb = Words(look, Kind.ROW)
        self._object = Elided(look, Kind.CODE)
        self._figure = Elided(look, Kind.HELP, tone="quiet", middle=False)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._mark)
        row.addWidget(self._verb)
        row.addWidget(self._object, 1)
        row.addWidget(self._figure)
        look.changed.connect(self._fit)
        self._fit()

    def show_step(self, step: Step) -> None:
        self.show()
        if step == self._step:
            return
        self._step = step
        self._mark.show_mark(step.mark)
        self._verb.setText(step.verb)
        self._verb.set_tone(_VERB_TONES.get(step.mark, ""))  # type: ignore[arg-type]
        self._object.set_full(step.object)
        self._figure.set_full(step.figure)
        self._figure.set_tone("loss" if step.mark is Mark.FAILED else "quiet")
        self.setAccessibleName(" ".join(filter(None, (step.mark.value + ":", step.verb, step.object, step.figure))))

    def _fit(self) -> None:
        self.setFixedHeight(self._look.px(28))


class _MarkView(QWidget):
    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._mark = Mark.ACTIVE
        self.setFixedSize(16, 16)
        look.changed.connect(self.update)

    def show_mark(self, mark: Mark) -> None:
        self._mark = mark
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._mark is Mark.ACTIVE:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._look.color("accent_soft"))
            painter.drawEllipse(QPointF(8, 8), 8, 8)
            painter.setBrush(self._look.color("accent"))
            painter.drawEllipse(QPointF(8, 8), 4.5, 4.5)
        else:
            icon, token = _ICONS[self._mark]
            self._look.paint_icon(painter, icon, token, self.rect().toRectF())

"""One step of a run, in place of the right panel: what was chosen, the prompt, the reply, and the rest that is known.

All of it is plain text: much of it comes from a model or from files.
"""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QScrollArea, QTabBar, QVBoxLayout, QWidget

from aria_desktop.core.visible import visible
from aria_desktop.gui.buttons import IconButton, WordButton
from aria_desktop.gui.flow_text import FlowText, Run
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.run_view import Bar, Choice, Visit, label
from aria_desktop.gui.state.translation import marks, tr
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import Hairline, Words, clear

_ORDINALS = ("", *marks("second time", "third time", "fourth time", "fifth time"))
_TABS = marks("Choice", "Prompt", "Reply", "State")
_MOST_OF_A_TEXT = 200_000
"""Characters."""


class StepInspector(QWidget):
    closed = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._visit: Visit | None = None
        self.setObjectName("stepInspector")
        self.setAccessibleName(tr("The step"))
        self._title = Words(look, Kind.SECTION)
        self._title.setObjectName("stepTitle")
        self._number = Words(look, Kind.HELP, tone="quiet")
        self._close = IconButton(look, "x", tr("Close the step"))
        self._close.clicked.connect(self.closed)
        self._tabs = QTabBar()
        self._tabs.setDrawBase(False)
        self._tabs.setExpanding(False)
        self._tabs.setAccessibleName(tr("What of the step"))
        self._tabs.currentChanged.connect(self._tab_chosen)
        self._wanted = ""
        """The tab that the user chose for this step; empty as long as the first one will do."""
        self._text = QPlainTextEdit()
        self._text.setReadOnly(True)
        self._text.setTabChangesFocus(True)
        self._text.setObjectName("stepText")
        self._facts = QVBoxLayout()
        self._facts.setSpacing(10)
        self._copy = WordButton(look, tr("Copy this step"), "plain")
        self._copy.clicked.connect(self._copy_step)
        self._lay_out()
        look.changed.connect(self._restyle)
        self._restyle()

    @property
    def visit(self) -> Visit | None:
        return self._visit

    def show_visit(self, visit: Visit) -> None:
        if visit == self._visit:
            return
        same = self._visit is not None and (visit.node, visit.number) == (self._visit.node, self._visit.number)
        self._wanted = self._wanted if same else ""
        self._visit = visit
        self._title.setText(label(visit.node))
        self._number.setText(_ordinal(visit.number))
        self._show_tabs(visit)
        self._fill()

    @property
    def _tab(self) -> str:
        return str(self._tabs.tabData(self._tabs.currentIndex()) or "")

    def _tab_chosen(self) -> None:
        self._wanted = self._tab
        self._fill()

    def _show_tabs(self, visit: Visit) -> None:
        there = (visit.choices, visit.prompt, visit.reply, True)
        wanted = [name for name, is_there in zip(_TABS, there, strict=True) if is_there]
        self._tabs.blockSignals(True)
        if [self._tabs.tabData(at) for at in range(self._tabs.count())] != wanted:
            while self._tabs.count():
                self._tabs.removeTab(0)
            for name in wanted:
                self._tabs.setTabData(self._tabs.addTab(tr(name)), name)
        self._tabs.setCurrentIndex(wanted.index(self._wanted) if self._wanted in wanted else 0)
        self._tabs.blockSignals(False)

    def _fill(self) -> None:
        if self._visit is None:
            return
        text = {"Prompt": self._visit.prompt, "Reply": self._visit.reply}.get(self._tab)
        self._text.setVisible(text is not None)
        self._area.setVisible(text is None)
        if text is not None:
            shown = visible(text[:_MOST_OF_A_TEXT])
            if self._text.toPlainText() != shown:
                self._text.setPlainText(shown)
            self._text.setAccessibleName(tr(self._tab))
            return
        clear(self._facts)
        if self._tab == "Choice":
            for choice in self._visit.choices:
                self._add_choice(choice)
            self._facts.addWidget(Hairline())
        for name, value in self._visit.state:
            self._add_fact(name, value)

    def _add_choice(self, choice: Choice) -> None:
        self._facts.addWidget(Words(self._look, Kind.HELP, tr("Chosen"), "quiet"))
        self._facts.addWidget(_BarView(self._look, choice.chosen, "accent"))
        if choice.runner_up is not None:
            self._facts.addWidget(Words(self._look, Kind.HELP, tr("Runner-up"), "quiet"))
            self._facts.addWidget(_BarView(self._look, choice.runner_up, "edge"))
        self._facts.addWidget(Words(self._look, Kind.HELP, tr("Why"), "quiet"))
        why = FlowText(self._look, Kind.ROW)
        why.show_runs((Run(choice.why, "text"),))
        self._facts.addWidget(why)

    def _add_fact(self, name: str, value: str) -> None:
        label = Words(self._look, Kind.HELP, name, "quiet")
        if len(value) <= 24 and "\n" not in value:
            row = QWidget()
            line = QHBoxLayout(row)
            line.setContentsMargins(0, 0, 0, 0)
            line.addWidget(label)
            line.addStretch(1)
            line.addWidget(Words(self._look, Kind.HELP_STRONG, visible(value)))
            self._facts.addWidget(row)
            return
        text = FlowText(self._look, Kind.HELP)
        text.show_runs((Run(visible(value), "text"),))
        self._facts.addWidget(label)
        self._facts.addWidget(text)

    def _copy_step(self) -> None:
        if self._visit is not None:
            QGuiApplication.clipboard().setText(self._visit.as_text())

    def _restyle(self) -> None:
        self._tabs.setFont(self._look.font(Kind.CONTROL))
        self._text.setFont(self._look.font(Kind.CODE))

    def _lay_out(self) -> None:
        content = QWidget()
        content.setObjectName("side")
        inner = QVBoxLayout(content)
        inner.setContentsMargins(0, 0, 6, 0)
        inner.addLayout(self._facts)
        inner.addStretch(1)
        self._area = QScrollArea()
        self._area.setObjectName("sideArea")
        self._area.setAccessibleName(tr("What is known of the step"))
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QScrollArea.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setWidget(content)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._title)
        head.addWidget(self._number)
        head.addStretch(1)
        head.addWidget(self._close)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(12)
        column.addLayout(head)
        column.addWidget(self._tabs)
        column.addWidget(Hairline())
        column.addWidget(self._area, 1)
        column.addWidget(self._text, 1)
        column.addWidget(self._copy, 0, Qt.AlignmentFlag.AlignLeft)


class _BarView(QWidget):
    """A name in the code font, its probability, and a bar as long as that."""

    def __init__(self, look: Look, bar: Bar, token: str) -> None:
        super().__init__()
        self._look = look
        self._bar = bar
        self._token = token
        self.setAccessibleName(f"{bar.name}, {bar.probability:.0%}")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 9)
        kind = Kind.CODE_STRONG if token == "accent" else Kind.CODE
        row.addWidget(Words(look, kind, bar.name))
        row.addStretch(1)
        row.addWidget(Words(look, kind, f"{bar.probability:.2f}"))
        look.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        track = QRectF(0, self.height() - 5, self.width(), 5)
        painter.setBrush(self._look.color("line"))
        painter.drawRoundedRect(track, 2.5, 2.5)
        share = max(5.0, self.width() * self._bar.probability)
        left = self.width() - share if self.layoutDirection() is Qt.LayoutDirection.RightToLeft else 0.0
        painter.setBrush(self._look.color(self._token))
        painter.drawRoundedRect(QRectF(left, track.top(), share, 5), 2.5, 2.5)


def _ordinal(number: int) -> str:
    """Which time the turn is at a node; empty for the first."""
    if number <= len(_ORDINALS):
        return tr(_ORDINALS[number - 1]) if number > 1 else ""
    return tr("{number}th time", number=number)

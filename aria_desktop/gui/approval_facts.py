"""The facts of a question: what was said, which file, what is at risk, and every other argument in full."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from aria_desktop.core.approval import ApprovalRequest, RiskLevel
from aria_desktop.gui.flow_text import FlowText, Run
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.asked import heard_words, source_words
from aria_desktop.gui.state.shown import one_line, spans
from aria_desktop.gui.state.translation import mark, tr
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import IconView, Words

_MOST_HEIGHT = 240
_MOST_HEIGHT_ALONE = 480
"""Where no text is shown beside the facts."""
_RISK = {
    RiskLevel.LOW: (mark("Low."), "check", "text2", "text"),
    RiskLevel.MEDIUM: (mark("Medium."), "undo-2", "doubt", "doubt"),
    RiskLevel.HIGH: (mark("High."), "triangle-alert", "loss", "loss"),
}


class FactsArea(QScrollArea):
    """Scrolls when there is much; the label column can't be reached by any value."""

    def __init__(self, look: Look, request: ApprovalRequest) -> None:
        super().__init__()
        self._look = look
        alone = request.before is None and request.after is None
        self._most = _MOST_HEIGHT_ALONE if alone else _MOST_HEIGHT
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setObjectName("conversation")
        content = QWidget()
        content.setObjectName("column")
        self._column = QVBoxLayout(content)
        self._column.setContentsMargins(0, 0, 8, 0)
        self._column.setSpacing(9)
        self._fill(request)
        self._column.addStretch(1)
        self.setWidget(content)

    def end_visible(self) -> bool:
        bar = self.verticalScrollBar()
        return bar.value() >= bar.maximum()

    def sizeHint(self) -> QSize:
        return QSize(600, min(self._most, self._column.heightForWidth(max(400, self.viewport().width())) + 2))

    def minimumSizeHint(self) -> QSize:
        return QSize(200, min(64, self.sizeHint().height()))

    def _fill(self, request: ApprovalRequest) -> None:
        if request.words:
            self._add(tr("You said"), self._text(request.words))
        if request.heard is not None:
            self._add(tr("Heard"), self._noticed("ear", heard_words(request.heard)))
        if request.untrusted:
            self._add(tr("May come from"), self._noticed("file-text", source_words(request.untrusted)))
        if request.path:
            self._add(tr("File"), self._path(request.path))
        self._add(tr("Risk"), self._risk(request))
        for label, value in request.facts:
            self._add(label, self._value(value))

    def _add(self, label: str, value: QWidget) -> None:
        name = Words(self._look, Kind.ROW, one_line(label), "quiet", wrap=True)
        name.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        name.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        name.setFixedWidth(self._look.px(84))
        row = QHBoxLayout()
        row.addWidget(name, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(value, 1)
        self._column.addLayout(row)

    def _text(self, text: str) -> FlowText:
        view = FlowText(self._look, Kind.ROW)
        view.show_runs(_runs(text, "text"))
        return view

    def _noticed(self, icon: str, text: str) -> QWidget:
        """A line that has to be noticed."""
        return self._with_icon(icon, "doubt", _runs(text, "doubt"))

    def _value(self, value: str) -> QWidget:
        view = FlowText(self._look, Kind.CODE)
        view.show_runs(_runs(value, "text") or (Run("empty", "text3"),))
        if "\n" not in value:
            return view
        frame = QFrame()
        frame.setObjectName("card")
        column = QVBoxLayout(frame)
        column.setContentsMargins(10, 6, 10, 6)
        column.addWidget(view)
        return frame

    def _path(self, path: str) -> FlowText:
        """The folder pale, the name strong; never cut, a long path wraps."""
        split = max(path.rfind("/"), path.rfind("\\")) + 1
        view = FlowText(self._look, Kind.CODE)
        view.setObjectName("wholePath")
        name = tuple(Run(run.text, run.token, strong=True) for run in _runs(path[split:], "text"))
        view.show_runs((*_runs(path[:split], "text2"), *name))
        return view

    def _risk(self, request: ApprovalRequest) -> QWidget:
        word, icon, icon_token, token = _RISK[request.risk.level]
        level = Run(f"{tr(word)} ", token, strong=True)
        return self._with_icon(icon, icon_token, (level, *_runs(request.risk.text, "text")))

    def _with_icon(self, icon: str, icon_token: str, runs: tuple[Run, ...]) -> QWidget:
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(7)
        row.addWidget(IconView(self._look, icon, icon_token, 16), 0, Qt.AlignmentFlag.AlignTop)
        text = FlowText(self._look, Kind.ROW)
        text.show_runs(runs)
        row.addWidget(text, 1)
        return holder


def _runs(text: str, token: str) -> tuple[Run, ...]:
    """The text with what hides spelled out in amber; line breaks are kept."""
    runs: list[Run] = []
    for number, line in enumerate(text.split("\n")):
        if number:
            runs.append(Run("\n", token))
        runs += [Run(span.text, "doubt" if span.spelled else token) for span in spans(line)]
    return tuple(runs)

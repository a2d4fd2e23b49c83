"""The run inside of a turn: the graph and a sentence while it goes on, and again whenever it is replayed."""

from __future__ import annotations

import time

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, Qt
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from aria_desktop.gui.buttons import IconButton
from aria_desktop.gui.look import Look
from aria_desktop.gui.run_graph import RunGraph
from aria_desktop.gui.state import figures
from aria_desktop.gui.state.replay import Replay
from aria_desktop.gui.state.run_view import NO_RUN, Node, RunView
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import Words

_BEAT_MS = 33


class RunSection(QWidget):
    visit_chosen = Signal(object)
    """A `Visit`: its node was pressed, or what is known of it changed since."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._run = NO_RUN
        self._replay: Replay | None = None
        self.graph = RunGraph(look)
        self.graph.chosen.connect(self._choose)
        self._sentence = Words(look, Kind.ROW, tone="quiet", wrap=True)
        self._sentence.setObjectName("runSentence")
        self._bar = ReplayBar(look)
        self._bar.moved.connect(self._show_moment)
        self._bar.closed.connect(self.end_replay)
        self._bar.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(6)
        column.addWidget(self.graph)
        column.addWidget(self._sentence)
        column.addWidget(self._bar)
        self.hide()

    def show_run(self, run: RunView) -> None:
        """While the turn runs; it folds away with its end."""
        if self._replay is not None:
            return
        self._show(run, paced=True)
        self.setVisible(bool(run.visits) and not run.over)

    def start_replay(self, replay: Replay) -> None:
        """Play it at true speed from its start; Left and Right go step by step."""
        self._replay = replay
        self._bar.show_length(replay.seconds, replay.moments)
        self._bar.show()
        self.show()
        self._bar.play()

    def end_replay(self) -> None:
        self._replay = None
        self._bar.stop()
        self._bar.hide()
        self.graph.select(None)
        self.hide()

    def unselect(self) -> None:
        self.graph.select(None)

    def _show_moment(self, at: float) -> None:
        if self._replay is not None:
            self._show(self._replay.view(at), paced=False)

    def _show(self, run: RunView, *, paced: bool) -> None:
        self._run = run
        self.graph.show_run(run, paced=paced)
        self._sentence.setText(run.now)
        self._sentence.setVisible(bool(run.now))
        if self.graph.selected is not None:
            self._tell(self.graph.selected)

    def _choose(self, node: str) -> None:
        self.graph.select(Node(node))
        self._tell(Node(node))

    def _tell(self, node: Node) -> None:
        visit = self._run.visit(node)
        if visit is not None:
            self.visit_chosen.emit(visit)


class ReplayBar(QWidget):
    moved = Signal(float)
    """To this second of the run."""
    closed = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._seconds = 0.0
        self._moments: tuple[float, ...] = ()
        self._at = 0.0
        self._played_from = 0.0
        self._began = 0.0
        self.setObjectName("replayBar")
        self._beat = QTimer(self, interval=_BEAT_MS)
        self._beat.timeout.connect(self._on_beat)
        self._button = IconButton(look, "play", tr("Play"))
        self._button.clicked.connect(self._toggle)
        self._line = QProgressBar()
        self._line.setTextVisible(False)
        self._line.setFixedHeight(4)
        self._line.setRange(0, 1000)
        self._line.setAccessibleName(tr("Where the replay stands"))
        self._time = Words(look, Kind.TIME, tone="quiet")
        self._close = IconButton(look, "x", tr("End the replay"))
        self._close.clicked.connect(self.closed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._button)
        row.addWidget(self._line, 1)
        row.addWidget(self._time)
        row.addWidget(self._close)

    @property
    def playing(self) -> bool:
        return self._beat.isActive()

    def show_length(self, seconds: float, moments: tuple[float, ...]) -> None:
        self._seconds, self._moments = seconds, moments

    def play(self) -> None:
        start = 0.0 if self._at >= self._seconds else self._at
        self._played_from, self._began = start, time.monotonic()
        self._beat.start()
        self._button.set_icon("pause", tr("Pause"))
        self._go(start)
        self._button.setFocus(Qt.FocusReason.OtherFocusReason)

    def stop(self) -> None:
        self._beat.stop()
        self._button.set_icon("play", tr("Play"))

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.stop()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Left:
            self._step(max((moment for moment in self._moments if moment < self._at - 1e-6), default=0.0))
        elif event.key() == Qt.Key.Key_Right:
            self._step(min((moment for moment in self._moments if moment > self._at + 1e-6), default=self._seconds))
        else:
            super().keyPressEvent(event)

    def _step(self, at: float) -> None:
        self.stop()
        self._go(at)

    def _toggle(self) -> None:
        if self.playing:
            self.stop()
        else:
            self.play()

    def _on_beat(self) -> None:
        self._go(self._played_from + time.monotonic() - self._began)
        if self._at >= self._seconds:
            self.stop()

    def _go(self, at: float) -> None:
        before, self._at = self._at, min(at, self._seconds)
        self._line.setValue(round(1000 * self._at / self._seconds) if self._seconds else 1000)
        self._time.setText(tr("{done} of {all}", done=figures.duration(self._at), all=figures.duration(self._seconds)))
        if not self.playing or any(before < moment <= self._at for moment in self._moments) or self._at <= before:
            self.moved.emit(self._at)

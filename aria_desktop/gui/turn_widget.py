"""One turn in the conversation: the words as its heading, and below them, on one edge, all that came of them."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from aria_desktop.core.records import Source
from aria_desktop.gui.buttons import IconButton
from aria_desktop.gui.card_view import CardView
from aria_desktop.gui.flow_text import FlowText, Run
from aria_desktop.gui.focus_ring import FocusRing
from aria_desktop.gui.look import Look
from aria_desktop.gui.run_dots import RunDots
from aria_desktop.gui.run_section import RunSection
from aria_desktop.gui.state.replay import Replay
from aria_desktop.gui.state.run_pace import Dot, dots
from aria_desktop.gui.state.translation import mark, tr
from aria_desktop.gui.state.turn import Card, Note, Speech, Tone, TurnView
from aria_desktop.gui.state.verbs import Verbs
from aria_desktop.gui.steps_view import StepsView
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import IconView, Words, clear

GUTTER = 34
_SOURCES = {
    Source.MICROPHONE: ("mic", mark("Spoken")),
    Source.TEXT: ("keyboard", mark("Typed")),
    Source.FILE: ("file-audio", mark("From a sound file")),
}
_SPEECH = {
    Speech.SILENT: ("", "", ""),
    Speech.SPEAKING: ("volume-2", "accent", mark("Being spoken")),
    Speech.SPOKEN: ("volume-2", "text2", mark("Spoken")),
    Speech.INTERRUPTED: ("volume-x", "text3", mark("Speaking was interrupted")),
    Speech.UNSPOKEN: ("volume-x", "text3", mark("Not spoken")),
}
_NOTE_ICONS = {Tone.QUIET: ("square", "text3"), Tone.DOUBT: ("ear", "doubt"), Tone.LOSS: ("circle-alert", "loss")}


class TurnWidget(QWidget):
    undo_wanted = Signal(str)
    open_wanted = Signal(str)
    folder_wanted = Signal(str)
    """As in `CardView`."""
    correction_wanted = Signal(str)
    """The heard words, one of which was pressed because it is unsure."""
    replay_wanted = Signal(str)
    """The turn's id."""
    visit_chosen = Signal(object)
    """As in `RunSection`."""

    def __init__(self, look: Look, view: TurnView) -> None:
        super().__init__()
        self._look = look
        self._view: TurnView | None = None
        self._ring = FocusRing(look, self, 6)
        self._source = IconView(look, "keyboard")
        self._heard = FlowText(look, Kind.HEARD)
        self._heard.setObjectName("heardWords")
        self._heard.doubted.connect(lambda: self.correction_wanted.emit(self._view.text if self._view else ""))
        self._badges = _Badges(look)
        self._badges.replay.clicked.connect(self._want_replay)
        self._run: RunSection | None = None
        """Built when it is to be seen: most turns are over, and folded."""
        self._steps = StepsView(look)
        self._steps.setObjectName("steps")
        self._cards: dict[str, CardView] = {}
        self._card_column = QVBoxLayout()
        self._card_column.setSpacing(12)
        self._speech = IconView(look, "volume-2")
        self._answer = FlowText(look, Kind.BODY)
        self._answer.setObjectName("answer")
        self._answer_row = _with_gutter(self._speech, self._answer, look.line_height(Kind.BODY))
        self._note = _NoteRow(look)
        self._lay_out()
        self.show_view(view)

    def show_view(self, view: TurnView) -> None:
        if view == self._view:
            return
        self._view = view
        icon, name = _SOURCES[view.source]
        self._source.set_icon(icon, "text2" if view.ended else "accent")
        self._source.setToolTip(tr(name))
        self._heard.show_runs(_heard_runs(view))
        self.setAccessibleName(view.text)
        self._badges.show_badges(view.badges, view.figure, dots(view.run) if view.ended else (), view.ended)
        if self._run is not None or (view.run.visits and not view.ended):
            self._section().show_run(view.run)
        self._steps.show_steps(view.steps)
        for card in view.cards:
            self._card(card).show_card(card)
        self._show_answer(view)
        self._note.show_note(view.note)

    def _card(self, card: Card) -> CardView:
        if card.call_id not in self._cards:
            made = self._cards[card.call_id] = CardView(self._look)
            made.undo_wanted.connect(self.undo_wanted)
            made.open_wanted.connect(self.open_wanted)
            made.folder_wanted.connect(self.folder_wanted)
            self._card_column.addWidget(made)
        return self._cards[card.call_id]

    def _show_answer(self, view: TurnView) -> None:
        self._answer_row.setVisible(bool(view.answer))
        self._answer.show_runs((Run(view.answer, "text"),))
        icon, token, name = _SPEECH[view.speech]
        self._speech.setVisible(bool(icon))
        if icon:
            self._speech.set_icon(icon, token)
            self._speech.setToolTip(tr(name))

    def start_replay(self, replay: Replay) -> None:
        self._section().start_replay(replay)

    def unselect(self) -> None:
        """None of its steps is looked at any more."""
        if self._run is not None:
            self._run.unselect()

    def _section(self) -> RunSection:
        if self._run is None:
            self._run = RunSection(self._look)
            self._run.visit_chosen.connect(self.visit_chosen)
            self._below.insertWidget(1, self._run)
        return self._run

    def _want_replay(self) -> None:
        if self._view is not None:
            self.replay_wanted.emit(self._view.turn_id)

    def _lay_out(self) -> None:
        below = QWidget()
        inner = self._below = QVBoxLayout(below)
        inner.setContentsMargins(GUTTER, 0, 0, 0)
        inner.setSpacing(8)
        inner.addWidget(self._badges)
        inner.addWidget(self._steps)
        inner.addLayout(self._card_column)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(_with_gutter(self._source, self._heard, self._look.line_height(Kind.HEARD)))
        column.addWidget(below)
        column.addWidget(self._answer_row)
        column.addWidget(self._note)


class _Badges(QWidget):
    """What was done, and at the right the run that is over, folded."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._shown: tuple[Verbs, ...] | None = None
        self._row = QHBoxLayout()
        self._row.setSpacing(7)
        self._dots = RunDots(look)
        self._figure = Words(look, Kind.HELP, tone="quiet")
        self.replay = IconButton(look, "play", tr("Replay how this went (Ctrl+R)"))
        self.replay.setObjectName("replayButton")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        row.addLayout(self._row)
        row.addStretch(1)
        row.addWidget(self._dots)
        row.addWidget(self._figure)
        row.addWidget(self.replay)

    def show_badges(self, badges: tuple[Verbs, ...], figure: str, steps: tuple[Dot, ...], ended: bool) -> None:
        self._dots.show_dots(steps)
        self._figure.setText(figure)
        self.replay.setVisible(ended)
        self.setVisible(bool(badges or figure))
        if badges == self._shown:
            return
        self._shown = badges
        clear(self._row)
        for badge in badges:
            self._row.addWidget(_badge(self._look, badge))


class _NoteRow(QWidget):
    def __init__(self, look: Look) -> None:
        super().__init__()
        self._icon = IconView(look, "circle-alert", "loss")
        self._text = Words(look, Kind.BODY, wrap=True)
        self._text.setObjectName("turnNote")
        self._hint = Words(look, Kind.HELP, tone="quiet", wrap=True)
        words = QWidget()
        column = QVBoxLayout(words)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self._text)
        column.addWidget(self._hint)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(_with_gutter(self._icon, words, look.line_height(Kind.BODY)))

    def show_note(self, note: Note | None) -> None:
        self.setVisible(note is not None)
        if note is not None:
            self._icon.set_icon(*_NOTE_ICONS[note.tone])
            self._text.setText(note.text)
            self._text.set_tone(note.tone.value)
            self._hint.setText(note.hint)
            self._hint.setVisible(bool(note.hint))


def _badge(look: Look, badge: Verbs) -> QWidget:
    frame = QWidget()
    frame.setObjectName("badge")
    frame.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    row = QHBoxLayout(frame)
    row.setContentsMargins(8, 3, 9, 3)
    row.setSpacing(6)
    row.addWidget(IconView(look, badge.icon, "text2", 14))
    row.addWidget(Words(look, Kind.CAP, badge.badge, "quiet"))
    return frame


def _with_gutter(icon: QWidget, content: QWidget, line: float) -> QWidget:
    """`line`: height of the content's first line, in whose middle the icon sits."""
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(0)
    gutter = QWidget()
    gutter.setFixedWidth(GUTTER)
    inner = QVBoxLayout(gutter)
    inner.setContentsMargins(0, max(0, round((line - icon.height()) / 2)), 0, 0)
    inner.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
    row.addWidget(gutter)
    row.addWidget(content, 1)
    return holder


def _heard_runs(view: TurnView) -> tuple[Run, ...]:
    if not view.words:
        return (Run(view.tentative or "…", "text3"),)
    return tuple(Run(word.text, "doubt" if word.unsure else "text", dotted=word.unsure) for word in view.words)

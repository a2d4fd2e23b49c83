"""Talking: the ring, the talk key and Escape in, requests out; the microphone's events in, ring and dock out."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from aria_desktop.core import events, requests
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.requests import ListenMode, Request
from aria_desktop.gui.announce import announce
from aria_desktop.gui.main_window import MainWindow
from aria_desktop.gui.state.levels import Levels
from aria_desktop.gui.state.talk import TAP, Escape, Press, Talk, escape, talk
from aria_desktop.gui.state.translation import tr

_BEAT_MS = 33


class TalkControl(QObject):
    question_wanted = Signal()
    """The ring was pressed while a question waits."""
    explanation_wanted = Signal()
    """The ring was pressed while hearing is off."""

    def __init__(
        self,
        window: MainWindow,
        levels: Levels,
        submit: Callable[[Request], None],
        listen: Callable[[ListenMode], Request],
    ) -> None:
        """`listen` makes a `StartListening` for a mode."""
        super().__init__(window)
        self._window = window
        self._levels = levels
        self._submit = submit
        self._listen = listen
        self._activity = events.Activity.IDLE
        self._hearing: events.EngineState | None = None
        self._microphone = ""
        self._open = False
        self._opened_at = 0.0
        self._holding_since: float | None = None
        self._too_short = False
        self._state = ""
        self._offered = ""
        """The turn whose words wait for an answer."""
        self._beat = QTimer(self, interval=_BEAT_MS)
        self._beat.timeout.connect(self._on_beat)
        button = window.panel.button
        button.held.connect(lambda: self._press(ListenMode.HOLD))
        button.let_go.connect(lambda _seconds: self._let_go())
        button.toggled_by_key.connect(lambda: self._press(ListenMode.UNTIL_SILENCE))
        window.talk_key.connect(self._talk_key)
        window.escape.connect(self._escape)
        window.seen.connect(self._show)
        window.listening.answered.connect(self._answer)
        self._show()

    def apply(self, event: events.Event) -> None:
        match event:
            case events.ActivityChanged():
                self._activity = event.activity
            case events.EngineChanged(role=events.EngineRole.SPEECH):
                self._hearing = event.state
            case events.ListeningStarted():
                self._opened(event)
            case events.LevelMeasured():
                self._levels.add(event.level, event.speech)
                return
            case events.ListeningEnded():
                self._ended(event)
            case events.WordsSoFar():
                if self._open:
                    self._window.listening.so_far(event.text, pausing=event.pausing)
                return
            case events.TranscriptOffered():
                self._offer(event)
            case events.TranscriptSettled(turn_id=turn_id) | events.TurnEnded(turn_id=turn_id) if self._waits(turn_id):
                self._settled()
            case events.RecognitionProgress() if self._window.listening.isVisible():
                self._window.listening.recognising(event.text)
            case events.TurnStarted():
                self._window.listening.hide()
            case events.TurnEnded(outcome=TurnOutcome.NOTHING_HEARD):
                self._window.listening.nothing(event.text or tr("Nothing was heard."), event.hint)
            case events.TurnEnded(turn_id="") | events.Problem() if not (self._open or self._too_short):
                self._window.listening.hide()
            case _:
                return
        self._show()

    @property
    def _talk(self) -> Talk:
        return talk(self._activity, self._open, self._hearing)

    def _press(self, mode: ListenMode) -> None:
        match self._talk.press:
            case Press.LISTEN:
                self._start(mode)
            case Press.SEND:
                self._submit(requests.StopListening())
            case Press.STOP_TURN:
                self._submit(requests.CancelTurn())
            case Press.SILENCE:
                self._submit(requests.SilenceVoice())
            case Press.SHOW_QUESTION:
                self.question_wanted.emit()
            case Press.EXPLAIN:
                self.explanation_wanted.emit()

    def _start(self, mode: ListenMode) -> None:
        self._too_short = False
        if mode is ListenMode.HOLD:
            self._holding_since = time.monotonic()
        self._submit(self._listen(mode))

    def _let_go(self) -> None:
        if self._holding_since is None:
            return
        seconds = time.monotonic() - self._holding_since
        self._holding_since = None
        self._too_short = seconds < TAP
        self._submit(requests.DropRecording() if self._too_short else requests.StopListening())
        if self._too_short:
            self._window.listening.nothing(
                tr("That was too short to hear."), tr("Hold the button or the keys while you speak.")
            )

    def _talk_key(self, down: bool) -> None:
        if not down:
            self._let_go()
        elif self._talk.press is Press.SILENCE:
            self._submit(requests.SilenceVoice())
            self._start(ListenMode.HOLD)
        elif self._talk.press is Press.STOP_TURN:
            # What is said while another turn runs is carried out after it.
            self._start(ListenMode.HOLD)
        elif self._talk.press in (Press.LISTEN, Press.EXPLAIN):
            self._press(ListenMode.HOLD)

    def _offer(self, event: events.TranscriptOffered) -> None:
        self._offered = event.turn_id
        typing = bool(self._window.panel.entry.field.toPlainText())
        self._window.listening.offer(event.text, event.unsure, take_keyboard=not typing)
        announce(self._window, event.text, urgent=True)

    def _answer(self, words: str) -> None:
        if self._offered:
            self._submit(requests.AnswerTranscript(self._offered, words, "the window"))
            self._settled()

    def _waits(self, turn_id: str) -> bool:
        return turn_id != "" and turn_id == self._offered

    def _settled(self) -> None:
        """By this window, or by somebody else."""
        self._offered = ""
        self._window.listening.hide()

    def _escape(self) -> None:
        if self._offered:
            self._window.listening.drop_offer()
            return
        match escape(self._activity, self._open):
            case Escape.SILENCE:
                self._submit(requests.SilenceVoice())
            case Escape.DROP_RECORDING:
                self._holding_since = None
                self._submit(requests.DropRecording())
            case Escape.STOP_TURN:
                self._submit(requests.CancelTurn())
            case Escape.NOTHING:
                self._window.listening.hide()

    def _opened(self, event: events.ListeningStarted) -> None:
        self._open = True
        self._microphone = event.device
        self._opened_at = time.monotonic()
        self._levels.clear()
        self._window.listening.so_far("", pausing=False)
        self._window.listening.listening(0, event.device)

    def _ended(self, event: events.ListeningEnded) -> None:
        self._open = False
        self._holding_since = None
        self._levels.clear()
        if self._too_short:
            return
        match event.reason:
            case "released" | "silence" | "limit":
                self._window.listening.recognising("")
            case "dropped":
                self._window.listening.hide()
            case trouble:
                self._window.listening.nothing(tr("The recording broke off."), trouble)

    def _show(self) -> None:
        state = self._talk
        self._window.panel.show_talk(state, self._microphone if self._open else "")
        self._window.panel.button.show_levels(self._levels.bars())
        moving = self._window.on_screen and self._window.panel.button.animated
        if moving and not self._beat.isActive():
            self._beat.start()
        elif not moving:
            self._beat.stop()
        if state.state != self._state:
            self._state = state.state
            announce(self._window, state.state)

    def _on_beat(self) -> None:
        if not self._window.on_screen:
            self._beat.stop()
            return
        panel = self._window.panel
        panel.button.show_levels(self._levels.bars())
        panel.button.update()
        if self._open:
            panel.meter.refresh()
            self._window.listening.listening(time.monotonic() - self._opened_at, self._microphone)

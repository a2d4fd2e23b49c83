"""The guide of the first start: opened when it is asked for, told what happens, and its wishes sent on."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from aria_desktop.core import events, listings, requests
from aria_desktop.core.models import ModelRecord
from aria_desktop.core.seal import Badge
from aria_desktop.gui.guide import GuideDialog
from aria_desktop.gui.look import Look
from aria_desktop.gui.main_window import MainWindow
from aria_desktop.gui.state import guide as state
from aria_desktop.gui.state.guide import Guide, Step
from aria_desktop.gui.state.levels import Levels
from aria_desktop.gui.state.models_page import engine_setting
from aria_desktop.gui.state.translation import marks

EXAMPLES = marks("Create a shopping list with milk, eggs and bread", "Write a Python function that reverses a word")


class GuideControl(QObject):
    folder_wanted = Signal()
    """Models are to be added from a folder."""
    models_wanted = Signal()

    def __init__(
        self, look: Look, window: MainWindow, levels: Levels, badge: Badge, submit: Callable[[requests.Request], None]
    ) -> None:
        super().__init__(window)
        self._look, self._window, self._levels, self._submit = look, window, levels, submit
        self._guide = Guide(badge)
        self._dialog: GuideDialog | None = None
        self._latest = ""
        self._test = ""
        """The request of the test that goes on."""
        self._begun = False
        """The first page was chosen by what is fine already."""
        self._numbers = itertools.count(1)

    def apply(self, event: events.Event) -> bool:
        """True when the event was for the guide alone. How the key is heard is told once, long before it is opened."""
        if isinstance(event, events.TalkKeyChanged):
            self._take(event)
        if self._dialog is None:
            return False
        match event:
            case listings.ModelsListed() if event.request_id == self._latest:
                self._take(event)
                self._begin()
                return True
            case listings.SettingChanged(name="engines.voice"):
                self._look_again()
            case events.Problem() if event.request_id and event.request_id == self._test:
                self._failed(f"{event.text} {event.hint}".strip())
                return True
            case events.TurnEnded() if event.request_id and event.request_id == self._test:
                # Dropped on purpose, or no microphone: either way the test is over.
                self._failed(f"{event.text} {event.hint}".strip() if event.error else "")
                return bool(event.error)
            case events.ListeningStarted() | events.LevelMeasured() | events.WordsSoFar() | events.ListeningEnded():
                if self._test:
                    self._take(event)
        return False

    def open(self) -> None:
        if self._dialog is not None:
            self._dialog.raise_()
            return
        self._begun = False
        dialog = self._dialog = GuideDialog(self._look, self._levels, EXAMPLES, self._window)
        dialog.key_moved.connect(self._key)
        dialog.test_wanted.connect(self._test_microphone)
        dialog.voice_wanted.connect(self._use)
        dialog.folder_wanted.connect(lambda: self._leave_for(self.folder_wanted.emit))
        dialog.models_wanted.connect(lambda: self._leave_for(self.models_wanted.emit))
        dialog.example.connect(self._try)
        dialog.went.connect(self._went)
        dialog.finished.connect(self._closed)
        dialog.show_guide(self._guide)
        dialog.open()
        self._look_again()

    def _look_again(self) -> None:
        self._latest = self._id()
        self._submit(requests.ListModels(self._latest))

    def _begin(self) -> None:
        """Pages on which all is well are passed over, once."""
        if not self._begun and self._dialog is not None:
            self._begun = True
            self._dialog.go(state.first_open(self._guide))

    def _take(self, event: events.Event) -> None:
        self._set(state.took(self._guide, event))

    def _set(self, guide: Guide) -> None:
        self._guide = guide
        if self._dialog is not None:
            self._dialog.show_guide(guide)

    def _went(self, step: Step) -> None:
        self._end_test()
        self._set(replace(self._guide, seen=self._guide.seen | {step}))

    def _key(self, down: bool) -> None:
        if down:
            self._set(replace(self._guide, pressed=True, released=False))
        else:
            self._set(replace(self._guide, released=True))

    def _test_microphone(self, begin: bool) -> None:
        if not begin:
            self._end_test()
        elif not self._test:
            self._test = self._id()
            self._set(replace(self._guide, trouble=""))
            self._submit(requests.StartListening(self._test, requests.ListenMode.HOLD, speak=False))

    def _end_test(self) -> None:
        """What was said is forgotten: a test carries nothing out."""
        if self._test:
            self._test = ""
            self._submit(requests.DropRecording())
            self._set(replace(self._guide, listening=False))

    def _failed(self, why: str) -> None:
        self._test = ""
        self._set(replace(self._guide, listening=False, trouble=why))

    def _use(self, model: ModelRecord) -> None:
        self._submit(requests.ChangeSetting(self._id(), *engine_setting(model)))

    def _leave_for(self, go: Callable[[], None]) -> None:
        if self._dialog is not None:
            self._dialog.reject()
        go()

    def _try(self, words: str) -> None:
        if self._dialog is not None:
            self._dialog.accept()
        self._window.panel.entry.put(words)

    def _closed(self) -> None:
        self._end_test()
        self._dialog = None

    def _id(self) -> str:
        return f"guide-{next(self._numbers)}"

"""The settings at hand below the talk button: menus out, wishes in."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from PySide6.QtCore import QObject

from aria_desktop.core import events, listings, requests
from aria_desktop.core.requests import Request
from aria_desktop.gui.state.quick_choices import MICROPHONE, choices, current, words_of
from aria_desktop.gui.talk_panel import TalkPanel
from aria_desktop.storage.declarations import Settings


class QuickControl(QObject):
    def __init__(
        self,
        panel: TalkPanel,
        settings: Callable[[], Settings],
        want: Callable[[str, str], None],
        submit: Callable[[Request], None],
    ) -> None:
        """`want` asks for a setting to have a value."""
        super().__init__(panel)
        self._panel = panel
        self._settings = settings
        self._submit = submit
        self._numbers = itertools.count(1)
        self._asked = ""
        """The request that the microphones' menu waits for."""
        for name, row in panel.choices.items():
            row.opened.connect(lambda name=name: self._open(name))
            row.chosen.connect(lambda value, name=name: want(name, value))
        self.show_settings()

    def show_settings(self) -> None:
        for name, row in self._panel.choices.items():
            row.show_value(words_of(name, current(name, self._settings())))

    def apply(self, event: events.Event) -> bool:
        """True when the event was for it alone."""
        match event:
            case listings.MicrophonesListed(request_id, names) if request_id == self._asked:
                self._offer(MICROPHONE, names)
                return True
            case events.Problem(request_id=request_id) if request_id and request_id == self._asked:
                # What went wrong is told elsewhere; another choice than the one that fails is still possible.
                self._offer(MICROPHONE, ())
                return False
            case _:
                return False

    def _open(self, name: str) -> None:
        if name != MICROPHONE:
            self._offer(name, ())
        elif not self._asked:
            self._asked = f"microphones-{next(self._numbers)}"
            self._submit(requests.ListMicrophones(self._asked))

    def _offer(self, name: str, microphones: tuple[str, ...]) -> None:
        if name == MICROPHONE:
            self._asked = ""
        self._panel.choices[name].offer(choices(name, self._settings(), microphones))

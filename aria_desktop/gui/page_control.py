"""The pages beside Talk: made when they are first opened, told what happened, and their wishes sent on."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from aria_desktop.core import events, listings, requests
from aria_desktop.core.requests import Request
from aria_desktop.gui.history_control import HistoryControl
from aria_desktop.gui.look import Look
from aria_desktop.gui.main_window import MainWindow
from aria_desktop.gui.models_control import ModelsControl
from aria_desktop.gui.options import WindowOptions
from aria_desktop.gui.pages.settings_page import SettingsPage
from aria_desktop.gui.quick_control import QuickControl
from aria_desktop.gui.state.pages import Page
from aria_desktop.gui.state.settings_page import Category
from aria_desktop.storage.declarations import Settings


class PageControl(QObject):
    guide_wanted = Signal()

    def __init__(
        self,
        look: Look,
        window: MainWindow,
        submit: Callable[[Request], None],
        options: WindowOptions,
        folder: Callable[[], str],
    ) -> None:
        """`folder`: the one that turns work in now."""
        super().__init__(window)
        self._look = look
        self._window = window
        self._submit = submit
        self._options = options
        self._numbers = itertools.count(1)
        self._asked: dict[str, str] = {}
        """Settings that were asked for, by request."""
        self._settings = options.desk.settings if options.desk else Settings()
        self._quick = QuickControl(window.panel, lambda: self._settings, self._want_setting, submit)
        self._settings_page: SettingsPage | None = None
        self._history: HistoryControl | None = None
        self._models: ModelsControl | None = None
        if options.desk is not None:
            self._history = HistoryControl(look, window, submit)
            self._models = ModelsControl(look, window, submit, options, folder)
            window.pages.offer(Page.SETTINGS, self._make_settings)
            self._connect_keys()
        page = options.open_page or options.place.page
        if page in Page.__members__:
            window.pages.open(Page[page])

    def apply(self, event: events.Event) -> bool:
        """True when the event was for a page alone."""
        if self._history is not None and self._history.apply(event):
            return True
        if self._models is not None and self._models.apply(event):
            return True
        if self._quick.apply(event):
            return True
        match event:
            case listings.SettingChanged():
                self._changed(event)
                return True
            case events.Problem(request_id=request_id) if request_id in self._asked:
                name = self._asked.pop(request_id)
                if self._settings_page is None or not self._settings_page.isVisible():
                    return False
                self._settings_page.show_settings(self._settings)
                self._settings_page.complain(name, f"{event.text} {event.hint}".strip())
                return True
            case _:
                return False

    def open_settings(self, category: Category) -> None:
        self._window.pages.open(Page.SETTINGS)
        if self._settings_page is not None:
            self._settings_page.open_category(category)

    def add_models(self) -> None:
        """Have the user pick a folder that holds models."""
        self._window.pages.open(Page.MODELS)
        if self._models is not None:
            self._models.choose()

    def _changed(self, event: listings.SettingChanged) -> None:
        """Also when somebody else changed it."""
        self._asked.pop(event.request_id, None)
        section, key = event.name.split(".")
        changed = replace(getattr(self._settings, section), **{key: event.value})
        self._settings = replace(self._settings, **{section: changed})
        match event.name:
            case "window.theme":
                self._look.set_choice(self._settings.window.theme)
            case "window.font_percent":
                self._look.set_usual_percent(self._settings.window.font_percent)
            case "voice.speak_replies":
                self._window.panel.speak.setChecked(self._settings.voice.speak_replies)
            case _:
                pass
        self._quick.show_settings()
        if self._settings_page is not None:
            self._settings_page.show_settings(self._settings)

    def _make_settings(self) -> QWidget:
        self._settings_page = SettingsPage(self._look, self._options, self._settings)
        self._settings_page.wanted.connect(self._want_setting)
        self._settings_page.guide_wanted.connect(self.guide_wanted)
        return self._settings_page

    def _want_setting(self, name: str, value: bool | int | float | str) -> None:
        request = requests.ChangeSetting(f"page-{next(self._numbers)}", name, value)
        self._asked[request.request_id] = name
        self._submit(request)

    def _connect_keys(self) -> None:
        for keys, category in (("Ctrl+,", None), ("F1", Category.KEYS)):
            shortcut = QShortcut(QKeySequence(keys), self._window)
            shortcut.activated.connect(lambda category=category: self._by_key(category))

    def _by_key(self, category: Category | None) -> None:
        if category is not None:
            self.open_settings(category)
        else:
            self._window.pages.open(Page.SETTINGS)
        if self._settings_page is not None:
            self._settings_page.list.setFocus(Qt.FocusReason.ShortcutFocusReason)

"""The Models page's wishes and what the assistant answers to them; and the way into fetch mode."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from aria_desktop.core import events, listings, requests
from aria_desktop.core.errors import AriaError
from aria_desktop.core.models import MachineRecord, ModelPresence, ModelRecord, ModelWork
from aria_desktop.core.requests import Request
from aria_desktop.gui.look import Look
from aria_desktop.gui.main_window import MainWindow
from aria_desktop.gui.options import WindowOptions
from aria_desktop.gui.pages.models_page import ModelsPage
from aria_desktop.gui.pages.plain_question import PlainQuestion
from aria_desktop.gui.state import models_page as state
from aria_desktop.gui.state.models_page import FETCHES, Moving
from aria_desktop.gui.state.pages import Page
from aria_desktop.gui.state.translation import tr
from aria_desktop.storage.left_off import LeftOff


class ModelsControl(QObject):
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
        self._look, self._window, self._submit, self._options = look, window, submit, options
        self._folder = folder
        self._numbers = itertools.count(1)
        self._page: ModelsPage | None = None
        self._listed: listings.ModelsListed | None = None
        self._latest = ""
        """The last request for the list."""
        self._works: dict[str, requests.WorkOnModel] = {}
        """What was asked for and is not done, by request."""
        self._moving: dict[str, tuple[str, Moving]] = {}
        """Work that goes on: its request and how far it is, by model."""
        self._settings: dict[str, str] = {}
        """Models that are to be used, by the request that asks for it."""
        self._turns: set[str] = set()
        self._session_id = ""
        window.pages.offer(Page.MODELS, self._make)
        window.pages.opened.connect(self._opened)

    def apply(self, event: events.Event) -> bool:
        """True when the event was for the page alone."""
        match event:
            case events.TurnStarted():
                self._turns.add(event.turn_id)
                self._session_id = event.session_id
            case events.TurnEnded():
                self._turns.discard(event.turn_id)
            case listings.SessionShown() if event.current:
                self._session_id = event.session.session_id
            case listings.SettingChanged() if event.name.startswith("engines."):
                self._settings.pop(event.request_id, None)
                self._look_again()
            case listings.ModelsListed() if event.request_id == self._latest:
                self._listed = event
                self._show()
                return True
            case listings.ModelWorkMoved() if event.request_id in self._works:
                self._moving[event.model_id] = (event.request_id, state.moving(event.work, event.done, event.total))
                self._page_of().show_moving(event.model_id, self._moving[event.model_id][1])
                return True
            case listings.ModelWorkDone() if event.request_id in self._works:
                self._ended(event.request_id, state.done_words(event.work, self._names(event.model_ids), event.text))
                return True
            case events.Problem() if event.request_id in self._works:
                self._ended(event.request_id, f"{event.text} {event.hint}".strip(), trouble=True)
                return True
            case events.Problem() if event.request_id and event.request_id in (*self._settings, self._latest):
                self._settings.pop(event.request_id, None)
                self._page_of().say(f"{event.text} {event.hint}".strip(), trouble=True)
                return True
            case _:
                pass
        return False

    def add(self, path: str) -> None:
        """Models of a folder that the user has picked just now."""
        self._work(ModelWork.ADD, path=path)

    def _make(self) -> QWidget:
        page = self._page = ModelsPage(self._look)
        page.acted.connect(self._act)
        page.work_wanted.connect(self._want_work)
        page.stop_wanted.connect(self._stop)
        page.add_wanted.connect(self.choose)
        page.measure_all_wanted.connect(self._measure_all)
        return page

    def _opened(self, page: Page) -> None:
        if page is Page.MODELS:
            self._look_again()
            # Whoever walks along the tabs by arrow keys stays there.
            if not self._window.top_bar.tabs.hasFocus():
                self._page_of().focus_first()

    def _look_again(self) -> None:
        if self._page is not None and self._window.pages.current is Page.MODELS:
            self._latest = self._id()
            self._submit(requests.ListModels(self._latest))

    def _show(self) -> None:
        if self._listed is None:
            return
        machine, can_fetch = self._listed.machine, self._options.fetch is not None
        self._page_of().show_machine(*state.machine_words(machine))
        groups = state.groups(self._listed.models, machine, can_fetch=can_fetch)
        self._page_of().show_groups(groups, {name: moving for name, (_, moving) in self._moving.items()})

    def _ended(self, request_id: str, words: str, *, trouble: bool = False) -> None:
        self._works.pop(request_id)
        for model_id in [name for name, (number, _) in self._moving.items() if number == request_id]:
            del self._moving[model_id]
            self._page_of().show_moving(model_id, None)
        self._page_of().say(words, trouble=trouble)
        self._look_again()

    def _act(self, model_id: str) -> None:
        model = self._model(model_id)
        action = state.row(model, self._machine(), self._options.fetch is not None).action
        if action in FETCHES:
            self._ask_fetch(model)
        elif action is state.Action.USE:
            number = self._id()
            self._settings[number] = model_id
            self._submit(requests.ChangeSetting(number, *state.engine_setting(model)))

    def _want_work(self, model_id: str, work: ModelWork) -> None:
        if work is not ModelWork.REMOVE:
            self._work(work, model_id)
            return
        question, means = state.remove_question(self._model(model_id))
        dialog = PlainQuestion(self._look, question, means, tr("Remove the model"), self._window)
        dialog.accepted.connect(lambda: self._work(ModelWork.REMOVE, model_id))
        dialog.open()

    def _work(self, work: ModelWork, model_id: str = "", path: str = "") -> None:
        request = requests.WorkOnModel(self._id(), work, model_id, path)
        self._works[request.request_id] = request
        if model_id:
            self._moving[model_id] = (request.request_id, state.moving(work, 0, 0))
            self._page_of().show_moving(model_id, self._moving[model_id][1])
        self._page_of().say_nothing()
        self._submit(request)

    def _measure_all(self) -> None:
        """Those that are here, one after the other."""
        for model in self._listed.models if self._listed is not None else ():
            if model.presence is ModelPresence.INSTALLED and model.model_id not in self._moving:
                self._work(ModelWork.MEASURE, model.model_id)

    def _stop(self, model_id: str) -> None:
        if model_id in self._moving:
            self._submit(requests.StopModelWork(self._moving[model_id][0]))

    def choose(self) -> None:
        dialog = QFileDialog(self._window, tr("Choose a folder or stick that holds models"))
        dialog.setObjectName("modelsDialog")
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(self.add)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _ask_fetch(self, model: ModelRecord) -> None:
        if self._turns or self._works:
            self._page_of().say(tr("ARIA is at work. Fetch models when it is done."), trouble=True)
            return
        question, means = state.fetch_question(model)
        dialog = PlainQuestion(self._look, question, means, tr("Fetch it"), self._window)
        dialog.accepted.connect(lambda: self._fetch(model.model_id))
        dialog.open()

    def _fetch(self, model_id: str) -> None:
        """Ends this window, when the answer was yes."""
        assert self._options.fetch is not None
        try:
            self._options.fetch((model_id,), LeftOff(self._session_id, self._folder(), Page.MODELS.name))
        except AriaError as error:
            self._page_of().say(str(error), trouble=True)
            return
        self._window.close()

    def _names(self, model_ids: tuple[str, ...]) -> tuple[str, ...]:
        known = {model.model_id: model.name for model in (self._listed.models if self._listed else ())}
        return tuple(known.get(model_id, model_id) for model_id in model_ids)

    def _model(self, model_id: str) -> ModelRecord:
        assert self._listed is not None
        return next(model for model in self._listed.models if model.model_id == model_id)

    def _machine(self) -> MachineRecord:
        assert self._listed is not None
        return self._listed.machine

    def _page_of(self) -> ModelsPage:
        assert self._page is not None
        return self._page

    def _id(self) -> str:
        return f"models-{next(self._numbers)}"

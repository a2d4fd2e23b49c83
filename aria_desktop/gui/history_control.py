"""The History page's wishes and what the assistant answers to them."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QWidget

from aria_desktop.core import events, listings, requests
from aria_desktop.core.errors import AriaError
from aria_desktop.core.records import SessionRecord, TurnRecord
from aria_desktop.core.requests import Request
from aria_desktop.gui.look import Look
from aria_desktop.gui.main_window import MainWindow
from aria_desktop.gui.pages.delete_question import DeleteQuestion
from aria_desktop.gui.pages.history_page import HistoryPage
from aria_desktop.gui.state.history_page import Entry, all_items, found_items, found_words, is_search, preview
from aria_desktop.gui.state.pages import Page
from aria_desktop.gui.state.translation import tr
from aria_desktop.storage.exchange import as_json, as_markdown
from aria_desktop.storage.files import storage_error


class HistoryControl(QObject):
    def __init__(self, look: Look, window: MainWindow, submit: Callable[[Request], None]) -> None:
        super().__init__(window)
        self._look = look
        self._window = window
        self._submit = submit
        self._numbers = itertools.count(1)
        self._page: HistoryPage | None = None
        self._latest: dict[str, str] = {}
        """The last request of each kind; answers to earlier ones are late."""
        self._shown: tuple[SessionRecord, Sequence[TurnRecord]] | None = None
        self._running: set[str] = set()
        """Turns that are being carried out."""
        window.pages.offer(Page.HISTORY, self._make)
        window.pages.opened.connect(self._opened)
        shortcut = QShortcut(QKeySequence("Ctrl+Shift+F"), window)
        shortcut.activated.connect(self._find)

    def apply(self, event: events.Event) -> bool:
        """True when the event was for the page alone."""
        match event:
            case events.TurnStarted():
                self._turn(event.turn_id, running=True)
            case events.TurnEnded():
                self._turn(event.turn_id, running=False)
            case listings.SessionsListed() if self._is_latest("list", event.request_id):
                self._page_of().show_items(all_items(event.sessions, time.time()), "", None)
                return True
            case listings.SessionsFound() if self._is_latest("list", event.request_id):
                text = self._page_of().search.text()
                items = found_items(event.result, time.time())
                self._page_of().show_items(items, found_words(event.result, text), event.result)
                return True
            case listings.SessionShown() if self._is_latest("show", event.request_id):
                self._show(event)
                return True
            case listings.SessionShown() | listings.SessionChanged() | listings.SessionDeleted():
                self._look_again()
                return event.request_id in self._latest.values() and not isinstance(event, listings.SessionShown)
            case events.Problem() if event.request_id in self._latest.values():
                self._page_of().say(f"{event.text} {event.hint}".strip())
                return True
            case _:
                pass
        return False

    def _turn(self, turn_id: str, *, running: bool) -> None:
        (self._running.add if running else self._running.discard)(turn_id)
        if self._page is not None:
            self._page.preview.allow_open(not self._running)
            if not running:
                self._look_again()

    def _make(self) -> QWidget:
        page = self._page = HistoryPage(self._look)
        page.search_wanted.connect(self._look_again)
        page.list.chosen.connect(self._want_preview)
        page.list.wanted.connect(lambda _: self._open())
        page.preview.open_wanted.connect(self._open)
        page.preview.branch_wanted.connect(self._branch)
        page.preview.pin_wanted.connect(self._pin)
        page.preview.renamed.connect(self._rename)
        page.preview.export_wanted.connect(self._export)
        page.preview.delete_wanted.connect(self._delete)
        page.preview.allow_open(not self._running)
        return page

    def _opened(self, page: Page) -> None:
        if page is not Page.HISTORY:
            return
        self._look_again()
        # Whoever walks along the tabs by arrow keys stays there.
        if not self._window.top_bar.tabs.hasFocus():
            self._page_of().search.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _find(self) -> None:
        self._window.pages.open(Page.HISTORY)
        self._page_of().search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._page_of().search.selectAll()

    def _look_again(self) -> None:
        """Ask for what the page is to show now; not while nobody sees it."""
        if self._page is None or self._window.pages.current is not Page.HISTORY:
            return
        text = self._page.search.text()
        number = self._next("list")
        if is_search(text):
            since = self._page.since.from_when(time.time())
            self._submit(
                requests.SearchSessions(number, text, self._page.places, since, newest_first=self._page.newest_first)
            )
        else:
            self._submit(requests.ListSessions(number))

    def _want_preview(self, entry: Entry) -> None:
        self._submit(requests.ShowSession(self._next("show"), entry.session_id))

    def _show(self, event: listings.SessionShown) -> None:
        self._shown = (event.session, event.turns)
        entry = self._page_of().list.entry()
        turn_id = entry.turn_id if entry is not None else ""
        text = self._page_of().search.text()
        self._page_of().preview.show_preview(preview(event.session, event.turns, turn_id, text, time.time()))

    def _open(self) -> None:
        if self._shown is not None and not self._running:
            self._submit(requests.OpenSession(self._next("open"), self._shown[0].session_id))
            self._window.pages.open(Page.TALK)

    def _branch(self) -> None:
        """From the turn that was found, else from the last one."""
        entry = self._page_of().list.entry()
        if self._shown is not None and self._shown[1]:
            turn_id = entry.turn_id if entry is not None and entry.turn_id else self._shown[1][-1].turn_id
            self._submit(requests.BranchSession(self._next("branch"), self._shown[0].session_id, turn_id))

    def _pin(self, pinned: bool) -> None:
        if self._shown is not None:
            self._submit(requests.PinSession(self._next("change"), self._shown[0].session_id, pinned))

    def _rename(self, title: str) -> None:
        if self._shown is not None:
            self._submit(requests.RenameSession(self._next("change"), self._shown[0].session_id, title))

    def _delete(self) -> None:
        if self._shown is not None:
            session = self._shown[0]
            question = DeleteQuestion(self._look, session, self._window)
            question.accepted.connect(
                lambda: self._submit(requests.DeleteSession(self._next("change"), session.session_id))
            )
            question.open()

    def _export(self) -> None:
        dialog = QFileDialog(self._window, tr("Export conversation"))
        dialog.setObjectName("exportDialog")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters(["Markdown (*.md)", "JSON (*.json)"])
        dialog.setDefaultSuffix("md")
        dialog.fileSelected.connect(self.write)
        dialog.open()

    def write(self, path: str) -> None:
        """The conversation beside the list, as JSON for a name that ends so, else as Markdown."""
        if self._shown is None:
            return
        make = as_json if path.endswith(".json") else as_markdown
        try:
            _write(Path(path), make(*self._shown))
        except AriaError as error:
            self._page_of().say(f"{error.text} {error.hint}".strip())
            return
        self._page_of().say(tr("Exported to {path}", path=path))

    def _is_latest(self, kind: str, request_id: str) -> bool:
        return self._page is not None and self._latest.get(kind) == request_id

    def _page_of(self) -> HistoryPage:
        assert self._page is not None
        return self._page

    def _next(self, kind: str) -> str:
        self._latest[kind] = f"history-{next(self._numbers)}"
        return self._latest[kind]


def _write(path: Path, text: str) -> None:
    """The dialog has asked about a file that is there. Raises StorageError and DiskFull."""
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise storage_error("write", path, error) from error

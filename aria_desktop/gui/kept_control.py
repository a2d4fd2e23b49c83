"""Between the assistant and the right panel: which files and conversations there are, looked at as they may change."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject

from aria_desktop.core import events, listings, requests
from aria_desktop.core.requests import Request
from aria_desktop.gui.kept_panel import KeptPanel
from aria_desktop.gui.state.side_lists import conversation_rows, file_rows


class KeptControl(QObject):
    def __init__(
        self,
        panel: KeptPanel,
        workspace: Callable[[], str],
        submit: Callable[[Request], None],
        new_id: Callable[[], str],
    ) -> None:
        super().__init__(panel)
        self._panel = panel
        self._workspace = workspace
        self._submit = submit
        self._new_id = new_id
        self._asked: set[str] = set()
        """Requests for lists that have no answer yet."""
        self._preview = ""
        """The last request for the text of a file."""
        panel.preview_wanted.connect(self._want_preview)

    def look_again(self) -> None:
        """Files may have come, gone or changed."""
        if self._asked:
            return
        for make in (self._files, requests.ListSessions):
            request_id = self._new_id()
            self._asked.add(request_id)
            self._submit(make(request_id))

    def moved(self, folder: str) -> None:
        """Turns work in another folder now; what is still on its way is of the one before."""
        self._asked.clear()
        self._preview = ""
        self._panel.show_folder(folder)
        self.look_again()

    def apply(self, event: listings.FilesListed | listings.FileShown | listings.SessionsListed) -> None:
        """Answers to requests of others are passed over."""
        match event:
            case listings.FilesListed() if self._is_answer(event.request_id):
                self._panel.show_files(file_rows(event.files, time.time()))
            case listings.SessionsListed() if self._is_answer(event.request_id):
                self._panel.show_conversations(conversation_rows(event.sessions, time.time()))
            case listings.FileShown() if event.request_id == self._preview:
                self._panel.show_preview(event.name, event.text, cut=event.cut)
            case _:
                pass

    def refused(self, problem: events.Problem) -> bool:
        """Whether it is about a look of this panel. A list that can't be had stays as it is: whatever is wrong with
        the folder is told by the turn that needs it."""
        if problem.request_id and problem.request_id == self._preview:
            self._panel.refuse_preview(problem.text)
            return True
        return self._is_answer(problem.request_id)

    def _is_answer(self, request_id: str) -> bool:
        asked = request_id in self._asked
        self._asked.discard(request_id)
        return asked

    def _files(self, request_id: str) -> Request:
        return requests.ListFiles(request_id, self._workspace())

    def _want_preview(self, name: str) -> None:
        self._preview = self._new_id()
        self._submit(requests.ShowFile(self._preview, name, self._workspace()))

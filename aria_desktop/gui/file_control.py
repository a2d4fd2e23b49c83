"""Sound files: dropped or chosen in, one after the other to the recogniser, then carried out or kept."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog

from aria_desktop.core import events
from aria_desktop.core.requests import Request
from aria_desktop.gui.main_window import MainWindow
from aria_desktop.gui.state.banners import Banner
from aria_desktop.gui.state.conversation import KeptText
from aria_desktop.gui.state.drops import DropKind, sort_drop
from aria_desktop.gui.state.sound_files import SoundQueue
from aria_desktop.gui.state.translation import marks, tr
from aria_desktop.gui.state.turn import Tone

_FILTERS = marks("Sound (*.wav *.mp3 *.m4a *.mp4 *.ogg *.opus *.flac *.webm *.mka *.aac)", "All files (*)")


class FileControl(QObject):
    carry_out = Signal(str)
    """A text to act on."""
    kept = Signal(object)
    """A `KeptText` for the conversation."""
    complaint = Signal(object)
    """A `Banner` about what can't be taken."""

    def __init__(self, window: MainWindow, submit: Callable[[Request], None]) -> None:
        super().__init__(window)
        self._window = window
        self._submit = submit
        self._queue = SoundQueue()
        window.dropped.connect(self.take_in)
        window.choose_files.connect(self._choose)
        window.files.carry_out.connect(self._carry_out)
        window.files.keep.connect(self._keep)
        window.files.take_away.connect(self._take)
        window.files.hold.connect(self._hold)

    def apply(self, event: events.Event) -> bool:
        """True when the event was about a file of the queue."""
        changed, request = self._queue.apply(event)
        if request is not None:
            self._submit(request)
        if changed:
            self._window.files.show_files(self._queue.files())
        return changed

    def take_in(self, paths: list[str], foreign: int = 0) -> None:
        drop = sort_drop(paths, foreign, self._queue.room, _kind)
        request = self._queue.add(drop.files)
        if request is not None:
            self._submit(request)
        self._window.files.show_files(self._queue.files())
        if drop.complaint:
            self.complaint.emit(Banner("drop", Tone.DOUBT, drop.complaint, drop.hint))

    def _choose(self) -> None:
        dialog = QFileDialog(self._window, tr("Choose sound files"))
        dialog.setObjectName("fileDialog")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setNameFilters([tr(words) for words in _FILTERS])
        dialog.filesSelected.connect(self.take_in)
        dialog.open()

    def _carry_out(self, key: str) -> None:
        file = self._queue.file(key)
        self._take(key)
        if file is not None and file.text:
            self.carry_out.emit(file.text)

    def _keep(self, key: str) -> None:
        file = self._queue.file(key)
        self._take(key)
        if file is not None and file.text:
            self.kept.emit(KeptText(key, file.name, file.text))

    def _hold(self, key: str) -> None:
        request = self._queue.hold(key)
        if request is not None:
            self._submit(request)
        self._window.files.show_files(self._queue.files())

    def _take(self, key: str) -> None:
        _, following = self._queue.take(key)
        for request in following:
            self._submit(request)
        self._window.files.show_files(self._queue.files())


def _kind(path: str) -> DropKind:
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116
    except (OSError, ValueError):
        return DropKind.MISSING
    if stat.S_ISDIR(mode):
        return DropKind.FOLDER
    return DropKind.FILE if stat.S_ISREG(mode) else DropKind.SPECIAL

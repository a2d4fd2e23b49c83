"""The folder in which turns work: shown, opened, and changed by choosing another one in the system's own dialog.

Choosing is granting, so what the user has picked there is not asked about again; what can't be a workspace is refused
with the reason. A turn that runs goes on in the folder with which it began.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QMenu

from aria_desktop.core.errors import AriaError
from aria_desktop.core.visible import visible_line
from aria_desktop.gui.main_window import MainWindow
from aria_desktop.gui.options import WindowOptions
from aria_desktop.gui.state import kept_files
from aria_desktop.gui.state.banners import Banner
from aria_desktop.gui.state.shown import one_line
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.state.turn import Tone


class FolderControl(QObject):
    complaint = Signal(object)
    """A `Banner` about a folder that can't be used."""
    moved = Signal(str)
    """To this folder."""

    def __init__(self, window: MainWindow, options: WindowOptions) -> None:
        super().__init__(window)
        self._window = window
        self._known = options.known_folders
        self._grant = options.grant_folder
        self.folder = options.workspace
        """Absolute; given with each request."""
        window.panel.open_folder.connect(self.open_folder)
        window.panel.change_folder.connect(self._show_menu)
        window.panel.other_folder.setVisible(self._grant is not None)

    def open_file(self, name: str) -> None:
        """Of the folder; only files that are shown and not run: for others there is no button."""
        place = kept_files.place_of(self.folder, name)
        if place and kept_files.may_be_opened(name):
            self._open_place(place, tr("No program opened {name}", name=one_line(name)))

    def open_folder_of(self, name: str) -> None:
        place = kept_files.place_of(self.folder, name)
        self._open_place(str(Path(place).parent) if place else self.folder, tr("No program opened the folder"))

    def open_folder(self) -> None:
        self._open_place(self.folder, tr("No program opened the folder"))

    def _open_place(self, place: str, trouble: str) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(place)):
            self.complaint.emit(Banner("folder", Tone.DOUBT, trouble, tr("It is {place}", place=one_line(place))))

    def _show_menu(self) -> None:
        menu = QMenu(self._window)
        menu.setObjectName("folderMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for folder in self._folders():
            # An ampersand would make a mnemonic, and be gone.
            action = menu.addAction(visible_line(folder).replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(folder == self.folder)
            action.triggered.connect(partial(self._work_in, folder))
        menu.addSeparator()
        menu.addAction(tr("Choose a folder…")).triggered.connect(self._choose)
        button = self._window.panel.other_folder
        menu.popup(button.mapToGlobal(QPoint(0, button.height())))

    def _folders(self) -> tuple[str, ...]:
        try:
            return self._known()
        except AriaError as error:
            self._complain(error)
            return ()

    def _choose(self) -> None:
        dialog = QFileDialog(self._window, tr("Choose the folder to work in"), self.folder)
        dialog.setObjectName("folderDialog")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(self.choose)
        dialog.open()

    def choose(self, folder: str) -> None:
        """Work in a folder that the user has picked just now."""
        if self._grant is None:
            return
        try:
            self._work_in(self._grant(folder))
        except AriaError as error:
            self._complain(error)

    def _work_in(self, folder: str, _checked: bool = True) -> None:
        self.folder = folder
        self._window.panel.show_folder(folder)
        self.moved.emit(folder)

    def _complain(self, error: AriaError) -> None:
        self.complaint.emit(Banner("folder", Tone.DOUBT, error.text, error.hint))

"""The parts of the Settings page that are no settings: leave that was given, what can leave, keys, folders, the log."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from aria_desktop.core.errors import AriaError
from aria_desktop.core.seal import SealReport
from aria_desktop.gui.buttons import WordButton
from aria_desktop.gui.desk import Desk
from aria_desktop.gui.look import Look
from aria_desktop.gui.pages.text_sheet import TextSheet
from aria_desktop.gui.state import seal
from aria_desktop.gui.state.leaves import LeaveRow, leave_rows
from aria_desktop.gui.state.shortcuts import SHORTCUTS
from aria_desktop.gui.state.translation import tr
from aria_desktop.gui.theme import Kind
from aria_desktop.gui.words import Hairline, KeyCap, Words, clear


class Panel(QWidget):
    """A column of words and rows with a hairline under each."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 6, 0, 0)
        self._column.setSpacing(8)

    def say(self, text: str, kind: Kind = Kind.BODY, name: str = "") -> None:
        words = Words(self._look, kind, text, "" if kind is not Kind.HELP else "quiet", wrap=True)
        words.setObjectName(name)
        self._column.addWidget(words)

    def add_row(self, title: str, words: str, *controls: QWidget) -> None:
        text = QVBoxLayout()
        text.setSpacing(2)
        text.addWidget(Words(self._look, Kind.BODY_MEDIUM, title, wrap=True))
        if words:
            text.addWidget(Words(self._look, Kind.HELP, words, "quiet", wrap=True))
        row = QHBoxLayout()
        row.setContentsMargins(0, 6, 0, 6)
        row.setSpacing(12)
        row.addLayout(text, 1)
        for control in controls:
            row.addWidget(control)
        self._column.addLayout(row)
        self._column.addWidget(Hairline())

    def button(self, words: str, name: str, press: Callable[[], object]) -> WordButton:
        button = WordButton(self._look, words)
        button.setObjectName(name)
        button.clicked.connect(lambda: press())
        return button


class LeavePanel(Panel):
    """Leave that was given, each with its end and a way to take it back."""

    def __init__(self, look: Look, desk: Desk) -> None:
        super().__init__(look)
        self._desk = desk
        self._rows = QWidget()
        self._inner = QVBoxLayout(self._rows)
        self._inner.setContentsMargins(0, 0, 0, 0)
        self.say(tr("Every change is asked about, unless you allowed more than once. A yes never covers commands."))
        self._column.addWidget(self._rows)
        self.say(
            tr("Text from files, programs and the clipboard is untrusted: a turn that has read it asks every time."),
            Kind.HELP,
        )
        self.show_leaves()

    def show_leaves(self) -> None:
        clear(self._inner)
        try:
            found = leave_rows(tuple(self._desk.leaves()), time.time())
        except AriaError as error:
            self._inner.addWidget(Words(self._look, Kind.BODY, f"{error.text} {error.hint}", "loss", wrap=True))
            return
        if not found:
            self._inner.addWidget(Words(self._look, Kind.BODY_STRONG, tr("Nothing is allowed for more than once.")))
        for row in found:
            self._inner.addWidget(_LeaveRowView(self._look, row, self._revoke))
        if len(found) > 1:
            ids = tuple(row.id for row in found)
            button = self.button(tr("Revoke all"), "revokeAll", lambda: self._revoke(ids))
            self._inner.addWidget(button, 0, Qt.AlignmentFlag.AlignTrailing)

    def _revoke(self, ids: tuple[str, ...]) -> None:
        try:
            self._desk.revoke(ids)
        except AriaError as error:
            self._inner.addWidget(Words(self._look, Kind.BODY, f"{error.text} {error.hint}", "loss", wrap=True))
            return
        self.show_leaves()


class _LeaveRowView(Panel):
    def __init__(self, look: Look, row: LeaveRow, revoke: Callable[[tuple[str, ...]], None]) -> None:
        super().__init__(look)
        button = self.button(tr("Revoke"), f"revoke-{row.id}", lambda: revoke((row.id,)))
        button.setAccessibleName(f"{tr('Revoke')}: {row.what}")
        self.add_row(row.what, row.where, button)


class SealPanel(Panel):
    """One sentence, the list of connections, how it is enforced, and a try on demand."""

    def __init__(self, look: Look, look_at_seal: Callable[[], SealReport] | None) -> None:
        super().__init__(look)
        self._look_at_seal = look_at_seal
        self._found = QWidget()
        self._inner = QVBoxLayout(self._found)
        self._inner.setContentsMargins(0, 8, 0, 0)
        self.say(tr("What you say, type and keep stays on this computer. There is no account and no telemetry."))
        self.say(
            tr("ARIA closes its own network door when it starts, and the kernel keeps it closed for every part."),
            Kind.HELP,
        )
        if look_at_seal is not None:
            self._column.addWidget(self.button(tr("Prove it"), "proveSeal", self._prove))
        self._column.addWidget(self._found)

    def _prove(self) -> None:
        assert self._look_at_seal is not None
        report = self._look_at_seal()
        clear(self._inner)
        summary = Words(self._look, Kind.BODY_STRONG, seal.summary(report), wrap=True)
        summary.setObjectName("sealFound")
        self._inner.addWidget(summary)
        self._inner.addWidget(Words(self._look, Kind.HELP, seal.reached(report.reach), "quiet", wrap=True))
        for row in seal.rows(report):
            words = " · ".join((row.state, *row.connections))
            self._inner.addWidget(Words(self._look, Kind.CONTROL_STRONG, row.what, wrap=True))
            self._inner.addWidget(Words(self._look, Kind.CONTROL, words, "quiet", wrap=True))


class KeysPanel(Panel):
    def __init__(self, look: Look) -> None:
        super().__init__(look)
        for shortcut in SHORTCUTS:
            self.add_row(tr(shortcut.does), "", *(KeyCap(look, cap) for cap in shortcut.caps))


class KeepingPanel(Panel):
    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self.say(tr("Conversations and what was done are kept in one file on this computer. Sound is never kept."))


class WorkspacePanel(Panel):
    def __init__(self, look: Look, workspace: str, data_folder: str) -> None:
        super().__init__(look)
        self.say(tr("ARIA reads and changes files in this folder only. Commands see nothing else, and no network."))
        for title, folder, name in (
            (tr("Works in"), workspace, "openWorkspace"),
            (tr("Keeps its data in"), data_folder, "openData"),
        ):
            button = self.button(tr("Open"), name, partial(_open, folder))
            button.setAccessibleName(f"{tr('Open')}: {folder}")
            self.add_row(title, folder, button)


class TroublePanel(Panel):
    complaint = Signal(str)
    guide_wanted = Signal()

    def __init__(self, look: Look, desk: Desk) -> None:
        super().__init__(look)
        self._desk = desk
        self._said = Words(look, Kind.HELP_STRONG, wrap=True)
        self._said.setObjectName("troubleSaid")
        self.add_row(
            tr("Guide"),
            tr("Checks this computer, the models, the microphone and the talk key again."),
            self.button(tr("Open the guide"), "openGuide", self.guide_wanted.emit),
        )
        self.add_row(
            tr("Log"),
            tr("What went wrong, for somebody who looks for a fault. It may name files of yours."),
            self.button(tr("Show the log"), "showLog", self._show_log),
        )
        self.add_row(
            tr("Diagnostics"),
            tr("What this machine is, which models run, and the end of the log. Names and secrets are taken out."),
            self.button(tr("Copy diagnostics"), "copyDiagnostics", self._copy),
        )
        self.say(tr("Nothing is ever sent. Paste it where you want help."), Kind.HELP)
        self._column.addWidget(self._said)

    def _show_log(self) -> None:
        if (text := self._asked(self._desk.log)) is not None:
            TextSheet(self._look, tr("Log"), text or tr("Nothing was logged."), self.window()).open()

    def _copy(self) -> None:
        if (text := self._asked(self._desk.diagnostics)) is not None:
            QGuiApplication.clipboard().setText(text)
            self._said.set_tone("")
            self._said.setText(tr("Copied. Look at it before you pass it on."))

    def _asked(self, ask: Callable[[], str]) -> str | None:
        try:
            return ask()
        except AriaError as error:
            self._said.set_tone("loss")
            self._said.setText(f"{error.text} {error.hint}".strip())
            return None


def _open(folder: str) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(folder))

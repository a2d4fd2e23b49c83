"""Questions waiting for the user, one dialog at a time, in the order asked.

A window that is minimised or hidden is never raised by a question: the taskbar tells, and the dialog opens
when the user comes back. Whatever goes wrong while a dialog is made counts as no.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget

from aria_desktop.core.approval import ApprovalRequest, Extent
from aria_desktop.core.requests import AnswerApproval, CancelTurn
from aria_desktop.gui.approval_dialog import ApprovalDialog
from aria_desktop.gui.look import Look
from aria_desktop.gui.state.together import as_one


class ApprovalDesk(QObject):
    answered = Signal(object)
    """A `core.requests.AnswerApproval`, or the `CancelTurn` that comes before one."""

    def __init__(self, look: Look, window: QWidget) -> None:
        super().__init__(window)
        self._look = look
        self._window = window
        self._waiting: dict[str, ApprovalRequest] = {}
        self._settled: set[str] = set()
        """Ids that are answered, so that those asked together with them do not wait for them."""
        self._dialog: ApprovalDialog | None = None
        self._shown: tuple[str, ...] = ()
        """Ids of the questions in the dialog."""
        self._shade = _Shade(window)

    def ask(self, request: ApprovalRequest) -> None:
        """A question that is asked again with other content replaces the one that is shown."""
        self._settled.discard(request.id)
        if self._dialog is not None and request.id in self._shown:
            if self._waiting[request.id].fingerprint == request.fingerprint:
                return
            self._withdraw_dialog()
        self._waiting[request.id] = request
        self.show_next()

    def settled(self, approval_id: str) -> None:
        """Answered elsewhere, or by this desk."""
        self._settled.add(approval_id)
        self._waiting.pop(approval_id, None)
        if self._dialog is not None and approval_id in self._shown:
            self._withdraw_dialog()
        self.show_next()

    def turn_ended(self, turn_id: str) -> None:
        """A turn that is over has no questions."""
        for request in list(self._waiting.values()):
            if request.turn_id == turn_id:
                self.settled(request.id)

    def refuse_all(self) -> None:
        """The window closes: no to everything."""
        for approval_id in list(self._waiting):
            self._answer(approval_id, allowed=False)
        if self._dialog is not None:
            self._withdraw_dialog()

    def show_next(self) -> None:
        """Open the next dialog, or bring the open one to the front."""
        if self._dialog is not None:
            self._dialog.raise_()
            self._dialog.activateWindow()
            return
        requests = self._next()
        if not requests:
            return
        if self._window.isMinimized() or not self._window.isVisible():
            QApplication.alert(self._window)
            return
        try:
            self._open(requests)
        except Exception:
            for request in requests:
                self._answer(request.id, allowed=False)
            raise

    def _next(self) -> tuple[ApprovalRequest, ...]:
        """The oldest question, with those that are asked together with it; empty as long as one of them is to come."""
        first = next(iter(self._waiting.values()), None)
        if first is None:
            return ()
        open_ids = [id_ for id_ in first.together or (first.id,) if id_ not in self._settled]
        return tuple(self._waiting[id_] for id_ in open_ids) if all(id_ in self._waiting for id_ in open_ids) else ()

    def _open(self, requests: tuple[ApprovalRequest, ...]) -> None:
        ids, turn_id = tuple(request.id for request in requests), requests[0].turn_id
        dialog = ApprovalDialog(self._look, as_one(requests), self._window)
        dialog.decided.connect(lambda allowed: self._decided(ids, allowed, dialog.extent))
        dialog.stop_wanted.connect(lambda: self.answered.emit(CancelTurn(turn_id)))
        self._dialog, self._shown = dialog, ids
        self._shade.cover()
        dialog.open()
        if not self._window.isActiveWindow():
            QApplication.alert(self._window)

    def _decided(self, ids: tuple[str, ...], allowed: bool, extent: Extent) -> None:
        self._forget_dialog()
        for approval_id in ids:
            self._answer(approval_id, allowed=allowed, extent=extent if allowed else Extent.ONCE)
        self.show_next()

    def _answer(self, approval_id: str, *, allowed: bool, extent: Extent = Extent.ONCE) -> None:
        if self._waiting.pop(approval_id, None) is not None:
            self._settled.add(approval_id)
            self.answered.emit(AnswerApproval(approval_id, allowed, "you", extent))

    def _withdraw_dialog(self) -> None:
        dialog = self._dialog
        self._forget_dialog()
        if dialog is not None:
            dialog.withdraw()

    def _forget_dialog(self) -> None:
        if self._dialog is not None:
            self._dialog.deleteLater()
        self._dialog, self._shown = None, ()
        self._shade.hide()


class _Shade(QWidget):
    """Dims the window behind a question."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        window.installEventFilter(self)
        self.hide()

    def cover(self) -> None:
        self.setGeometry(self._window.rect())
        self.raise_()
        self.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._window.rect())
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), QColor(0, 0, 0, 70))

"""A recording that waits for its turn, recognised meanwhile: it may ask to stop the turn that runs.

Recognition needs no language model, so it need not wait for one. What must stay true:

- No recording is recognised twice: its turn takes what was heard, or waits for it.
- Nothing is told from here. The words are told and stored when their turn begins, in its order.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from aria_desktop.assistant.hearing import heard
from aria_desktop.assistant.order import Order
from aria_desktop.assistant.parts import SessionParts
from aria_desktop.assistant.timings import Timings
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.events import Heard


class HeardAhead:
    """`start` it once; all else may come from any thread."""

    def __init__(self, order: Order, parts: SessionParts, done: Callable[[HeardAhead], None]) -> None:
        """`done` is the thread's last deed, on every path; it must not block."""
        self.order = order
        self.timings = Timings(order.began, order.speech_ended)
        """The turn's, which it goes on with once `result` has returned or raised."""
        self._parts = parts
        self._done = done
        self._cancel = CancelToken()
        self._found: Heard | Exception | None = None
        self._thread = threading.Thread(target=self._run, name=f"ahead {order.turn_id}")

    def start(self) -> None:
        self._thread.start()

    def cancel(self) -> None:
        self._cancel.cancel()

    def join(self) -> None:
        self._thread.join()

    @property
    def words(self) -> str:
        """What was said; empty as long as that is not known, and when nothing was."""
        return self._found.text if isinstance(self._found, Heard) else ""

    def result(self, cancel: CancelToken) -> Heard:
        """What was heard, as soon as it is. Raises like `assistant.hearing.heard`."""
        forget = cancel.on_cancel(self._cancel.cancel)
        self._thread.join()
        forget()
        if isinstance(self._found, Heard):
            return self._found
        assert self._found is not None
        raise self._found

    def _run(self) -> None:
        try:
            self._found = heard(self.order, self._parts, self.timings, self._cancel, lambda _: None)
        except Exception as error:
            self._found = error
        self._done(self)

"""The turns: the one that runs and those that wait. Part of the session's state: for its thread only.

Recordings that wait are recognised meanwhile, one at a time (see `assistant.ahead`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from itertools import takewhile

from aria_desktop.assistant.ahead import HeardAhead
from aria_desktop.assistant.offering import Offers
from aria_desktop.assistant.order import Order
from aria_desktop.assistant.parts import SessionParts
from aria_desktop.assistant.turn import Turn
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.errors import Busy
from aria_desktop.core.events import Event, TurnEnded
from aria_desktop.core.interfaces import Approver

MOST_WAITING = 100


class Turns:
    def __init__(
        self,
        parts: SessionParts,
        approver: Approver,
        offers: Offers,
        publish: Callable[[Event], None],
        over: Callable[[], None],
        heard: Callable[[HeardAhead], None],
    ) -> None:
        """`over` is called on a turn's thread when it has ended, `heard` on another one when a recording that waits was
        recognised; the session then calls `ended` or `heard_ahead` on its own."""
        self._parts = parts
        self._approver = approver
        self._offers = offers
        self._publish = publish
        self._over = over
        self._heard = heard
        self._ahead: dict[str, HeardAhead] = {}
        """What was, or is being, recognised of those that wait, by the turn's id."""
        self._hearing: HeardAhead | None = None
        self._running: Turn | None = None
        self._waiting: deque[Order] = deque()

    @property
    def running(self) -> bool:
        return self._running is not None

    def add(self, order: Order) -> None:
        """Raises Busy when too many wait already."""
        if len(self._waiting) >= MOST_WAITING:
            raise Busy(f"{MOST_WAITING} commands wait already.", "Wait until some are done, or stop them.")
        self._waiting.append(order)

    def start_next(self) -> None:
        """Begin the oldest one that waits, unless one runs."""
        if self._running is None and self._waiting:
            order = self._waiting.popleft()
            ahead = self._ahead.pop(order.turn_id, None)
            parts, publish = self._parts, self._publish
            self._running = Turn(order, parts, self._approver, self._offers, publish, self._over, ahead)
            self._running.start()

    @property
    def hearing(self) -> bool:
        """Whether a recording is being recognised before its turn."""
        return self._hearing is not None

    def hear_ahead(self) -> None:
        """Begin to recognise the oldest recording that waits for a turn, unless one is being recognised."""
        if self._running is None or self._hearing is not None:
            return
        for order in self._waiting:
            if order.audio is not None and order.turn_id not in self._ahead:
                self._hearing = self._ahead[order.turn_id] = HeardAhead(order, self._parts, self._heard)
                self._hearing.start()
                return

    def heard_ahead(self, ahead: HeardAhead) -> str:
        """Its thread has nothing left to do. Returns what was said, unless its turn has begun or was stopped."""
        ahead.join()
        self._hearing = None
        return ahead.words if ahead.order in self._waiting else ""

    def ended(self) -> Turn | None:
        """The one that ran has ended; its thread has nothing left to do."""
        over, self._running = self._running, None
        if over is not None:
            over.join()
        return over

    def cancel(self, turn_id: str) -> None:
        """Stop that turn, running or waiting; the running one when `turn_id` is empty. Too late is no error."""
        if self._running is not None and turn_id in ("", self._running.order.turn_id):
            self._running.cancel()
        for order in [order for order in self._waiting if order.turn_id == turn_id]:
            self._waiting.remove(order)
            if ahead := self._ahead.pop(order.turn_id, None):
                ahead.cancel()
            self._publish(never_begun(order.session_id, order.request_id, TurnOutcome.CANCELLED))

    def cancel_request(self, request_id: str) -> None:
        """Stop the turn of that request, running or waiting."""
        for order in [order for order in self._orders() if order.request_id == request_id]:
            self.cancel(order.turn_id)

    def cancel_before(self, turn_id: str) -> None:
        """Stop the running turn and those that come before that one, which waits."""
        earlier = takewhile(lambda order: order.turn_id != turn_id, list(self._waiting))
        for order in earlier:
            self.cancel(order.turn_id)
        self.cancel("")

    def cancel_all(self) -> None:
        for order in list(self._waiting):
            self.cancel(order.turn_id)
        self.cancel("")

    def silence(self) -> None:
        """The running turn says nothing more."""
        if self._running is not None:
            self._running.silence()

    def has(self, turn_id: str) -> bool:
        return any(order.turn_id == turn_id for order in self._orders())

    def concern(self, session_id: str) -> bool:
        """Whether any turn of that conversation runs or waits."""
        return any(order.session_id == session_id for order in self._orders())

    def _orders(self) -> list[Order]:
        return [*([self._running.order] if self._running else []), *self._waiting]


def never_begun(
    session_id: str, request_id: str, outcome: TurnOutcome, error: str = "", text: str = "", hint: str = ""
) -> TurnEnded:
    """The end of a request of which no turn was made."""
    return TurnEnded("", session_id, request_id, outcome, "", (), {}, error, text, hint)

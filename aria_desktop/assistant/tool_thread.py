"""A tool runs on a thread of its own, so that a limit and a cancel hold whatever it does.

What it reports on the way is handed to the generator that waits for it, in order. A thread that does not heed
its token is left behind as a daemon: its result no longer counts for anything.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from enum import Enum, auto
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.errors import ToolFailed
from aria_desktop.core.events import Event

Result = TypeVar("Result")


class Late(Enum):
    """What happens when the time is over, or the turn is cancelled."""

    GIVE_UP = auto()
    """It only looks or prepares: it is told to stop, and left alone."""
    FINISH = auto()
    """It changes something: what was begun is waited for, however long it takes."""
    STOP = auto()
    """It changes something and bounds itself: at a cancel it is told to stop, and waited for all the same."""


@dataclass(frozen=True, slots=True)
class _Returned(Generic[Result]):
    value: Result


@dataclass(frozen=True, slots=True)
class _Raised:
    error: BaseException


@dataclass(frozen=True, slots=True)
class _Stopped:
    """The turn was cancelled."""


def on_thread(
    work: Callable[[CancelToken, Callable[[Event], None]], Result],
    cancel: CancelToken,
    seconds: float | None,
    late: Late,
) -> Generator[Event, None, Result]:
    """Run `work(token, report)` and yield what it reports; returns its result and raises its errors.

    Args:
        seconds: its limit, with `Late.GIVE_UP` only; None when something else bounds it.

    Raises:
        ToolFailed: the limit was passed (`Late.GIVE_UP` only).
        Cancelled: `cancel` was set (`Late.GIVE_UP` only).
    """
    token = CancelToken()
    inbox: SimpleQueue[Event | _Returned[Result] | _Raised | _Stopped] = SimpleQueue()

    def run() -> None:
        try:
            inbox.put(_Returned(work(token, inbox.put)))
        except BaseException as error:
            inbox.put(_Raised(error))

    def stop() -> None:
        token.cancel()
        inbox.put(_Stopped())

    forget = _on_cancel(cancel, late, stop, token)
    deadline = time.monotonic() + seconds if late is Late.GIVE_UP and seconds is not None else None
    threading.Thread(target=run, name="tool", daemon=True).start()
    try:
        while True:
            match _next(inbox, deadline):
                case _Returned(value):
                    return value
                case _Raised(error):
                    raise error
                case _Stopped():
                    raise Cancelled
                case None:
                    raise ToolFailed(f"It took longer than {seconds:g} seconds and was stopped.")
                case event:
                    yield event
    finally:
        forget()
        if late is not Late.FINISH:
            token.cancel()


def _on_cancel(cancel: CancelToken, late: Late, give_up: Callable[[], None], token: CancelToken) -> Callable[[], None]:
    match late:
        case Late.GIVE_UP:
            return cancel.on_cancel(give_up)
        case Late.STOP:
            return cancel.on_cancel(token.cancel)
        case Late.FINISH:
            return lambda: None


_Item = TypeVar("_Item")


def _next(inbox: SimpleQueue[_Item], deadline: float | None) -> _Item | None:
    """The next item; None when the deadline passes first."""
    if deadline is None:
        return inbox.get()
    try:
        return inbox.get(timeout=max(0.0, deadline - time.monotonic()))
    except Empty:
        return None

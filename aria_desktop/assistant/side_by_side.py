"""Several parts of a turn that only look, run at the same time; what they report comes out in one stream."""

from __future__ import annotations

import threading
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Generic, TypeVar

from aria_desktop.core.events import Event

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class _End(Generic[Result]):
    index: int
    value: Result | None = None
    error: BaseException | None = None


def side_by_side(parts: Sequence[Generator[Event, None, Result]]) -> Generator[Event, None, list[Result]]:
    """Results in the order of `parts`. All of them end before this does; then the first error goes on.

    Each part runs on a thread of its own and does not wait until its events were stored: this is for parts that
    change nothing.
    """
    if len(parts) == 1:
        return [(yield from parts[0])]
    inbox: SimpleQueue[Event | _End[Result]] = SimpleQueue()
    threads = [
        threading.Thread(target=_drained, args=(index, part, inbox), name="look", daemon=True)
        for index, part in enumerate(parts)
    ]
    for thread in threads:
        thread.start()
    ends: list[_End[Result]] = []
    while len(ends) < len(parts):
        item = inbox.get()
        if isinstance(item, _End):
            ends.append(item)
        else:
            yield item
    for end in ends:
        if end.error is not None:
            raise end.error
    return [end.value for end in sorted(ends, key=lambda end: end.index)]  # type: ignore[misc]


def _drained(index: int, part: Generator[Event, None, Result], inbox: SimpleQueue[Event | _End[Result]]) -> None:
    try:
        while True:
            inbox.put(next(part))
    except StopIteration as end:
        inbox.put(_End(index, value=end.value))
    except BaseException as error:
        inbox.put(_End(index, error=error))

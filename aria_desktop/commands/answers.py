"""A request that is answered by one event, as a function call, and the answer as it is printed."""

from __future__ import annotations

import queue
from typing import TypeVar

from aria_desktop.control.wire import event_line
from aria_desktop.core.errors import error_named
from aria_desktop.core.events import Event, Problem
from aria_desktop.core.interfaces import Assistant
from aria_desktop.core.requests import Request
from aria_desktop.core.visible import visible_json

Answer = TypeVar("Answer", bound=Event)


def print_answer(event: Event, words: str, *, as_json: bool) -> None:
    """On standard output: the event as one JSON object, or `words`, which can be looked at safely."""
    print(visible_json(event_line(event).decode("utf-8").rstrip("\n")) if as_json else words)


def answer_to(assistant: Assistant, request: Request, kind: type[Answer]) -> Answer:
    """Send a request and wait for its own answer among all that is told. Raises the AriaError that comes instead."""
    request_id = getattr(request, "request_id", "")
    told: queue.SimpleQueue[Event] = queue.SimpleQueue()
    unsubscribe = assistant.subscribe(told.put)
    try:
        assistant.submit(request)
        while True:
            event = told.get()
            if isinstance(event, kind) and getattr(event, "request_id", "") == request_id:
                return event
            if isinstance(event, Problem) and (event.request_id == request_id or event.error == "window_gone"):
                raise error_named(event.error, event.text, event.hint)
    finally:
        unsubscribe()

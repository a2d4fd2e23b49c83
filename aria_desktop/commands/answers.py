"""A request that is answered by one event, as a function call."""

from __future__ import annotations

import queue
from typing import TypeVar

from aria_desktop.core.errors import error_named
from aria_desktop.core.events import Event, Problem
from aria_desktop.core.interfaces import Assistant
from aria_desktop.core.requests import Request

Answer = TypeVar("Answer", bound=Event)


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

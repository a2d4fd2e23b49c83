"""Requests and events as lines of JSON.

A request is `{"request": "submit_text", ...its fields}`, an event `{"event": "turn_ended", ...its fields}`, one
line each, UTF-8, at most `LINE_LIMIT` bytes with the line feed. The names are those of the classes in
`core.requests`, `core.events` and `core.listings`; all of them can be sent, and nothing else. Reading is strict: a
line that is not exactly such an object is a WireError, never a guess.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any, BinaryIO, NoReturn

from aria_desktop.core import events, listings, requests
from aria_desktop.core.events import Event
from aria_desktop.core.plain import from_plain, to_plain, well_formed, wire_name
from aria_desktop.core.requests import Request

LINE_LIMIT = 16 * 1024 * 1024
"""Bytes."""


_SHOWN = 500
"""Characters of a foreign line that come back in an error, so that the error itself always fits into a line."""


class WireError(ValueError):
    """A line that can't be read. The text is for the person or program that sent it."""

    def __init__(self, text: str, request_id: str = "") -> None:
        super().__init__(text[:_SHOWN])
        self.request_id = request_id[:_SHOWN]
        """Of the request in the line, where it has one."""


def _registry(module: ModuleType, parent: type[Any]) -> Mapping[str, type[Any]]:
    found = (cls for _, cls in inspect.getmembers(module, inspect.isclass) if cls.__module__ == module.__name__)
    return {wire_name(cls): cls for cls in found if issubclass(cls, parent) and cls is not parent}


REQUESTS: Mapping[str, type[Request]] = _registry(requests, Request)
EVENTS: Mapping[str, type[Event]] = {**_registry(events, Event), **_registry(listings, Event)}


def request_line(request: Request) -> bytes:
    return _line("request", request)


def event_line(event: Event) -> bytes:
    return _line("event", event)


def read_request(line: bytes) -> Request:
    """Raises WireError."""
    request: Request = _read(line, "request", REQUESTS)
    return request


def read_event(line: bytes) -> Event:
    """Raises WireError."""
    event: Event = _read(line, "event", EVENTS)
    return event


def lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a stream until its end. Raises WireError for one that is too long or breaks off; what follows
    it can't be told apart any more."""
    while line := stream.readline(LINE_LIMIT):
        if not line.endswith(b"\n"):
            raise WireError(
                f"The line has more than {LINE_LIMIT} bytes." if len(line) == LINE_LIMIT else "The line breaks off."
            )
        yield line


def _line(kind: str, value: Request | Event) -> bytes:
    """Raises WireError when it gets too long."""
    name = wire_name(type(value))
    text = well_formed(json.dumps({kind: name, **to_plain(value)}, ensure_ascii=False, separators=(",", ":")))
    line = text.encode("utf-8") + b"\n"
    if len(line) > LINE_LIMIT:
        raise WireError(f"{name} is too long for the local socket: {len(line)} bytes.", request_id_of(value))
    return line


def request_id_of(value: Request | Event) -> str:
    return str(getattr(value, "request_id", ""))


def _read(line: bytes, kind: str, registry: Mapping[str, type[Any]]) -> Any:
    data = _object(line)
    claimed = data.get("request_id", "")
    request_id = claimed if isinstance(claimed, str) else ""
    name = data.pop(kind, None)
    if not isinstance(name, str) or name not in registry:
        shown = json.dumps(name)[:60]
        raise WireError(f"There is no {kind} {shown}.", request_id)
    try:
        return from_plain(registry[name], data)
    except (ValueError, RecursionError) as error:
        raise WireError(f"This is no {kind} {name}: {error}", request_id) from error


def _object(line: bytes) -> dict[str, Any]:
    try:
        data = json.loads(line.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise WireError(f"The line is no JSON: {error}") from error
    if not isinstance(data, dict):
        raise WireError("The line is no JSON object.")
    return data


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")

"""An assistant that lives in another process, seen over the local socket.

It is used like one in this process. When the other side goes away, every listener is told by a Problem with the
error "window_gone", also one that subscribes or submits later, so that nobody waits for an event that never comes.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from aria_desktop.control import local_socket
from aria_desktop.control.wire import WireError, lines, read_event, request_id_of, request_line
from aria_desktop.core.events import Event, Problem
from aria_desktop.core.requests import Request

WINDOW_GONE = "window_gone"
_SEND_S = 5
"""Time in which a request that is sent must be taken; a stopped process takes none."""

Listener = Callable[[Event], None]


def connect(socket_path: Path) -> RemoteAssistant | None:
    """The assistant that listens at `socket_path`; None when nobody of this user does."""
    connection = local_socket.dial(socket_path)
    return None if connection is None else RemoteAssistant(connection)


class RemoteAssistant:
    """Implements `core.interfaces.Assistant`. `close` ends the connection, never the assistant behind it."""

    def __init__(self, connection: socket.socket) -> None:
        """Takes the connection over."""
        self._connection = connection
        if sys.platform != "win32":
            limit = struct.pack("ll", _SEND_S, 0)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)
        self._listeners: dict[object, Listener] = {}
        self._lock = threading.Lock()
        self._sending = threading.Lock()
        self._gone = False
        self._closed = False
        self._reader = threading.Thread(target=self._read_all, name="control-client")
        self._reader.start()

    def submit(self, request: Request) -> None:
        """What can't be sent is answered with a Problem, on this thread."""
        try:
            line = request_line(request)
        except WireError as error:
            self._tell(Problem(error.request_id, "bad_request", str(error), ""))
            return
        try:
            with self._sending:
                self._connection.sendall(line)
        except OSError:
            local_socket.shut(self._connection)
            self._tell(_gone(request_id_of(request)))

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        key = object()
        with self._lock:
            gone = self._gone
            self._listeners[key] = listener
        if gone:
            listener(_gone())
        return lambda: self._unsubscribe(key)

    def close(self) -> None:
        self._closed = True
        local_socket.shut(self._connection)
        if threading.current_thread() is not self._reader:
            self._reader.join()

    def _unsubscribe(self, key: object) -> None:
        with self._lock:
            self._listeners.pop(key, None)

    def _read_all(self) -> None:
        try:
            with contextlib.suppress(OSError, WireError), self._connection.makefile("rb") as stream:
                for line in lines(stream):
                    self._tell(_understood(line))
        finally:
            self._end()

    def _end(self) -> None:
        with self._lock:
            self._gone = True
        self._connection.close()
        if not self._closed:
            self._tell(_gone())

    def _tell(self, event: Event) -> None:
        with self._lock:
            listeners = list(self._listeners.values())
        for listener in listeners:
            listener(event)


def _understood(line: bytes) -> Event:
    """A line of another version becomes a problem that says so."""
    try:
        return read_event(line)
    except WireError as error:
        hint = "Close ARIA's window and start it again: it runs another version."
        return Problem(error.request_id, "not_understood", f"ARIA's window sent something unknown. {error}", hint)


def _gone(request_id: str = "") -> Problem:
    return Problem(request_id, WINDOW_GONE, "The ARIA that was asked has ended.", "Run the command again.")

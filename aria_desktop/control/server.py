"""Lets other processes of the user use the running assistant, over the local socket.

Every client may send every request and gets every event. One thread reads and one writes per client, so that a
client that hangs, floods or talks nonsense harms itself alone: the assistant's threads only ever put a line into
an outbox, and a client whose outbox is full is dropped. What a client sends is a wish like a click in the window:
it is asked about and refused by the same rules.
"""

from __future__ import annotations

import contextlib
import selectors
import socket
import threading
from collections.abc import Callable
from pathlib import Path

from aria_desktop.control import local_socket
from aria_desktop.control.outbox import Outbox
from aria_desktop.control.wire import WireError, event_line, lines, read_request, request_id_of
from aria_desktop.core.errors import AriaError
from aria_desktop.core.events import Event, Problem
from aria_desktop.core.interfaces import Assistant

_FAREWELL_S = 1.0
"""Time that a client has to take its last lines when the server closes."""
_BREATH_S = 0.2
"""Pause when the system has no file descriptor left for a new client."""


class ControlServer:
    """`start` once, `close` any number of times, from any thread but a client's own."""

    def __init__(self, assistant: Assistant, socket_path: Path) -> None:
        self._assistant = assistant
        self._path = socket_path
        self._clients: set[_Client] = set()
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._end: Callable[[], None] | None = None

    def start(self) -> None:
        """Raises DatabaseBusy when another process answers at the path, StorageError when it can't be used."""
        listener = local_socket.listen(self._path)
        bell, rope = socket.socketpair()
        acceptor = threading.Thread(target=self._accept_all, args=(listener, bell), name="control-accept")
        unsubscribe = self._assistant.subscribe(self._publish)
        acceptor.start()

        def end() -> None:
            unsubscribe()
            rope.send(b"!")
            acceptor.join()
            for connection in (listener, bell, rope):
                connection.close()

        self._end = end

    def close(self) -> None:
        """Clients get what was already told, then the end. Blocks until all threads are gone."""
        self._closing.set()
        end, self._end = self._end, None
        if end is None:
            return
        self._path.unlink(missing_ok=True)
        end()
        with self._lock:
            clients = list(self._clients)
        for client in clients:
            client.close(_FAREWELL_S)

    @property
    def clients(self) -> int:
        """How many are connected."""
        with self._lock:
            return len(self._clients)

    def _accept_all(self, listener: socket.socket, bell: socket.socket) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(listener, selectors.EVENT_READ)
            selector.register(bell, selectors.EVENT_READ)
            while not self._closing.is_set():
                ready = {key.fileobj for key, _ in selector.select()}
                if bell in ready:
                    return
                self._accept(listener)

    def _accept(self, listener: socket.socket) -> None:
        try:
            connection, _ = listener.accept()
        except OSError:
            self._closing.wait(_BREATH_S)
            return
        if not local_socket.is_same_user(connection):
            connection.close()
            return
        client = _Client(connection, self._assistant, self._forget)
        with self._lock:
            self._clients.add(client)
        client.start()

    def _forget(self, client: _Client) -> None:
        with self._lock:
            self._clients.discard(client)

    def _publish(self, event: Event) -> None:
        """On the assistant's thread; encodes once for all."""
        with self._lock:
            clients = list(self._clients)
        if not clients:
            return
        line = _sendable(event)
        for client in clients:
            client.send(line)


class _Client:
    """One connection with its two threads. The reader ends first and takes the writer along."""

    def __init__(self, connection: socket.socket, assistant: Assistant, forget: Callable[[_Client], None]) -> None:
        self._connection = connection
        self._assistant = assistant
        self._forget = forget
        self._outbox = Outbox()
        self._writer = threading.Thread(target=self._write_all, name="control-write")
        self._reader = threading.Thread(target=self._read_all, name="control-read")

    def start(self) -> None:
        self._writer.start()
        self._reader.start()

    def send(self, line: bytes) -> None:
        """Never blocks."""
        if not self._outbox.put(line):
            local_socket.shut(self._connection)

    def close(self, seconds: float) -> None:
        self._outbox.finish()
        self._writer.join(seconds)
        local_socket.shut(self._connection)
        self._reader.join()

    def _read_all(self) -> None:
        try:
            with self._connection.makefile("rb") as stream:
                for line in lines(stream):
                    self._serve(line)
        except WireError as error:
            self._complain(error.request_id, "bad_request", str(error))
        except OSError:
            pass
        finally:
            self._outbox.finish()
            self._writer.join(_FAREWELL_S)
            local_socket.shut(self._connection)
            self._writer.join()
            self._connection.close()
            self._forget(self)

    def _serve(self, line: bytes) -> None:
        try:
            request = read_request(line)
        except WireError as error:
            self._complain(error.request_id, "bad_request", str(error))
            return
        try:
            self._assistant.submit(request)
        except AriaError as error:
            self._complain(request_id_of(request), error.code, error.text, error.hint)

    def _complain(self, request_id: str, code: str, text: str, hint: str = "") -> None:
        self.send(event_line(Problem(request_id, code, text, hint)))

    def _write_all(self) -> None:
        with contextlib.suppress(OSError):
            while line := self._outbox.take():
                self._connection.sendall(line)
        local_socket.shut(self._connection)


def _sendable(event: Event) -> bytes:
    """The event's line; where that is too long, a problem that says so, for whoever waits for it."""
    try:
        return event_line(event)
    except WireError as error:
        hint = "Look at it in ARIA's window."
        return event_line(Problem(error.request_id, "answer_too_long", str(error), hint))

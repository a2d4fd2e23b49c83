"""An assistant of this test behind a real local socket."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from aria_desktop.control.client import RemoteAssistant, connect
from aria_desktop.control.server import ControlServer
from aria_desktop.core.events import Event
from aria_desktop.core.requests import Request

WAIT_S = 20
"""For a state that must come; a test that waits so long has failed."""


class RecordingAssistant:
    """Keeps what it is asked and tells what the test wants told."""

    def __init__(self) -> None:
        self.asked: queue.Queue[Request] = queue.Queue()
        self.refuse_with: Exception | None = None
        self._listeners: list[Callable[[Event], None]] = []

    def submit(self, request: Request) -> None:
        if self.refuse_with is not None:
            raise self.refuse_with
        self.asked.put(request)

    def subscribe(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def close(self) -> None:
        raise AssertionError("a client never ends the assistant behind it")

    def tell(self, event: Event) -> None:
        for listener in list(self._listeners):
            listener(event)

    def next_asked(self) -> Request:
        return self.asked.get(timeout=WAIT_S)

    @property
    def listeners(self) -> int:
        return len(self._listeners)


class Ear:
    """A listener whose events are waited for."""

    def __init__(self) -> None:
        self._heard: queue.Queue[Event] = queue.Queue()

    def __call__(self, event: Event) -> None:
        self._heard.put(event)

    def next(self) -> Event:
        return self._heard.get(timeout=WAIT_S)

    @property
    def silent(self) -> bool:
        return self._heard.empty()


@pytest.fixture
def socket_path(tmp_path: Path) -> Path:
    return tmp_path / "aria.sock"


@pytest.fixture
def assistant() -> RecordingAssistant:
    return RecordingAssistant()


@pytest.fixture
def server(assistant: RecordingAssistant, socket_path: Path) -> Iterator[ControlServer]:
    server = ControlServer(assistant, socket_path)
    server.start()
    yield server
    server.close()


@pytest.fixture
def remote(server: ControlServer, socket_path: Path) -> Iterator[RemoteAssistant]:
    assert server
    remote = connect(socket_path)
    assert remote is not None
    yield remote
    remote.close()


def until(state: Callable[[], bool]) -> None:
    """Wait for a state that another thread brings about."""
    moment = threading.Event()
    for _ in range(WAIT_S * 100):
        if state():
            return
        moment.wait(0.01)
    raise AssertionError("the state never came")

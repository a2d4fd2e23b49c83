"""A child process that says what a test has it say."""

from __future__ import annotations

import io
import queue
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from aria_desktop.core.events import EngineRole, EngineState
from aria_desktop.core.interfaces import Capabilities
from aria_desktop.workers.host import LoadSpec, WorkerHost
from aria_desktop.workers.messages import Greeting, Load, Message, from_wire
from aria_desktop.workers.restarts import RestartPlan
from aria_desktop.workers.wire import read_frame

PATIENCE = 10.0
"""Seconds after which something that should happen at once has not happened."""
CAPABILITIES = Capabilities("a fake", context_tokens=512)
AT_ONCE = RestartPlan(pauses=(0.0,))


class FakeChild:
    pid = 0

    def __init__(self, on_message: Callable[[Message], None], on_end: Callable[[str], None]) -> None:
        self.say = on_message
        self.die = on_end
        self.ended = False
        self._sent: queue.Queue[Message] = queue.Queue()

    def send(self, frame: bytes) -> None:
        read = read_frame(io.BytesIO(frame))
        assert read is not None
        self._sent.put(from_wire(read))

    def end(self) -> None:
        self.ended = True
        self.die("ended by the host")

    def hears(self) -> Message:
        """The next message that the host sent."""
        return self._sent.get(timeout=PATIENCE)

    def hears_nothing_more(self) -> bool:
        return self._sent.empty()


class Stage:
    """A host and the children that it starts."""

    def __init__(self) -> None:
        self.children: queue.Queue[FakeChild] = queue.Queue()
        self.changes: queue.Queue[tuple[EngineState, str]] = queue.Queue()
        self.cannot_start: OSError | None = None
        self.host: WorkerHost

    def start_child(self, on_message: Callable[[Message], None], on_end: Callable[[str], None]) -> FakeChild:
        if self.cannot_start is not None:
            raise self.cannot_start
        child = FakeChild(on_message, on_end)
        self.children.put(child)
        return child

    def child(self) -> FakeChild:
        """The next one that is started, with its load message heard."""
        child = self.children.get(timeout=PATIENCE)
        assert isinstance(child.hears(), Load)
        return child

    def greeted(self) -> FakeChild:
        child = self.child()
        child.say(Greeting(CAPABILITIES))
        return child

    def becomes(self, state: EngineState) -> str:
        """Wait until the host says that it is in `state`; what it says about it."""
        while True:
            seen, detail = self.changes.get(timeout=PATIENCE)
            if seen is state:
                return detail


@contextmanager
def stage(*, unload_after_s: float = 0.0, greet_within_s: float = 60.0, late_after_s: float = 60.0) -> Iterator[Stage]:
    made = Stage()
    made.host = WorkerHost(
        EngineRole.LANGUAGE,
        LoadSpec("scripted", "/script.json", {"context_tokens": 512}),
        lambda state, detail: made.changes.put((state, detail)),
        unload_after_s,
        greet_within_s=greet_within_s,
        late_after_s=late_after_s,
        plan=AT_ONCE,
        start_child=made.start_child,
    )
    try:
        yield made
    finally:
        made.host.close()

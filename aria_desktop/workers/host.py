"""What the program holds of one engine: start it, have it carry out jobs, cancel them, close it.

The engine's process is owned by `workers.supervisor`; here is the callers' side. A caller that cancels is
free at once, whatever the engine does.
"""

from __future__ import annotations

import contextlib
import itertools
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.errors import (
    AriaError,
    EngineDied,
    EngineFailed,
    EngineGivenUp,
    EngineOutOfMemory,
    ModelDamaged,
    ModelMissing,
)
from aria_desktop.core.events import EngineRole, EngineState
from aria_desktop.core.interfaces import Capabilities
from aria_desktop.workers import messages
from aria_desktop.workers.jobs import Child, Job, Limits, StartChild
from aria_desktop.workers.process import ChildProcess, command_line
from aria_desktop.workers.restarts import RestartPlan
from aria_desktop.workers.supervisor import Supervisor
from aria_desktop.workers.wire import WireError, encode

NAMES = {
    EngineRole.SPEECH: "The speech recogniser",
    EngineRole.LANGUAGE: "The language model",
    EngineRole.VOICE: "The voice",
}
_ERRORS: dict[str, type[AriaError]] = {
    cls.code: cls for cls in (EngineFailed, EngineOutOfMemory, EngineDied, EngineGivenUp, ModelMissing, ModelDamaged)
}


@dataclass(frozen=True, slots=True)
class LoadSpec:
    """Which engine, on which model."""

    engine: str
    """A name of `engines.registry`."""
    model_path: str
    """Absolute path of the model's folder or file."""
    options: Mapping[str, str | int | float | bool] = field(default_factory=dict)
    """Those that the engine's module documents; others are refused when it loads."""


class WorkerHost:
    """All methods may be called from any thread."""

    def __init__(
        self,
        role: EngineRole,
        load: LoadSpec | Callable[[], LoadSpec],
        on_change: Callable[[EngineState, str], None],
        unload_after_s: float = 0.0,
        *,
        greet_within_s: float = 180.0,
        late_after_s: float = 5.0,
        plan: RestartPlan = RestartPlan(),  # noqa: B008 (a frozen value)
        start_child: StartChild | None = None,
    ) -> None:
        """Starts no process yet.

        Args:
            load: or a function that finds it out each time the process is started, on a thread of the host. It may
                take its time and raise AriaError: then the engine can't be loaded, and the error says why.
            on_change: given the new state and a sentence about it, on a thread of the host; must not block.
            unload_after_s: without a job for so long, the process is ended; 0: never.
            greet_within_s: loading may take this long.
            late_after_s: a cancelled engine may go on this long before it is killed.
            start_child: starts the process; for tests.
        """
        self.role = role
        self._numbers = itertools.count(1)
        self._supervisor = Supervisor(
            NAMES[role],
            partial(_load_message, load),
            start_child or self._start_process,
            on_change,
            Limits(unload_after_s, greet_within_s, late_after_s),
            plan,
        )
        self._supervisor.thread.start()

    @property
    def state(self) -> EngineState:
        return self._supervisor.state

    @property
    def capabilities(self) -> Capabilities | None:
        """None while the engine is not loaded."""
        return self._supervisor.capabilities

    @property
    def pid(self) -> int | None:
        """The process, for those who measure it."""
        child = self._supervisor.child
        return child.pid if child else None

    def start(self) -> None:
        """Load the engine now, even when it was given up before. Returns at once."""
        self._supervisor.post(self._supervisor.start)

    def reload(self) -> None:
        """Load what there is to load now, in a new process, after the job that is under way. An engine that is not
        loaded waits for its next job. Returns at once."""
        self._supervisor.post(self._supervisor.reload)

    def loaded(self, cancel: CancelToken) -> Capabilities:
        """Load the engine and wait for its greeting. Raises like `run`."""
        for _ in self._answers(Job(next(self._numbers), b""), cancel):
            raise AssertionError("a job that only waits has no parts")
        capabilities = self.capabilities
        if capabilities is None:
            raise EngineDied(f"{NAMES[self.role]}'s process died right after it was loaded.", "Try again.")
        return capabilities

    def run(self, make: Callable[[int], messages.Job], cancel: CancelToken) -> Iterator[messages.Part]:
        """Have the engine carry out `make(number)` and yield its parts as they come.

        Raises Cancelled as soon as `cancel` is set, EngineDied, EngineGivenUp, EngineFailed, EngineOutOfMemory,
        ModelMissing, ModelDamaged. Closing the iterator stops the job.
        """
        return self._answers(self._job(make), cancel)

    def run_behind(self, make: Callable[[int], messages.Job]) -> None:
        """Have it carried out while nothing else is to do, and drop the answer. Returns at once; never raises."""
        with contextlib.suppress(EngineFailed):
            job = self._job(make)
            job.background = True
            self._supervisor.post(partial(self._supervisor.take, job))

    def close(self) -> None:
        """End the process and stop all jobs; blocks until nothing is left. Later calls do nothing."""
        self._supervisor.post(self._supervisor.close)
        if threading.current_thread() is not self._supervisor.thread:
            self._supervisor.thread.join()

    def _start_process(self, on_message: Callable[[messages.Message], None], on_end: Callable[[str], None]) -> Child:
        return ChildProcess(str(self.role), command_line(str(self.role)), on_message, on_end)

    def _job(self, make: Callable[[int], messages.Job]) -> Job:
        number = next(self._numbers)
        try:
            return Job(number, encode(messages.to_wire(make(number))))
        except WireError as error:
            raise EngineFailed(f"{NAMES[self.role]} can't be given this: {error}.") from error

    def _answers(self, job: Job, cancel: CancelToken) -> Iterator[messages.Part]:
        cancel.raise_if_cancelled()
        if not self._supervisor.post(partial(self._supervisor.take, job)):
            raise EngineFailed(f"{NAMES[self.role]} is closed.")
        forget = cancel.on_cancel(lambda: job.inbox.put(None))
        try:
            while not isinstance(answer := job.inbox.get(), messages.Done):
                cancel.raise_if_cancelled()
                if answer is not None:
                    yield _part(answer)
        finally:
            forget()
            self._supervisor.post(partial(self._supervisor.leave, job))


def _part(answer: messages.Message) -> messages.Part:
    match answer:
        case messages.Stopped():
            raise Cancelled
        case messages.Failed(_, code, text, hint):
            raise _ERRORS.get(code, EngineFailed)(text, hint)
        case messages.Part():
            return answer
        case _:
            raise EngineFailed(f"The engine answered with {type(answer).__name__}, which is no answer.")


def _load_message(load: LoadSpec | Callable[[], LoadSpec]) -> messages.Load:
    spec = load if isinstance(load, LoadSpec) else load()
    return messages.Load(spec.engine, spec.model_path, spec.options)

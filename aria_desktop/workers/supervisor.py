"""The thread that owns one engine's process: its state, whose turn it is, and when the process starts and ends.

Everybody else sends it an action; it never waits for the child. It also starts the process, since the kernel
kills a child together with the thread that started it.

What stays true:
- one job at a time, in the order in which they came; each gets exactly one final message;
- a job that was left is nobody's business any more: what it still says is dropped, and an engine that does not
  come back from it within `late_after` is killed and started again;
- a job that only warms a cache never makes another one wait;
- a stopped engine's memory is back, because its process is gone.
"""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import partial

from aria_desktop.core.errors import AriaError, EngineDied, EngineFailed, EngineGivenUp
from aria_desktop.core.events import EngineState
from aria_desktop.core.interfaces import Capabilities
from aria_desktop.workers import messages
from aria_desktop.workers.jobs import Child, Job, Limits, StartChild
from aria_desktop.workers.messages import Message, to_wire
from aria_desktop.workers.restarts import RestartPlan, Restarts
from aria_desktop.workers.wire import encode


class Supervisor:
    """`post` may be called from any thread, every other public method only through it."""

    def __init__(
        self,
        name: str,
        load: Callable[[], messages.Load],
        start_child: StartChild,
        on_change: Callable[[EngineState, str], None],
        limits: Limits,
        plan: RestartPlan,
    ) -> None:
        """`name` begins sentences: "The language model". `load` is called on the supervisor's thread each time the
        process is started; an AriaError of it is why the engine can't be loaded."""
        self.state = EngineState.OFF
        self.capabilities: Capabilities | None = None
        self.child: Child | None = None
        self._name = name
        self._load = load
        self._start_child = start_child
        self._on_change = on_change
        self._limits = limits
        self._plan = plan
        self._restarts = Restarts(plan)
        self._child_number = 0
        self._current: Job | None = None
        self._waiting: deque[Job] = deque()
        self._given_up = ""
        self._stale = False
        """What the process has loaded is no longer what it should have."""
        self._alarm: tuple[float, Callable[[], None]] | None = None
        self._door = threading.Lock()
        self._closed = False
        self._inbox: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self.thread = threading.Thread(target=self._supervise, name=f"{name} supervisor", daemon=True)

    def post(self, action: Callable[[], None]) -> bool:
        """Have `action` run on the supervisor's thread. False: closed, and it never runs."""
        with self._door:
            if not self._closed:
                self._inbox.put(action)
            return not self._closed

    def start(self) -> None:
        """Load the engine now, even when it was given up."""
        self._restarts.forget()
        self._given_up = ""
        if self.child is None:
            self._launch()

    def reload(self) -> None:
        """What there is to load is another now. A job under way is finished first, unless it only warms a cache."""
        self._restarts.forget()
        self._given_up = ""
        if self._current is None or self._current.background:
            self._start_anew()
        else:
            self._stale = True

    def take(self, job: Job) -> None:
        if self._closed:
            job.inbox.put(messages.Stopped(job.number))
            return
        if not job.background:
            self._make_room()
        self._waiting.append(job)
        self._answer_who_only_waits()
        self._advance()

    def leave(self, job: Job) -> None:
        """Its caller has no more interest: it is over, or was cancelled."""
        if job in self._waiting:
            self._waiting.remove(job)
        elif job is self._current:
            self._stop_current()

    def close(self) -> None:
        with self._door:
            self._closed = True
        self._end_child()
        self.state = EngineState.OFF
        for job in (self._current, *self._waiting):
            if job is not None:
                job.inbox.put(messages.Stopped(job.number))

    def _supervise(self) -> None:
        while not self._closed:
            self._next_action()()
        while not self._inbox.empty():
            self._inbox.get()()

    def _next_action(self) -> Callable[[], None]:
        if self._alarm is None:
            return self._inbox.get()
        at, action = self._alarm
        try:
            return self._inbox.get(timeout=max(0.0, at - time.monotonic()))
        except queue.Empty:
            self._alarm = None
            return action

    def _wake_in(self, seconds: float, action: Callable[[], None]) -> None:
        """There is one alarm: no two of starting, pausing, being idle and being late happen at once."""
        self._alarm = (time.monotonic() + seconds, action)

    def _enter(self, state: EngineState, detail: str) -> None:
        self.state = state
        self._alarm = None
        self._on_change(state, detail)

    def _make_room(self) -> None:
        """Whatever only warms a cache gives way. What it has evaluated so far stays in the cache."""
        self._waiting = deque(job for job in self._waiting if not job.background)
        if self._current is not None and self._current.background:
            self._stop_current()

    def _stop_current(self) -> None:
        if self._current is None or self._current.left or self.child is None:
            return
        self._current.left = True
        self.child.send(encode(to_wire(messages.Cancel(self._current.number))))
        self._wake_in(self._limits.late_after, self._is_late)

    def _is_late(self) -> None:
        self._current = None
        self._end_child()
        self._launch("It did not stop when it was asked to.")

    def _advance(self) -> None:
        """Do what can be done now: hand out the next job, start the engine, or say that it is given up."""
        if not self._waiting or self._current is not None:
            return
        if self._given_up:
            self._fail_waiting(EngineGivenUp.code, self._given_up, _WAY_OUT)
        elif self.state is EngineState.READY:
            self._hand_out(self._waiting.popleft())
        elif self.child is None and self.state is not EngineState.RESTARTING:
            self._launch()

    def _hand_out(self, job: Job) -> None:
        assert self.child is not None
        self._alarm = None
        self._current = job
        self.child.send(job.frame)

    def _answer_who_only_waits(self) -> None:
        """Those who wait for the engine to be loaded do not wait for other jobs."""
        if self.state is EngineState.READY:
            for job in [job for job in self._waiting if not job.frame]:
                self._waiting.remove(job)
                job.inbox.put(messages.Done(job.number))

    def _rest(self) -> None:
        """Between two jobs."""
        if self._waiting:
            self._advance()
        elif self._limits.unload_after > 0:
            self._wake_in(self._limits.unload_after, self._unload)

    def _unload(self) -> None:
        self._end_child()
        self._enter(EngineState.OFF, "Unloaded after a time without work. It is loaded again when it is needed.")

    def _start_anew(self) -> None:
        """An engine that was not loaded stays so until it is needed."""
        loaded = self.child is not None or self.state in (EngineState.RESTARTING, EngineState.FAILED)
        self._current = None
        self._end_child()
        if loaded or self._waiting:
            self._launch("Another one was chosen.")
        else:
            self._enter(EngineState.OFF, "")

    def _launch(self, reason: str = "") -> None:
        self._stale = False
        self._enter(EngineState.LOADING, reason)
        self._child_number += 1
        mine = self._child_number
        try:
            load = encode(to_wire(self._load()))
            self.child = self._start_child(
                lambda message: self._post_for(mine, partial(self._heard, message)),
                lambda how: self._post_for(mine, partial(self._died, how)),
            )
        except AriaError as error:
            self._cannot_load(error.code, error.text, error.hint)
            return
        except OSError as error:
            self._cannot_load(EngineFailed.code, f"{self._name} can't be started: {error}.", "")
            return
        self.child.send(load)
        self._wake_in(self._limits.greet_within, self._does_not_greet)

    def _post_for(self, child_number: int, action: Callable[[], None]) -> None:
        """What a child says counts only while it is the current one."""
        self.post(lambda: action() if child_number == self._child_number else None)

    def _end_child(self) -> None:
        self._child_number += 1
        self.capabilities = None
        child, self.child = self.child, None
        if child is not None:
            child.end()

    def _does_not_greet(self) -> None:
        self._died(f"it was not ready within {self._limits.greet_within:.0f} s")

    def _died(self, how: str) -> None:
        self._end_child()
        if self._current is not None and not self._current.left:
            text = f"{self._name}'s process died in the middle of its work ({how})."
            self._current.fail(EngineDied.code, text, "It is started again. Ask once more.")
        self._current = None
        pause = self._restarts.died(time.monotonic())
        if pause is None:
            self._give_up(how)
        else:
            self._enter(EngineState.RESTARTING, f"{self._name}'s process died ({how}). It is started again.")
            self._wake_in(pause, self._launch)

    def _give_up(self, how: str) -> None:
        self._given_up = (
            f"{self._name}'s process died {self._plan.limit} times within {self._plan.window:.0f} seconds ({how}). "
            "It is not started again by itself."
        )
        self._enter(EngineState.FAILED, f"{self._given_up} {_WAY_OUT}")
        self._advance()

    def _cannot_load(self, code: str, text: str, hint: str) -> None:
        self._end_child()
        self._fail_waiting(code, text, hint)
        self._enter(EngineState.FAILED, f"{text} {hint}".strip())

    def _fail_waiting(self, code: str, text: str, hint: str) -> None:
        while self._waiting:
            self._waiting.popleft().fail(code, text, hint)

    def _heard(self, message: Message) -> None:
        match message:
            case messages.Greeting(capabilities) if self.state is EngineState.LOADING:
                self.capabilities = capabilities
                self._enter(EngineState.READY, capabilities.detail)
                self._answer_who_only_waits()
                self._rest()
            case messages.LoadFailed(code, text, hint) if self.state is EngineState.LOADING:
                self._cannot_load(code, text, hint)
            case messages.Done(number) | messages.Stopped(number) | messages.Failed(number) if self._is_current(number):
                self._job_ended(message)
            case messages.Part() if self._current is not None and self._is_current(message.job):
                if not self._current.left:
                    self._current.inbox.put(message)
            case _:
                self._died(f"it sent {type(message).__name__} when that made no sense")

    def _is_current(self, number: object) -> bool:
        return self._current is not None and self._current.number == number

    def _job_ended(self, final: Message) -> None:
        assert self._current is not None
        if isinstance(final, messages.Done):
            self._restarts.worked()
        if not self._current.left:
            self._current.inbox.put(final)
        self._current = None
        self._alarm = None
        if self._stale:
            self._start_anew()
        else:
            self._rest()


_WAY_OUT = (
    "Restart ARIA; `aria models verify` tells whether the model is damaged, and `aria doctor` what this machine lacks."
)

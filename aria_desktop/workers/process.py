"""One child process with frames on its pipes: starting it, talking to it, and ending it and all it started.

Three threads serve it: one reads frames, one writes them (so that nobody who sends ever waits for a busy
child), one reads what native libraries print. `on_end` is called exactly once, after the last `on_message`,
and after the process and everything below it is gone.

Nothing outlives the program: a child ends itself when its stdin ends, and on Linux the kernel kills it with
the *thread* that started it. So a child is started by a thread that lives as long as the child may.
"""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Sequence

import psutil

from aria_desktop.safety.models.memory_limit import ran_out
from aria_desktop.storage.program import own_command, own_environment
from aria_desktop.workers.messages import Message, from_wire
from aria_desktop.workers.wire import WireError, read_frame

_LAST_WORDS = 20
"""Lines of native output that are kept to explain a death."""
_LAST_WORDS_WITHIN_S = 1.0
"""A process that nobody knows of may hold the other end of the pipe for good."""


def command_line(role: str) -> list[str]:
    """How this program starts itself as a worker."""
    return own_command("worker", role)


class ChildProcess:
    def __init__(
        self,
        name: str,
        command: Sequence[str],
        on_message: Callable[[Message], None],
        on_end: Callable[[str], None],
    ) -> None:
        """Start `command`. Callbacks run on the reading thread and must not block. Raises OSError."""
        self._on_message = on_message
        self._on_end = on_end
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._said: deque[str] = deque(maxlen=_LAST_WORDS)
        self._log = logging.getLogger(f"{__name__}.{name}")
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=own_environment(),
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self._reader, self._writer, self._listener = (
            threading.Thread(target=work, name=f"{name} {work.__name__.strip('_')}", daemon=True)
            for work in (self._read, self._write, self._listen)
        )
        for thread in (self._reader, self._writer, self._listener):
            thread.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, frame: bytes) -> None:
        """Returns at once; a frame for a child that is gone is dropped."""
        self._outbox.put(frame)

    def end(self) -> None:
        """Kill the child and all it started; blocks until they are gone and `on_end` was called."""
        self._kill_tree()
        self._reader.join()
        self._writer.join()

    def _read(self) -> None:
        assert self._process.stdout is not None
        trouble = ""
        try:
            while frame := read_frame(self._process.stdout):
                self._on_message(from_wire(frame))
        except WireError as error:
            trouble = f"it sent what can't be understood: {error}"
        finally:
            self._kill_tree()
            code = self._process.wait()
            self._outbox.put(None)
            self._listener.join(_LAST_WORDS_WITHIN_S)
            self._process.stdout.close()
        self._on_end(trouble or self._how_it_ended(code))

    def _write(self) -> None:
        assert self._process.stdin is not None
        # A child that is gone shows as the end of its output; the reading thread says so.
        with contextlib.suppress(OSError):
            while (frame := self._outbox.get()) is not None:
                self._process.stdin.write(frame)
                self._process.stdin.flush()
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def _listen(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr:
            for line in self._process.stderr:
                text = line.decode("utf-8", "replace").rstrip()
                self._said.append(text)
                self._log.debug("%s", text)

    def _kill_tree(self) -> None:
        """The one place where processes are killed. Until the child is waited for, which the reading thread does
        afterwards, its number and its group's are its own, dead or alive. Grandchildren that left the group are
        looked up first: once their parent is gone nobody knows whose they are."""
        if self._process.returncode is not None:
            return
        below: list[psutil.Process] = []
        with contextlib.suppress(psutil.NoSuchProcess):
            below = psutil.Process(self._process.pid).children(recursive=True)
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()
        for process in below:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()

    def _how_it_ended(self, code: int) -> str:
        how = f"exit code {code}"
        if code < 0:
            with contextlib.suppress(ValueError):
                how = f"killed by {signal.Signals(-code).name}"
        last = next((line for line in reversed(self._said) if line.strip()), "")
        if any(ran_out(line) for line in self._said):
            return f"{how}; it asked for more memory than it may have"
        return f"{how}; its last words: {last[:200]}" if last else how

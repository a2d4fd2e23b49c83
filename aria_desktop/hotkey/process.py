"""What the program holds of the key: starts its process, passes on what it hears, and starts it again when it dies.

A press whose process died is ended here: a microphone never stays open because a key hook crashed. Where no way works,
the process ends at once and is not started again.
"""

from __future__ import annotations

import contextlib
import logging
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence

from aria_desktop.hotkey import lines
from aria_desktop.hotkey.moves import Move, What

log = logging.getLogger(__name__)

PAUSES_S = (1.0, 2.0, 4.0)
"""Before it is started again; after the last, never."""
GOOD_AFTER_S = 60.0
"""A process that lived so long was no failure from the start: the pauses begin anew."""


class TalkKeyProcess:
    """`start` once, `listening` at any time, `close` any number of times, from any thread but its own."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        on_move: Callable[[Move], None],
        on_state: Callable[[lines.Ready | lines.Ended], None],
    ) -> None:
        """Callbacks run on a thread of its own. `on_state` is told when a way was opened or none works, and when the
        key was given up."""
        self._command = command
        self._environment = environment
        self._on_move = on_move
        self._on_state = on_state
        self._closed = threading.Event()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._pressed_at: float | None = None
        self._thread = threading.Thread(target=self._run, name="talk-key")

    def start(self) -> None:
        self._thread.start()

    def listening(self, now: bool) -> None:
        """The cancel key is heard while this is so. Never blocks for long, never raises."""
        with self._lock, contextlib.suppress(OSError, ValueError):
            if self._process is not None and self._process.stdin is not None:
                self._process.stdin.write(lines.listening_line(now))
                self._process.stdin.flush()

    def close(self) -> None:
        """Blocks until the process and the thread are gone."""
        self._closed.set()
        with self._lock:
            if self._process is not None:
                self._process.kill()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        failures = 0
        while not self._closed.is_set():
            began = time.monotonic()
            reason = self._one_life()
            if self._closed.is_set() or not reason:
                return
            failures = 1 if time.monotonic() - began > GOOD_AFTER_S else failures + 1
            if failures > len(PAUSES_S):
                self._on_state(lines.Ended(reason))
                return
            log.info("the talk key's process ended: %s", reason)
            self._closed.wait(PAUSES_S[failures - 1])

    def _one_life(self) -> str:
        """One process from start to end. Why it ended; empty when starting it again is of no use."""
        try:
            process = self._started()
        except OSError as error:
            self._on_state(lines.Ended(f"its process can't be started: {error}"))
            return ""
        reason, hopeless = "it died", False
        with process:
            assert process.stdout is not None
            for data in process.stdout:
                try:
                    told = lines.read(data)
                except ValueError as error:
                    reason = str(error)
                    process.kill()
                    break
                hopeless |= isinstance(told, lines.Ready) and not told.way
                reason = told.reason if isinstance(told, lines.Ended) else reason
                self._pass_on(told)
            with self._lock:
                self._process = None
        self._end_the_press()
        return "" if hopeless else reason

    def _started(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(self._environment),
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        with self._lock:
            self._process = process
            if self._closed.is_set():
                process.kill()
        return process

    def _pass_on(self, told: lines.Told) -> None:
        match told:
            case lines.Ready():
                self._on_state(told)
            case Move():
                self._note(told)
                self._on_move(told)
            case lines.Ended():
                pass

    def _note(self, move: Move) -> None:
        if move.what is What.PRESS:
            self._pressed_at = time.monotonic()
        elif move.what is What.RELEASE:
            self._pressed_at = None

    def _end_the_press(self) -> None:
        if self._pressed_at is not None:
            held_s, self._pressed_at = time.monotonic() - self._pressed_at, None
            self._on_move(Move(What.RELEASE, round(held_s, 3)))

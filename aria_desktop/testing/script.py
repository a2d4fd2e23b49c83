"""What a scripted engine does, step by step, and the record of what it was asked.

A script is a JSON file with a list of steps for each role:

    {"speech": ["Create a file called a.txt."],
     "language": ["{\\"say\\":\\"hello\\"}", {"pieces": ["{\\"sa"], "then": "crash"}],
     "voice": "tone",
     "load": ["crash"]}

A step is the whole answer as a string, its pieces as a list, or an object with the fields of `Step`. Each call
takes the next step; a call too many is an AssertionError. `load` holds one ending for each start of the
process ("done" when the list is used up). In a child process each call is written, before the step is done,
to `<script>.<role>.calls.jsonl` beside the script: so a restarted engine goes on where the dead one stopped,
and a test can read what was asked.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, NoReturn

from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import EngineDied, EngineFailed
from aria_desktop.core.plain import from_plain


class Ending(StrEnum):
    DONE = "done"
    ERROR = "error"
    """Answers with EngineFailed."""
    CRASH = "crash"
    """The process dies; within one process: EngineDied."""
    HANG = "hang"
    """Says nothing more until it is cancelled."""
    DEAF = "deaf"
    """Says nothing more and does not notice that it is cancelled. For child processes only."""


@dataclass(frozen=True, slots=True)
class Step:
    pieces: tuple[str, ...] = ()
    delay_s: float = 0.0
    """Before each piece."""
    then: Ending = Ending.DONE
    language: str = "en"
    """Recognisers: what is spoken."""
    expects: str = ""
    """Must occur in what is asked."""


def steps_of(data: object) -> tuple[Step, ...]:
    """Raises ValueError for what is no list of steps."""
    if not isinstance(data, list):
        raise ValueError("the steps are not a list")
    return tuple(_step(item) for item in data)


def _step(item: object) -> Step:
    match item:
        case str():
            return Step((item,))
        case list():
            return _step({"pieces": item})
        case dict():
            step: Step = from_plain(Step, item)
            return step
        case _:
            raise ValueError(f"a step is a string, a list of pieces or an object, not {item!r}")


def dies_here() -> NoReturn:
    raise EngineDied("The scripted engine died in the middle of its work.", "It is started again. Ask once more.")


class Script:
    """The steps of one engine. Calls may come from any thread."""

    def __init__(
        self,
        steps: Sequence[Step | str],
        *,
        used: int = 0,
        note: Callable[[dict[str, Any]], None] = lambda _: None,
        crash: Callable[[], NoReturn] = dies_here,
    ) -> None:
        """
        Args:
            used: steps that are done already.
            note: called with each call before its step is done.
            crash: what the ending "crash" does.
        """
        self._steps = [Step((step,)) if isinstance(step, str) else step for step in steps]
        self._lock = threading.Lock()
        self._used = used
        self._note = note
        self._crash = crash

    def take(self, asked: str, call: dict[str, Any]) -> Step:
        """The next step. `asked` is searched for what the step expects; `call` goes to the record."""
        with self._lock:
            self._note(call)
            if self._used >= len(self._steps):
                raise AssertionError(f"the script has {len(self._steps)} steps; unexpected call: {asked[-300:]!r}")
            step = self._steps[self._used]
            self._used += 1
        if step.expects not in asked:
            raise AssertionError(f"step {self._used} expects {step.expects!r} in {asked[-300:]!r}")
        return step

    def end(self, step: Step, cancel: CancelToken) -> None:
        """Do what the step does after its pieces."""
        match step.then:
            case Ending.ERROR:
                raise EngineFailed("The scripted engine failed, as its script says.")
            case Ending.CRASH:
                self._crash()
            case Ending.HANG:
                while not cancel.wait(60):
                    continue
                cancel.raise_if_cancelled()
            case Ending.DEAF:
                while True:
                    time.sleep(60)

    def assert_used_up(self) -> None:
        unused = self._steps[self._used :]
        assert not unused, f"{len(unused)} of {len(self._steps)} steps were never asked for: {unused[:3]}"


class ScriptFile:
    """A script on disk with the records beside it; shared by a test and the child processes."""

    def __init__(self, path: Path, role: str) -> None:
        """`role`: "speech", "language" or "voice"."""
        self._path = path
        self._role = role
        self._record = path.with_name(f"{path.name}.{role}.calls.jsonl")

    def read(self) -> dict[str, Any]:
        """Raises EngineFailed for a file that is no script."""
        try:
            data = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise EngineFailed(f"The script {self._path} can't be read: {error}.") from error
        unknown = set(data) - {"speech", "language", "voice", "load"} if isinstance(data, dict) else {"no object"}
        if unknown:
            raise EngineFailed(f"The script {self._path} holds {', '.join(sorted(unknown))}.")
        return dict(data)

    def steps(self) -> tuple[Step, ...]:
        try:
            return steps_of(self.read().get(self._role, []))
        except ValueError as error:
            raise EngineFailed(f"The script {self._path} is wrong: {error}.") from error

    def note(self, call: dict[str, Any]) -> None:
        with self._record.open("a", encoding="utf-8") as record:
            record.write(json.dumps(call) + "\n")

    def noted(self, kind: str) -> list[dict[str, Any]]:
        """The calls so far of one kind: "load", "warm", "transcribe", "complete" or "synthesize"."""
        if not self._record.exists():
            return []
        lines = self._record.read_text(encoding="utf-8").splitlines()
        return [call for call in map(json.loads, lines) if call["call"] == kind]

    def assert_used_up(self, kind: str) -> None:
        asked, there = len(self.noted(kind)), len(self.steps())
        assert asked == there, f"{self._path.name}: {asked} calls of {kind} for {there} steps"

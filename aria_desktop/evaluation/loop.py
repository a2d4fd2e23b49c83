"""`aria bench loop`: what the loop adds to model and tools, per step, beside LangGraph with its SQLite checkpointer.

Both keep each step before the next one begins so that a kill takes nothing away; that both do is shown first, by
killing them in the middle of a turn and reading what is there. A power cut is another matter: LangGraph's checkpointer
waits for the disk at each step, and ours before a change only. Of a turn that looks things up, as those here do, a
power cut can take our last milliseconds, so the times compare what survives a kill, and not equal syncs. Times are
taken in several processes, the two sides by turns in each of them.
"""

from __future__ import annotations

import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from aria_desktop.core.errors import UsageError
from aria_desktop.evaluation.intervals import ratio
from aria_desktop.evaluation.report import Figure, Report, machine_line
from aria_desktop.evaluation.startup import import_seconds

TIMES_LESS = 20.0
HELD_STEPS = 3
"""Steps that were finished when a turn is killed; as `loop_rounds` holds it."""
_ROUNDS_MODULE = "aria_desktop.evaluation.loop_rounds"
_OURS, *_OTHERS = ("ours", "LangGraph", "bare LangGraph")
_SIDES = (_OURS, *_OTHERS)
"""As `loop_rounds` names them. The goal is held against LangGraph as its guide builds an agent."""
_SURVIVES = {
    "durable": {_OURS: " (survives a kill; a power cut but for the last milliseconds)"}
    | dict.fromkeys(_OTHERS, " (survives a kill and a power cut)"),
    "not stored": dict.fromkeys(_SIDES, ""),
}
_IMPORTS = {"ours": "aria_desktop.evaluation.loop_ours", "LangGraph": "aria_desktop.evaluation.loop_langgraph"}
_WITHIN_S = 300.0
_NEEDED = ("langgraph.graph", "langgraph.checkpoint.sqlite")


def run(processes: int, rounds: int, tell: Callable[[str], None] = lambda _: None) -> Report:
    """Raises UsageError when LangGraph is missing."""
    require_langgraph()
    kept = {side: steps_after_a_kill(side) for side in _SIDES}
    found = []
    for number in range(processes):
        tell(f"process {number + 1} of {processes}")
        found.append(_result("measure", str(rounds), str(number)))
    figures = [*_durable(kept), *_times(found), *_counts([one["counts"] for one in found]), *_imports()]
    items = [{"process": number, **time} for number, one in enumerate(found) for time in one["times"]]
    return Report("loop", machine_line(), tuple(figures), tuple(items))


def require_langgraph() -> None:
    for module in _NEEDED:
        try:
            there = importlib.util.find_spec(module) is not None
        except ModuleNotFoundError:
            there = False
        if not there:
            raise UsageError(
                "LangGraph is not installed, and the benchmark measures against it.",
                "Run: pip install 'aria-desktop[bench]', or `make setup` in the source.",
            )


def steps_after_a_kill(side: str) -> int:
    """Run a turn in a process of its own, kill that with SIGKILL in its fourth step, and count the steps on disk."""
    with tempfile.TemporaryDirectory(prefix="aria-bench-") as folder:
        held = subprocess.Popen(_command("hold", side, folder), stdout=subprocess.PIPE, text=True, env=_surroundings())
        try:
            assert held.stdout is not None
            if held.stdout.readline() != "held\n":
                raise UsageError(f"The turn of {side} ended before it could be killed.")
        finally:
            held.kill()
            held.communicate()
        return int(_result("kept", side, folder))


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", _ROUNDS_MODULE, *arguments]


def _surroundings() -> Mapping[str, str]:
    """LangGraph brings a client that reports runs to a service when variables of the user's say so: not here."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("LANGSMITH_", "LANGCHAIN_"))}
    return {**own, "LANGSMITH_TRACING": "false", "LANGCHAIN_TRACING_V2": "false", "DO_NOT_TRACK": "1"}


def _result(*arguments: str) -> Any:
    done = subprocess.run(
        _command(*arguments), stdout=subprocess.PIPE, text=True, env=_surroundings(), timeout=_WITHIN_S, check=True
    )
    return json.loads(done.stdout)


def _durable(kept: Mapping[str, int]) -> Iterator[Figure]:
    for side, steps in kept.items():
        yield Figure(f"{side}: steps kept through a kill, of {HELD_STEPS} finished", steps, "", least=HELD_STEPS)


def _times(found: Sequence[Mapping[str, Any]]) -> Iterator[Figure]:
    for kind in ("durable", "not stored"):
        groups = [[time for time in one["times"] if time["kind"] == kind] for one in found]
        for side in _SIDES:
            spent = statistics.median(time[side] for group in groups for time in group)
            yield Figure(f"{side}: {kind}{_SURVIVES[kind][side]}, per step, median", spent, "us")
        for other in _OTHERS:
            goal = TIMES_LESS if (kind, other) == ("durable", "LangGraph") else None
            times, interval = ratio([[(time[_OURS], time[other]) for time in group] for group in groups])
            yield Figure(f"{kind}: {other}, times our time per step", times, "", least=goal, interval=interval)


def _counts(found: Sequence[Mapping[str, Mapping[str, float]]]) -> Iterator[Figure]:
    for side in _SIDES:
        calls = statistics.median(counts[side]["calls"] for counts in found)
        peak = statistics.median(counts[side]["bytes"] for counts in found)
        yield Figure(f"{side}: function calls per step", round(calls), "")
        yield Figure(f"{side}: memory allocated by a turn, peak", peak / 1000, "kB")


def _imports() -> Iterator[Figure]:
    for side, module in _IMPORTS.items():
        yield Figure(f"{side}: import, median", import_seconds(module), "s")

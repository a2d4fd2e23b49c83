"""One process of `aria bench loop`; prints what it found as JSON.

Run as `python -m aria_desktop.evaluation.loop_rounds measure ROUNDS SEED`, or `... hold SIDE FOLDER`, which stands
still in the middle of a turn, to be killed there.
"""

from __future__ import annotations

import gc
import json
import random
import signal
import sys
import tempfile
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from aria_desktop.evaluation.loop_langgraph import BareLoop, TheirLoop
from aria_desktop.evaluation.loop_langgraph import kept_steps as steps_kept_by_them
from aria_desktop.evaluation.loop_ours import OurLoop, kept_steps
from aria_desktop.evaluation.loop_script import Loop

SIDES: Mapping[str, Callable[..., Loop]] = {"ours": OurLoop, "LangGraph": TheirLoop, "bare LangGraph": BareLoop}
KEPT: Mapping[str, Callable[[Path, str], int]] = {
    "ours": kept_steps,
    "LangGraph": steps_kept_by_them,
    "bare LangGraph": steps_kept_by_them,
}
STEPS = (1, 2, 3, 4, 5)
COUNTED_STEPS = 3
HELD_TURN, HELD_AT = "held", 3
_UNTIMED_TURNS = 3


def main(arguments: list[str]) -> None:
    match arguments:
        case ["measure", rounds, seed]:
            print(json.dumps({"times": measured(int(rounds), int(seed)), "counts": counted()}))
        case ["hold", side, folder]:
            SIDES[side](Path(folder), _hold).turn(HELD_TURN, HELD_AT + 2)
        case ["kept", side, folder]:
            print(KEPT[side](Path(folder), HELD_TURN))
        case _:
            sys.exit(f"not understood: {arguments}")


def _hold(given: int) -> None:
    if given == HELD_AT:
        print("held", flush=True)
        signal.pause()


@contextmanager
def _loops(*, durable: bool) -> Iterator[Mapping[str, Loop]]:
    with ExitStack() as stack:
        loops = {}
        for name, make in SIDES.items():
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="aria-bench-")))
            loops[name] = make(folder, _nobody, durable=durable)
            stack.callback(loops[name].close)
        yield loops


def _nobody(_: int) -> None:
    """Nothing waits for a reply."""


def measured(rounds: int, seed: int) -> list[dict[str, object]]:
    """Microseconds per step, of all sides for each turn: by turns, and then once more in the other order. What a side
    brings to the disk behind a turn is waited for outside of the clock, before the next side's turn."""
    draw = random.Random(seed)
    found: list[dict[str, object]] = []
    with _loops(durable=True) as loops, _loops(durable=False) as bare:
        for kind, arms in (("durable", loops), ("not stored", bare)):
            _warmed_up(arms)
            for number in range(rounds):
                for steps in draw.sample(STEPS, k=len(STEPS)):
                    order = draw.sample(tuple(arms), k=len(arms))
                    spent = dict.fromkeys(arms, 0.0)
                    for turn, name in enumerate((*order, *reversed(order))):
                        spent[name] += _seconds(arms[name], f"{kind}-{number}-{steps}-{turn}", steps)
                    each = {name: seconds / (2 * steps) * 1e6 for name, seconds in spent.items()}
                    found.append({"kind": kind, "steps": steps, **each})
    return found


def _warmed_up(arms: Mapping[str, Loop]) -> None:
    for name, loop in arms.items():
        for number in range(_UNTIMED_TURNS):
            loop.turn(f"warm-{name}-{number}", COUNTED_STEPS)
    gc.collect()


def _seconds(loop: Loop, turn_id: str, steps: int) -> float:
    began = time.perf_counter()
    loop.turn(turn_id, steps)
    spent = time.perf_counter() - began
    loop.settle()
    return spent


def counted() -> dict[str, dict[str, float]]:
    """What no clock tells, for a turn of `COUNTED_STEPS`: function calls per step and the peak of memory in bytes."""
    found = {}
    with _loops(durable=True) as loops:
        _warmed_up(loops)
        for name, loop in loops.items():
            found[name] = {"calls": _calls(loop) / COUNTED_STEPS, "bytes": float(_peak(loop))}
    return found


def _calls(loop: Loop) -> int:
    """Of Python and C functions, on all threads that the turn starts."""
    counts = {"call": 0, "c_call": 0}

    def note(_frame: object, event: str, _argument: object) -> None:
        if event in counts:
            counts[event] += 1

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        loop.turn("counted", COUNTED_STEPS)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return sum(counts.values())


def _peak(loop: Loop) -> int:
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        loop.turn("weighed", COUNTED_STEPS)
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


if __name__ == "__main__":
    main(sys.argv[1:])

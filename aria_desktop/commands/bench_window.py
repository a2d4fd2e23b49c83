"""The window alone and during a turn: how soon it is there, 10,000 turns, gaps of its event loop, its memory.

Needs a display; `xvfb-run -a aria bench window` measures without one, painting by the processor.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from aria_desktop.commands.bench_arguments import count

if TYPE_CHECKING:
    from aria_desktop.evaluation.report import Report

_GOAL_VISIBLE_MS, _GOAL_OPEN_MS, _GOAL_STEP_MS = 1000.0, 300.0, 100.0
_GOAL_GAP_MS, _GOAL_LONGEST_GAP_MS, _GOAL_MB = 50.0, 200.0, 350.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rounds", type=count, metavar="N", default=3, help="starts of the window (default: 3)")
    parser.add_argument("--no-models", action="store_true", help="leave out the turn with all models")


def measure(arguments: argparse.Namespace) -> Report:
    import os

    from aria_desktop.evaluation.report import Report, machine_line
    from aria_desktop.gui.display import require_display

    require_display(os.environ)
    alone = [_probe("alone") for _ in range(arguments.rounds)]
    turn = None if arguments.no_models else _probe("turn")
    figures = (*_alone(alone), *(_turn(turn) if turn else ()))
    return Report("window", machine_line(), figures, (*alone, *([turn] if turn else [])))


def _probe(what: str) -> dict[str, Any]:
    """Each in a process of its own: a second window would find everything loaded."""
    import json
    import subprocess
    import sys

    command = [sys.executable, "-m", "aria_desktop.commands.window_probe", what]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _alone(found: list[dict[str, Any]]) -> tuple[Any, ...]:
    from statistics import median

    from aria_desktop.evaluation.report import Figure

    def middle(name: str, scale: float = 1000) -> float:
        return scale * float(median(one[name] for one in found if one[name] is not None))

    def moves(name: str, words: str) -> tuple[Figure, ...]:
        walls, works = ([1000 * move[side] for one in found for move in one[name]] for side in (0, 1))
        return (
            Figure(f"{words}, median", median(walls), "ms"),
            Figure(f"{words}, slowest", max(walls), "ms", limit=_GOAL_STEP_MS),
            Figure(f"{words}, processor time, median", median(works), "ms"),
            Figure(f"{words}, processor time, slowest", max(works), "ms"),
        )

    return (
        Figure("window on the screen after the start of its process, median", middle("visible_s"), "ms",
               limit=_GOAL_VISIBLE_MS),
        Figure("text box takes keys, median", middle("usable_s"), "ms", limit=_GOAL_VISIBLE_MS),
        Figure("10,000 turns opened, median", middle("open_s"), "ms", limit=_GOAL_OPEN_MS),
        *moves("scroll_s", "a step of scrolling them"),
        *moves("jump_s", "a jump to anywhere"),
        Figure("memory of the window when it is empty", middle("empty_mb", 1), "MB", limit=_GOAL_MB),
        Figure("memory of the window with 10,000 turns", middle("full_mb", 1), "MB", limit=_GOAL_MB),
    )  # fmt: skip


def _turn(found: dict[str, Any]) -> tuple[Any, ...]:
    from aria_desktop.evaluation.report import Figure

    gaps = sorted(1000 * gap for gap in found["gaps_s"])
    almost_all = gaps[min(len(gaps) - 1, len(gaps) * 99 // 100)]
    return (
        Figure("gaps of the event loop during a turn with all models, 99 %", almost_all, "ms", limit=_GOAL_GAP_MS),
        Figure("gaps of the event loop during a turn with all models, longest", gaps[-1], "ms",
               limit=_GOAL_LONGEST_GAP_MS),
    )  # fmt: skip

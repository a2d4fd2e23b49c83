"""What the loop adds to model and tools, per step, beside LangGraph with its SQLite checkpointer."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from aria_desktop.commands.bench_arguments import count

if TYPE_CHECKING:
    from aria_desktop.evaluation.report import Report


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--processes", type=count, metavar="N", default=5, help="fresh processes (default: 5)")
    parser.add_argument("--rounds", type=count, metavar="N", default=10, help="rounds in each (default: 10)")


def measure(arguments: argparse.Namespace) -> Report:
    from aria_desktop.evaluation import loop

    return loop.run(arguments.processes, arguments.rounds, print)

"""What the cage adds to a command of the terminal, beside the same command run plainly."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from aria_desktop.commands.bench_arguments import count

if TYPE_CHECKING:
    from aria_desktop.evaluation.report import Report


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rounds", type=count, metavar="N", default=200, help="pairs of commands (default: 200)")


def measure(arguments: argparse.Namespace) -> Report:
    from aria_desktop.evaluation import cage

    return cage.run(arguments.rounds)

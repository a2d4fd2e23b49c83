"""Full-text search over stored conversations, as somebody types."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from aria_desktop.commands.bench_arguments import count

if TYPE_CHECKING:
    from aria_desktop.evaluation.report import Report


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--turns", type=count, metavar="N", default=10_000, help="stored turns (default: 10,000)")
    parser.add_argument("--searches", type=count, metavar="N", default=200, help="texts that are typed (default: 200)")


def measure(arguments: argparse.Namespace) -> Report:
    from aria_desktop.evaluation import search

    return search.run(arguments.turns, arguments.searches)

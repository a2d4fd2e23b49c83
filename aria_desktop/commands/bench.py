"""Measure speed and memory on this machine. Ends with 0 when every goal is met, 1 when one is missed, and 2
when it could not run."""

from __future__ import annotations

import argparse
from pathlib import Path

NAMES = ("chain",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", choices=NAMES, help="chain: speech to spoken answer, memory, start-up")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the figures as JSON")
    parser.add_argument("--data", type=Path, metavar="DIR", help="your own recordings instead of the built-in commands")


def run(arguments: argparse.Namespace) -> int:
    import sys

    from aria_desktop.app import bench_program
    from aria_desktop.core.errors import AriaError, ExitCode
    from aria_desktop.evaluation import chain

    try:
        report = chain.run(bench_program, arguments.data)
    except AriaError as error:
        print(f"aria: {error.text} {error.hint}", file=sys.stderr)
        return ExitCode.USAGE
    print(report.table())
    if arguments.out is not None:
        report.write(arguments.out)
    return ExitCode.OK if report.met else ExitCode.FAILED

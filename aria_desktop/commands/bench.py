"""Measure this machine and hold the program against others. Ends with 0 when every goal is met, 1 when one is missed,
and 2 when it could not run."""

from __future__ import annotations

import argparse
import importlib
import os
from pathlib import Path

BENCHES = {
    "chain": "speech to spoken answer, memory, start-up",
    "stt": "recognition beside plain faster-whisper: words and time",
    "noise": "words that nobody said, and commands in a kitchen, beside plain faster-whisper",
    "decode": "the time that a legal reply takes, beside two other ways to write the same text",
    "prefix": "the time to the first token in conversations: warm, cold, after a restart",
    "legal": "replies that the agent can't carry out, of many",
    "loop": "what the loop adds to model and tools, per step, beside LangGraph",
    "voice": "the time from a clause to its sound, and gaps, beside whole sentences",
    "idle": "an open microphone while nobody speaks, and what a day of it leaves behind",
    "window": "the window: how soon it is there, 10,000 turns, gaps of its event loop, memory",
    "search": "full-text search over 10,000 turns",
    "cage": "what the cage adds to a command of the terminal",
    "bfcl": "a public check of function calling, beside two other ways to have the same model call functions",
}
"""Each is the module `bench_NAME` beside this one, with `add_arguments(parser)`, which imports nothing, and
`measure(arguments)`, which returns an `evaluation.report.Report` and raises AriaError when it can't run."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    benches = parser.add_subparsers(dest="name", metavar="NAME", required=True)
    for name, words in BENCHES.items():
        module = importlib.import_module(f"aria_desktop.commands.bench_{name}")
        bench = benches.add_parser(name, help=words, description=module.__doc__)
        bench.add_argument("--out", type=Path, metavar="FILE", help="write the figures as JSON")
        module.add_arguments(bench)
        bench.set_defaults(measure=module.measure)


def run(arguments: argparse.Namespace) -> int:
    import subprocess
    import sys

    from aria_desktop.core.errors import AriaError, ExitCode
    from aria_desktop.evaluation.report import Report

    try:
        _check_writable(arguments.out)
        found: Report = arguments.measure(arguments)
        print(found.table())
        if arguments.out is not None:
            found.write(arguments.out)
    except (AriaError, OSError, subprocess.SubprocessError) as error:
        print(f"aria: the benchmark could not run: {error}", file=sys.stderr)
        return ExitCode.USAGE
    return ExitCode.OK if found.met else ExitCode.FAILED


def _check_writable(out: Path | None) -> None:
    """Before minutes of measuring are lost."""
    from aria_desktop.core.errors import UsageError

    if out is not None and not os.access(out.absolute().parent, os.W_OK):
        raise UsageError(f"{out} can't be written.", "Name a file in a folder that is there and may be written.")

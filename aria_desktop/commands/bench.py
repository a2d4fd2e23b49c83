"""Measure speed and memory on this machine. Ends with 0 when every goal is met, 1 when one is missed, and 2
when it could not run."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aria_desktop.app import Program
    from aria_desktop.core.approval import ApprovalRequest
    from aria_desktop.core.events import TurnEnded

NAMES = ("chain",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", choices=NAMES, help="chain: speech to spoken answer, memory, start-up")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the figures as JSON")
    parser.add_argument("--data", type=Path, metavar="DIR", help="your own recordings instead of the built-in commands")


def run(arguments: argparse.Namespace) -> int:
    import subprocess
    import sys

    from aria_desktop.core.errors import AriaError, ExitCode
    from aria_desktop.evaluation import chain

    try:
        _check_writable(arguments.out)
        report = chain.run(_voiced_program, arguments.data)
        print(report.table())
        if arguments.out is not None:
            report.write(arguments.out)
    except (AriaError, OSError, subprocess.SubprocessError) as error:
        print(f"aria: the benchmark could not run: {error}", file=sys.stderr)
        return ExitCode.USAGE
    return ExitCode.OK if report.met else ExitCode.FAILED


def _check_writable(out: Path | None) -> None:
    """Before minutes of measuring are lost."""
    from aria_desktop.core.errors import UsageError

    if out is not None and not os.access(out.absolute().parent, os.W_OK):
        raise UsageError(f"{out} can't be written.", "Name a file in a folder that is there and may be written.")


class _VoicedProgram:
    """`evaluation.chain.VoicedProgram` over the program of this process."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._recordings = 0

    def wait_ready(self) -> None:
        self._program.wait_ready()

    def recording(self, words: str) -> Path:
        from aria_desktop.commands.demo import speak_into

        self._recordings += 1
        path = self._program.sounds / f"command-{self._recordings}.wav"
        speak_into(path, words, self._program)
        return path

    def carry_out(self, recording: Path) -> TurnEnded:
        from aria_desktop.commands.turns import new_id, run_turn
        from aria_desktop.core.requests import SubmitFile

        request_id = new_id()
        request = SubmitFile(request_id, str(recording.absolute()))
        return run_turn(self._program.session, request, request_id, lambda _: None, _yes)


def _yes(_: ApprovalRequest) -> tuple[bool, str]:
    return True, "the benchmark, at once"


@contextmanager
def _voiced_program() -> Iterator[_VoicedProgram]:
    from aria_desktop.app import bench_program

    with bench_program() as program:
        yield _VoicedProgram(program)

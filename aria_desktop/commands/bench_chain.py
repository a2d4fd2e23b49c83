"""From the end of speech to the first audio of the answer, on the real models; and what the program costs."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aria_desktop.app import Program
    from aria_desktop.core.approval import ApprovalRequest
    from aria_desktop.core.events import TurnEnded
    from aria_desktop.evaluation.report import Report


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, metavar="DIR", help="your own recordings instead of the built-in commands")


def measure(arguments: argparse.Namespace) -> Report:
    from aria_desktop.evaluation import chain

    return chain.run(_voiced_program, arguments.data)


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

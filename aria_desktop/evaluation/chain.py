"""`aria bench chain`: from the end of speech to the first audio of the answer, and what the program costs.

Counted after all engines have greeted. Approvals are answered at once and their time is taken out by the turn
itself. First audio is the first sample of the answer; there are no fillers.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from aria_desktop.core.errors import UsageError
from aria_desktop.core.events import TurnEnded
from aria_desktop.evaluation.memory import MemoryPeak
from aria_desktop.evaluation.report import Figure, Report, machine_line
from aria_desktop.evaluation.startup import import_seconds, window_seconds

FIRST_AUDIO_S = 3.0
MEMORY_GB = 3.0
WINDOW_S = 1.5
IMPORT_S = 0.15

COMMANDS = (
    "Create a file called shopping.txt with milk, eggs and bread.",
    "Make a file named packing.txt that says passport, charger and rain coat.",
    "Which files are in my folder?",
    "Add the line toothbrush to packing.txt.",
    "How many minutes are there in a day?",
)
"""Spoken one after another into the same folder, so that later ones find the files of earlier ones."""


class VoicedProgram(Protocol):
    """What the benchmark needs of the running program."""

    def recording(self, words: str) -> Path:
        """Have the voice speak `words` into a sound file."""

    def carry_out(self, recording: Path) -> TurnEnded:
        """Run the turn of a sound file; each question gets a yes at once."""

    def wait_ready(self) -> None:
        """Return when all engines have greeted and the unchanging prompt is evaluated."""


def run(
    open_program: Callable[[], AbstractContextManager[VoicedProgram]], data: Path | None, rounds: int = 2
) -> Report:
    """`data`: a folder with spoken commands as sound files, used instead of the built-in ones."""
    with open_program() as program, MemoryPeak() as memory:
        program.wait_ready()
        recordings = _recordings(program, data)
        items = [_item(name, program.carry_out(path)) for _ in range(rounds) for name, path in recordings]
    first = [float(str(item["first_audio"])) for item in items if item["first_audio"] is not None]
    if not first:
        raise UsageError("No turn was answered aloud, so there is nothing to measure.", "See `aria doctor`.")
    return Report("chain", machine_line(), tuple(_figures(first, memory.peak_bytes, len(items))), tuple(items))


def _recordings(program: VoicedProgram, data: Path | None) -> list[tuple[str, Path]]:
    if data is None:
        return [(words, program.recording(words)) for words in COMMANDS]
    if not data.is_dir():
        raise UsageError(f"There is no folder {data}.", "Give --data a folder with sound files.")
    found = sorted(path for path in data.iterdir() if path.suffix.lower() in {".wav", ".flac", ".mp3", ".ogg", ".m4a"})
    if not found:
        raise UsageError(f"There are no sound files in {data}.", "Give --data a folder with WAV or FLAC files.")
    return [(path.name, path) for path in found]


def _item(name: str, ended: TurnEnded) -> Mapping[str, object]:
    timings = dict(ended.timings)
    return {
        "command": name,
        "outcome": str(ended.outcome),
        "tools": list(ended.tools),
        "answer": ended.answer,
        "first_audio": timings.get("first_audio"),
        "timings": timings,
    }


def _figures(first: list[float], peak: int, turns: int) -> Iterator[Figure]:
    yield Figure("end of speech to first audio, median", statistics.median(first), "s", FIRST_AUDIO_S)
    yield Figure("end of speech to first audio, slowest", max(first), "s")
    yield Figure("turns", turns, "")
    yield Figure("turns without spoken answer", turns - len(first), "", 0)
    yield Figure("resident memory of all processes, peak", peak / 1e9, "GB", MEMORY_GB)
    yield Figure("window visible, median", window_seconds(), "s", WINDOW_S)
    yield Figure("import of aria_desktop.cli, median", import_seconds("aria_desktop.cli"), "s", IMPORT_S)

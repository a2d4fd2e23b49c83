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

from aria_desktop.audio.files import read_audio
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import AudioUnreadable, UsageError
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
    found = None if data is None else readable_sounds(data)
    with open_program() as program, MemoryPeak() as memory:
        program.wait_ready()
        recordings = found or [(words, program.recording(words)) for words in COMMANDS]
        items = [_item(name, program.carry_out(path)) for _ in range(rounds) for name, path in recordings]
    first = [float(str(item["first_audio"])) for item in items if item["first_audio"] is not None]
    if not first:
        raise UsageError("No turn was answered aloud, so there is nothing to measure.", "See `aria doctor`.")
    return Report("chain", machine_line(), tuple(_figures(first, memory.peak_bytes, len(items))), tuple(items))


def readable_sounds(folder: Path) -> list[tuple[str, Path]]:
    """The files of `folder` that hold a whole sound, by name; labels and texts may lie beside them.

    What is a sound is told by its content, never by its name. Raises UsageError when there is none.
    """
    try:
        files = sorted(path for path in folder.iterdir() if path.is_file())
    except OSError as error:
        raise UsageError(
            f"{folder} can't be read: {error.strerror}.", "Give --data a folder with sound files."
        ) from error
    found, refused = [], []
    for path in files:
        try:
            read_audio(path, CancelToken())
            found.append((path.name, path))
        except AudioUnreadable as error:
            refused.append(error.text)
    if not found:
        why = f" {refused[0]}" if refused else ""
        raise UsageError(f"None of the {len(files)} files in {folder} is a sound.{why}", "Give --data another folder.")
    return found


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

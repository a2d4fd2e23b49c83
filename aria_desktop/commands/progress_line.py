"""Progress with bytes on a terminal: one line that changes. Elsewhere, a line for every tenth of the way."""

from __future__ import annotations

import sys
from typing import TextIO

from aria_desktop.catalog.progress import Progress
from aria_desktop.catalog.space import size_words

STEP_PERCENT = 10
UNKNOWN_STEP_BYTES = 50_000_000
_CLEAR = "\r\x1b[K"


def words(progress: Progress) -> str:
    """`base: downloading 61 %, 90.1 MB of 148 MB, 12 MB/s, 5 s left (huggingface.co)`."""
    parts = [f"{progress.model_id}: {progress.stage}"]
    if progress.total:
        parts[0] += f" {percent(progress)} %"
        parts.append(f"{size_words(progress.done)} of {size_words(progress.total)}")
    else:
        parts.append(size_words(progress.done))
    if progress.bytes_per_s > 0:
        parts.append(f"{size_words(progress.bytes_per_s)}/s")
    if progress.seconds_left is not None and progress.seconds_left >= 1:
        parts.append(f"{duration(progress.seconds_left)} left")
    return ", ".join(parts) + (f" ({progress.source})" if progress.source else "")


def percent(progress: Progress) -> int:
    """Whole percent, rounded down: 100 is said when all is there. 0 when the whole is not known."""
    return min(100, progress.done * 100 // progress.total) if progress.total else 0


def duration(seconds: float) -> str:
    """`42 s`, `3 min 5 s`, `2 h 10 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


class ProgressLine:
    """Writes to standard error, so that standard output holds results alone."""

    def __init__(self, out: TextIO | None = None) -> None:
        self._out = out or sys.stderr
        self._changing = self._out.isatty()
        self._open = False
        self._last = ("", "", -1)

    def show(self, progress: Progress) -> None:
        """Show where a piece of work is now."""
        if self._changing:
            self._out.write(f"{_CLEAR}{words(progress)}")
            self._open = True
        elif (step := self._step(progress)) != self._last:
            self._last = step
            self._out.write(f"{words(progress)}\n")
        self._out.flush()

    def say(self, text: str) -> None:
        """A line that stays."""
        self._out.write((_CLEAR if self._open else "") + text + "\n")
        self._out.flush()
        self._open = False

    @staticmethod
    def _step(progress: Progress) -> tuple[str, str, int]:
        step = percent(progress) // STEP_PERCENT if progress.total else progress.done // UNKNOWN_STEP_BYTES
        return progress.model_id, progress.stage, step

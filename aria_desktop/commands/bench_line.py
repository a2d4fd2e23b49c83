"""How far a benchmark is, on standard error: one line that changes on a terminal, a line for each tenth elsewhere."""

from __future__ import annotations

import sys

from aria_desktop.commands.progress_line import duration


class BenchLine:
    def __init__(self, counted: str = "") -> None:
        """`counted`: what the number beside the progress counts; empty: there is none."""
        self._counted = counted
        self._changing = sys.stderr.isatty()
        self._tenth = -1

    def show(self, done: int, of: int, number: int, seconds_left: float | None) -> None:
        counted = f", {number} {self._counted}" if self._counted else ""
        left = "" if seconds_left is None else f", {duration(seconds_left)} left"
        text = f"{done} of {of} done{counted}{left}"
        if self._changing:
            sys.stderr.write(f"\r\x1b[K{text}" + ("\n" if done == of else ""))
        elif done * 10 // of != self._tenth:
            self._tenth = done * 10 // of
            sys.stderr.write(text + "\n")
        sys.stderr.flush()

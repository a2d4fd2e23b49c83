"""What a command prints, kept small: the first lines to look at while it runs, the last ones for its result. Pure.

Nothing is lost without a word: what is left out is counted. Bytes that are no text and characters that hide
themselves or steer a terminal are spelled out.
"""

from __future__ import annotations

import codecs
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from aria_desktop.core.visible import visible

LINE_CHARACTERS = 500
"""Of one line; the rest of it is counted."""
SHOWN_LINES = 200
"""Passed on while the command runs."""
LAST_LINES = 40
"""Kept for the result."""


@dataclass(frozen=True, slots=True)
class Printed:
    last: tuple[str, ...]
    """The last lines, at most `LAST_LINES`."""
    lines: int
    """All there were."""
    bytes: int


class Output:
    """Takes output as it comes, calls `show` for each of the first lines, once it is whole."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show = show
        self._decode = codecs.getincrementaldecoder("utf-8")("backslashreplace").decode
        self._line = ""
        self._cut = 0
        self._last: deque[tuple[str, int]] = deque(maxlen=LAST_LINES)
        self._lines = 0
        self.bytes = 0

    def feed(self, piece: bytes) -> None:
        self.bytes += len(piece)
        self._take(self._decode(piece))

    def finish(self) -> Printed:
        """A last line without an end counts, too."""
        self._take(self._decode(b"", final=True))
        if self._line:
            self._end_line()
        if self._lines > SHOWN_LINES:
            self._show(f"[{self._lines - SHOWN_LINES:,} more lines]")
        return Printed(tuple(_spelled(*line) for line in self._last), self._lines, self.bytes)

    def _take(self, text: str) -> None:
        *ended, rest = text.split("\n")
        for part in ended:
            self._grow(part)
            self._end_line()
        self._grow(rest)

    def _grow(self, part: str) -> None:
        room = LINE_CHARACTERS - len(self._line)
        self._line += part[:room]
        self._cut += max(0, len(part) - room)

    def _end_line(self) -> None:
        line, cut = self._line, self._cut
        self._line, self._cut = "", 0
        self._lines += 1
        self._last.append((line, cut))
        if self._lines <= SHOWN_LINES:
            self._show(_spelled(line, cut))


def _spelled(line: str, cut: int) -> str:
    return visible(line.removesuffix("\r")) + (f" [{cut:,} more characters]" if cut else "")

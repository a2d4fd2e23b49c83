"""Bytes of tokens in, text out: cut on character boundaries, ended before the first stop string."""

from __future__ import annotations

import codecs
from collections.abc import Sequence


class TextStream:
    def __init__(self, stop: Sequence[str] = ()) -> None:
        self._stop = tuple(text for text in stop if text)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._held = ""
        self.stopped = False
        """A stop string came. What follows it is dropped."""

    def feed(self, raw: bytes) -> str:
        """The text that is certain by now; may be empty."""
        self._held += self._decoder.decode(raw)
        return self._release(_undecided(self._held, self._stop))

    def finish(self) -> str:
        """The rest, when nothing more comes."""
        self._held += self._decoder.decode(b"", final=True)
        return self._release(0)

    def _release(self, keep: int) -> str:
        ends = [at for at in map(self._held.find, self._stop) if at >= 0]
        if self.stopped or ends:
            sure = "" if self.stopped else self._held[: min(ends)]
            self.stopped, self._held = True, ""
            return sure
        cut = len(self._held) - keep
        sure, self._held = self._held[:cut], self._held[cut:]
        return sure


def _undecided(text: str, stop: Sequence[str]) -> int:
    """How many characters at the end of `text` may be the beginning of a stop string."""
    longest = min(len(text), max(map(len, stop), default=1) - 1)
    return next(
        (size for size in range(longest, 0, -1) if any(end.startswith(text[-size:]) for end in stop)),
        0,
    )

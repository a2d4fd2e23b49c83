"""A reply in the making: what was said, and what of it the model has not evaluated yet."""

from __future__ import annotations

from dataclasses import dataclass, field

from aria_desktop.engines.language.text_stream import TextStream


@dataclass(slots=True)
class Reply:
    stream: TextStream
    limit: int
    """Tokens at most."""
    tokens: int = 0
    steps: int = 0
    pending: list[int] = field(default_factory=list)
    """Said and not yet evaluated."""
    complete: bool = False

    def take(self, token: int, piece: bytes) -> str:
        self.tokens += 1
        self.pending.append(token)
        text = self.stream.feed(piece)
        self.complete = self.stream.stopped
        return text

    def take_pending(self) -> list[int]:
        pending, self.pending = self.pending, []
        return pending

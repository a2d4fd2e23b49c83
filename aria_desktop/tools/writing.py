"""Text that the model writes in a generation of its own, outside the reply: streamed, and freed of wrapping."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from aria_desktop.core.chat import Message
from aria_desktop.core.errors import ToolFailed
from aria_desktop.core.interfaces import Generation, GenerationEnd
from aria_desktop.tools.tool import ToolContext


def written(context: ToolContext, messages: tuple[Message, ...], max_tokens: int) -> Iterator[str]:
    """The pieces of a free generation. ToolFailed at the end when the token limit has cut it off."""
    generation = Generation(messages, max_tokens=max_tokens, temperature=context.limits.temperature)
    for piece in context.language.complete(generation, context.cancel):
        if isinstance(piece, str):
            yield piece
        else:
            _refuse_cut(piece, max_tokens)


def _refuse_cut(end: GenerationEnd, max_tokens: int) -> None:
    if not end.complete:
        raise ToolFailed(f"The text grew longer than {max_tokens:,} tokens and was cut off; nothing was saved.")


_FENCE = re.compile(r"^\s*(`{3,}|~{3,})\s*([\w+#.-]*)\s*$")


class Unfenced:
    """Takes text in pieces, lets through what stands between code fences, line by line.

    Prose before and after the fences is dropped. A fence with a language inside a fence opens an inner block,
    which stays part of the text. When no fence ever comes, the whole text counts, and only at the end.
    """

    def __init__(self, through: Callable[[str], None]) -> None:
        self._through = through
        self._line = ""
        self._depth = 0
        self._kept: list[str] = []
        self._outside: list[str] = []
        self.closed = False
        """The outermost fence was closed: what follows does not count."""

    def feed(self, piece: str) -> None:
        *lines, self._line = (self._line + piece).split("\n")
        for line in lines:
            self._take(line)

    def finish(self) -> str:
        """The whole text, without line breaks before and after it."""
        if self._line:
            self._take(self._line)
        text = "\n".join(self._kept) if self._kept or self.closed else "\n".join(self._outside)
        return text.strip("\n")

    def _take(self, line: str) -> None:
        fence = _FENCE.match(line)
        if self.closed:
            return
        if self._depth == 0:
            self._depth = 1 if fence else 0
            if not fence:
                self._outside.append(line)
            return
        if fence:
            self._depth += 1 if fence.group(2) else -1
        if self._depth == 0:
            self.closed = True
            return
        self._kept.append(line)
        self._through(line + "\n")

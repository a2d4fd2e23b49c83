"""Guesses what comes next by what came last time behind the same tokens, in the prompt or in the reply.

A reply repeats much of its prompt: names of files, the words that are to be written. A wrong guess costs a part of
an evaluation, so after wrong ones fewer are made.
"""

from __future__ import annotations

from collections.abc import Sequence

_LOOKED_AT = 2
"""Tokens that have to be the same before a guess."""
_LONGEST = 2
"""Tokens guessed at once. Each costs up to a third of an evaluation on two cores."""
_PATIENCE = 2
"""Wrong guesses in a row before a pause."""
_PAUSE = 8
"""Evaluations without a guess."""


class Guesses:
    """For one reply."""

    def __init__(self) -> None:
        self._next: dict[tuple[int, ...], int] = {}
        """Where the text went on behind these tokens, the last time they came."""
        self._read = _LOOKED_AT
        self._wrong = 0
        self._pause = 0

    def after(self, tokens: Sequence[int]) -> list[int]:
        """What may follow behind `tokens`, which only ever grow."""
        for at in range(self._read, len(tokens)):
            self._next[tuple(tokens[at - _LOOKED_AT : at])] = at
        self._read = max(self._read, len(tokens))
        if self._pause > 0:
            self._pause -= 1
            return []
        found = self._next.get(tuple(tokens[-_LOOKED_AT:]))
        return [] if found is None else list(tokens[found : found + _LONGEST])

    def tried(self, count: int, right: int) -> None:
        """Of `count` tokens that were guessed, the first `right` ones were."""
        if count == 0:
            return
        self._wrong = 0 if right else self._wrong + 1
        if self._wrong >= _PATIENCE:
            self._wrong, self._pause = 0, _PAUSE

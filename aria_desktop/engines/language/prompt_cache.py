"""What a language model remembers of earlier prompts, so that no shared start is evaluated twice.

The model's memory holds a few sequences of tokens; sequences with the same start share its cells. For each we
keep the tokens that were evaluated, in order: a record that must be right at any time, or the model would go
on from text that it never saw. So the record grows only after an evaluation succeeded, and is cut in the same
step as the memory. Prompts of different kinds alternate (choosing a tool, writing code): each keeps a sequence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Memory(Protocol):
    """The model's memory; positions count from 0."""

    def remove(self, sequence: int, start: int) -> bool:
        """Forget `sequence` from position `start` on. False: this model can only forget all of it."""

    def copy(self, source: int, target: int, end: int) -> None:
        """Let `target`, which is empty, share the first `end` positions of `source`."""


class PromptCache:
    def __init__(self, memory: Memory, sequences: int = 2, worth_keeping: int = 128) -> None:
        """
        Args:
            sequences: how many different prompts are remembered. Each costs attention over its tokens.
            worth_keeping: a sequence is not overwritten when more tokens than these, and more than half of it,
                would be lost and another one can be used.
        """
        self._memory = memory
        self._worth_keeping = worth_keeping
        self._tokens: list[list[int]] = [[] for _ in range(sequences)]
        self._by_age = list(range(sequences))
        """Numbers of the sequences, the one used last at the end."""
        self._pin = sequences
        """Number of the sequence that only holds what is pinned."""
        self._pinned: list[int] = []

    @property
    def active(self) -> int:
        """The number of the sequence that is being worked on."""
        return self._by_age[-1]

    @property
    def length(self) -> int:
        """Tokens evaluated in the active sequence."""
        return len(self._tokens[self.active])

    def knows(self, prompt: Sequence[int]) -> bool:
        """Is there a sequence that begins with all of `prompt`?"""
        return any(shared_start(tokens, prompt) == len(prompt) for tokens in [*self._tokens, self._pinned])

    def begin(self, prompt: Sequence[int]) -> int:
        """Choose the sequence for `prompt` and leave in it only what they share. Returns how many tokens need
        not be evaluated again: all but one at most, since the last one's evaluation chooses the next token.
        """
        best = max(self._by_age, key=lambda number: shared_start(self._tokens[number], prompt))
        usable = min(shared_start(self._tokens[best], prompt), len(prompt) - 1)
        lost = len(self._tokens[best]) - usable
        if usable < len(self._pinned) <= min(shared_start(self._pinned, prompt), len(prompt) - 1):
            best = self._by_age[0]
            self._cut(best, 0)
            self._memory.copy(self._pin, best, len(self._pinned))
            self._tokens[best] = list(self._pinned)
        elif len(self._by_age) > 1 and lost > self._worth_keeping and lost > usable:
            oldest = next(number for number in self._by_age if number != best)
            self._cut(oldest, 0)
            self._memory.copy(best, oldest, usable)
            self._tokens[oldest] = list(prompt[:usable])
            best = oldest
        else:
            self._cut(best, usable)
        self._by_age.remove(best)
        self._by_age.append(best)
        return self.length

    def evaluated(self, tokens: Sequence[int]) -> None:
        self._tokens[self.active].extend(tokens)

    def brought_back(self, tokens: Sequence[int]) -> None:
        """The active sequence, which was empty, holds these now: they were evaluated by an earlier process."""
        self._tokens[self.active] = list(tokens)

    def pin(self, stable: Sequence[int]) -> None:
        """The active sequence begins with `stable`: keep this, instead of what was kept before, for coming prompts."""
        if list(stable) != self._pinned:
            self._memory.remove(self._pin, 0)
            self._memory.copy(self.active, self._pin, len(stable))
            self._pinned = list(stable)

    def take_back(self, count: int) -> None:
        """The last `count` tokens of the active sequence are forgotten."""
        self._cut(self.active, self.length - count)

    def undo(self) -> None:
        """An evaluation was broken off: what it may have left in the memory goes away."""
        self._cut(self.active, self.length)

    def make_room(self) -> bool:
        """Forget the sequence that was not used for the longest time; what is pinned only when there is no other.
        False: there is only the active one."""
        number = next((n for n in self._by_age[:-1] if self._tokens[n]), None)
        if number is not None:
            self._cut(number, 0)
            return True
        unshared = bool(self._pinned) and shared_start(self._pinned, self._tokens[self.active]) < len(self._pinned)
        if unshared:
            self._memory.remove(self._pin, 0)
            self._pinned = []
        return unshared

    def _cut(self, number: int, length: int) -> None:
        if not self._memory.remove(number, length):
            self._memory.remove(number, 0)
            length = 0
        del self._tokens[number][length:]


def shared_start(one: Sequence[int], other: Sequence[int]) -> int:
    """How many tokens both begin with."""
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count

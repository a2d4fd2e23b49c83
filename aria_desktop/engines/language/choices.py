"""How sure the model was of each tool that its reply names, from the logits that chose it anyway.

Where a reply parts into alternatives (one of the tools, or an answer), each token that keeps some of them possible
counts for those. The way that was taken is multiplied along its tokens; the others keep what they had where they
parted from it. A token that leaves the taken ones possible too is only another spelling and says nothing, so it is
left out. Of alternatives that share a token which was not taken, nobody asked the model which one it meant: they
share its weight equally.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from aria_desktop.core.chat import ToolChoice
from aria_desktop.engines.language.constrained import Logits
from aria_desktop.engines.language.json_place import JsonPlace
from aria_desktop.engines.language.openings import Alternative, choices_of

TokensOf = Callable[[bytes], Sequence[int]]
"""The tokens whose bytes are exactly these."""


class ChoiceWatch:
    """Told of every token of one reply, in order."""

    def __init__(self, schema: Mapping[str, Any], tokens_of: TokensOf) -> None:
        self._choices = choices_of(schema)
        self._tokens_of = tokens_of
        self._place = JsonPlace()
        root = self._choices.get(())
        self._open = _OpenChoice(root) if root else None
        self._made: list[_OpenChoice] = []

    def weigh(self, logits: Logits, token: int, piece: bytes) -> None:
        """`token` was chosen by `logits`. Call before `said`."""
        if self._open is not None:
            self._open.weigh(logits, token, piece, self._tokens_of)

    def said(self, piece: bytes) -> None:
        for byte in piece:
            self._go_on(byte)

    def _go_on(self, byte: int) -> None:
        before = self._place.path
        if self._place.opens_object(byte) and before in self._choices and before:
            self._open = _OpenChoice(self._choices[before])
        if self._open is None:
            return
        self._open.go_on(byte)
        if len(self._open.live) <= 1:
            self._made += [self._open] if self._open.live else []
            self._open = None

    def tool_choices(self) -> tuple[ToolChoice, ...]:
        """See `GenerationEnd.tool_choices`."""
        return tuple(made.result() for made in self._made if not made.taken.leads_on)

    def answer_probability(self) -> float:
        """See `GenerationEnd.answer_probability`."""
        return sum(made.answer_probability() for made in self._made[:1])


@dataclass(frozen=True, slots=True)
class _Weighed:
    token: int
    keeps: frozenset[int]
    """The alternatives that are possible behind it."""


class _OpenChoice:
    def __init__(self, alternatives: Sequence[Alternative]) -> None:
        self._alternatives = alternatives
        self.live = list(range(len(alternatives)))
        """Numbers of those that are still possible."""
        self._said = b""
        self._settled = np.zeros(len(alternatives))
        """Probability of each, of what parted from the way that was taken."""
        self._way = 1.0
        """Probability of the way that was taken."""

    @property
    def taken(self) -> Alternative:
        return self._alternatives[self.live[0]]

    def go_on(self, byte: int) -> None:
        at = len(self._said)
        self._said += bytes([byte])
        self.live = [number for number in self.live if self._alternatives[number].opening[at : at + 1] == bytes([byte])]

    def weigh(self, logits: Logits, token: int, piece: bytes, tokens_of: TokensOf) -> None:
        taken, others = self._continuations(token, piece, tokens_of)
        if not others:
            return
        found = logits[[taken.token, *(other.token for other in others)]].astype(np.float64)
        weights = np.exp(found - found.max())
        weights *= self._way / weights.sum()
        self._way = float(weights[0])
        for other, weight in zip(others, weights[1:], strict=True):
            self._settled[list(other.keeps)] += weight / len(other.keeps)

    def _continuations(self, token: int, piece: bytes, tokens_of: TokensOf) -> tuple[_Weighed, list[_Weighed]]:
        """The taken one, and those that speak against it."""
        rests = {number: self._alternatives[number].opening[len(self._said) :] for number in self.live}
        keeps: dict[int, set[int]] = defaultdict(set)
        for number, rest in rests.items():
            for size in range(1, len(rest) + 1):
                for known in tokens_of(rest[:size]):
                    keeps[known].add(number)
        taken = frozenset(n for n, rest in rests.items() if rest.startswith(piece) or piece.startswith(rest))
        others = [_Weighed(other, frozenset(kept)) for other, kept in keeps.items() if other != token]
        return _Weighed(token, taken), [other for other in others if not other.keeps >= taken]

    def result(self) -> ToolChoice:
        chances = self._chances()
        name = self.taken.name
        probability = chances.pop(name)
        runner_up = max(chances, key=lambda other: chances[other], default="")
        return ToolChoice(name, probability, runner_up, chances.get(runner_up, 0.0))

    def answer_probability(self) -> float:
        """Of the alternatives that are neither a tool nor lead to some, when another one was taken."""
        chances = self._chances()
        return sum(
            chances[other.name]
            for other in self._alternatives
            if other is not self.taken and not other.is_tool and not other.leads_on
        )

    def _chances(self) -> dict[str, float]:
        chances = {other.name: float(self._settled[n]) for n, other in enumerate(self._alternatives)}
        chances[self.taken.name] += self._way
        return chances

"""One reply, token by token: what is forced is put in, what is likely is tried, the rest is chosen.

An evaluation costs about the same for one token as for a few. So what the grammar leaves no choice about goes along
with the token before it, and a token that is likely to come next goes along on trial: when it is the one that is
then chosen, its own evaluation is saved; when not, it is taken back. Trials change nothing about what is chosen,
since each token is chosen by the logits behind exactly the text before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from aria_desktop.engines.language.choices import ChoiceWatch
from aria_desktop.engines.language.constrained import Alphabet, Grammar, Logits, TokenChooser, forced
from aria_desktop.engines.language.guesses import Guesses
from aria_desktop.engines.language.text_stream import TextStream


class Evaluator(Protocol):
    @property
    def can_take_back(self) -> bool:
        """False: this model's memory can't forget its last tokens, so nothing may be tried."""

    def evaluate(self, tokens: Sequence[int], on_trial: int) -> None:
        """Evaluate what is not evaluated yet of `tokens`, which is all there is, the prompt included. The last
        `on_trial` of them may be taken back. Raises Cancelled, EngineFailed."""

    def logits(self, before_end: int) -> Logits:
        """Behind the last token but `before_end`, which is at most `on_trial`; valid until the next evaluation.
        Raises Cancelled."""

    def take_back(self, count: int) -> None:
        """The last `count` tokens were not said."""


class Vocabulary(Protocol):
    def piece(self, token: int) -> bytes: ...

    def ends(self, token: int) -> bool:
        """Does it end a reply?"""


@dataclass(frozen=True, slots=True)
class Constraint:
    """What a reply must look like."""

    grammar: Grammar
    alphabet: Alphabet | None
    """None: nothing is known of what is forced."""
    end: int
    """A token that ends a reply."""
    watch: ChoiceWatch


class Decoding:
    def __init__(
        self,
        evaluator: Evaluator,
        vocabulary: Vocabulary,
        chooser: TokenChooser,
        stream: TextStream,
        constraint: Constraint | None,
    ) -> None:
        """`chooser` knows the grammar of `constraint`."""
        self._evaluator = evaluator
        self._vocabulary = vocabulary
        self._chooser = chooser
        self._stream = stream
        self._constraint = constraint
        self._guesses = Guesses()
        self._all: list[int] = []
        """The prompt and what was said."""
        self._likely: list[int] = []
        """What the grammar makes likely next."""
        self._limit = 0
        self.tokens = 0
        """Said."""
        self.evaluations = 0
        """That of the prompt included."""
        self.complete = False

    def run(self, prompt: Sequence[int], limit: int) -> Iterator[str]:
        """Yields text as it is certain; at most `limit` tokens of it."""
        self._all, self._limit = list(prompt), limit
        yield from self._put_in_forced()
        while self.tokens < limit and not self.complete:
            trial = self._trial()
            self._evaluator.evaluate([*self._all, *trial], len(trial))
            self.evaluations += 1
            yield from self._choose(trial)
        if rest := self._stream.finish():
            yield rest

    def _trial(self) -> list[int]:
        if not self._evaluator.can_take_back:
            return []
        return (self._likely or self._guesses.after(self._all))[: self._limit - self.tokens]

    def _choose(self, trial: Sequence[int]) -> Iterator[str]:
        """Choose behind each token of `trial` that is the one said, and take back the others.

        What is forced behind a chosen token is put in at once, as it is without trials: the model may spell it
        otherwise, and would go on differently behind that.
        """
        kept = 0
        while not self.complete and self.tokens < self._limit:
            logits = self._evaluator.logits(len(trial) - kept)
            token = self._chooser.choose(logits)
            if self._vocabulary.ends(token):
                self.complete = True
                break
            if self._constraint is not None:
                self._constraint.watch.weigh(logits, token, self._vocabulary.piece(token))
                self._constraint.grammar.accept(token)
            said = len(self._all)
            yield from self._say(token)
            self._end_with(token)
            if not self.complete:
                yield from self._put_in_forced()
            as_tried = _beginning(self._all[said:], trial[kept:])
            kept += as_tried
            if said + as_tried < len(self._all):
                break
        self._guesses.tried(len(trial), kept)
        if kept < len(trial):
            self._evaluator.take_back(len(trial) - kept)

    def _put_in_forced(self) -> Iterator[str]:
        self._likely = []
        if self._constraint is None or self._constraint.alphabet is None:
            return
        certain, self._likely = forced(self._constraint.grammar, self._constraint.alphabet, self._limit - self.tokens)
        for token in certain:
            yield from self._say(token)

    def _say(self, token: int) -> Iterator[str]:
        self.tokens += 1
        self._all.append(token)
        piece = self._vocabulary.piece(token)
        if self._constraint is not None:
            self._constraint.watch.said(piece)
        if text := self._stream.feed(piece):
            yield text

    def _end_with(self, token: int) -> None:
        """A value that is whole, so that nothing can follow, ends the reply: the end need not be awaited."""
        self.complete = self._stream.stopped
        if self._constraint is not None and self._vocabulary.piece(token).endswith((b"}", b"]", b'"')):
            end = np.array([self._constraint.end], dtype=np.int32)
            self.complete = bool(self._constraint.grammar.legal(end)[0])


def _beginning(one: Sequence[int], other: Sequence[int]) -> int:
    """How many tokens the two have in common from the start on."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))

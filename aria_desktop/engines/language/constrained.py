"""Chooses the next token under a grammar, mostly by looking at one token.

Checking every token of a vocabulary against a grammar costs more than anything else here, and what the model
wants is nearly always legal or close to it. So all tokens get a score, and the best legal one is searched from
the top: first the best alone, then the best few, and only when all of them are refused the whole vocabulary.
The result is that of masking the whole vocabulary first:

- at temperature 0 the score is the logit, and the best legal token is the largest legal logit;
- above 0 the score is the logit over the temperature plus Gumbel noise. The best of any set is then a draw
  from the softmax over that set, here the set of legal tokens.

What the grammar leaves no choice about is not asked for at all: see `forced`.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from aria_desktop.core.errors import EngineFailed

Logits = NDArray[np.float32]
Scores = NDArray[np.float32] | NDArray[np.float64]
Tokens = NDArray[np.int32]

_FEW = 64
_LONGEST_FORCED = 256
"""Bytes; what is longer is forced in several rounds."""


class Grammar(Protocol):
    def legal(self, tokens: Tokens) -> NDArray[np.bool_]:
        """For each of `tokens`: may it come next?"""

    def accept(self, token: int) -> None:
        """Go on behind `token`, which is legal."""

    def fork(self) -> Grammar:
        """One that stands at the same place and goes its own way."""

    def close(self) -> None:
        """Free it; it is not used again."""


@dataclass(frozen=True, slots=True)
class Alphabet:
    """For each byte one token that is that byte, and a token that ends a reply: whatever a grammar allows
    begins with one of them."""

    tokens: Tokens
    """The token of byte 0 first, that of byte 255 last but one, the end last."""
    spell: Callable[[str], list[int]]
    """The tokens that a text is usually made of; none when their bytes are not exactly those of the text."""


class TokenChooser:
    def __init__(self, temperature: float, seed: int, grammar: Grammar | None = None) -> None:
        """`temperature` 0 takes the likeliest token each time; the same seed makes the same draws."""
        self._temperature = temperature
        self._random = np.random.default_rng(seed)
        self._grammar = grammar
        self.full_checks = 0
        """Passes of the grammar over the whole vocabulary."""

    def choose(self, logits: Logits) -> int:
        """The next token. Raises EngineFailed when the grammar leaves none."""
        scores: Scores = logits
        if self._temperature > 0:
            scores = logits / self._temperature + self._random.gumbel(size=len(logits))
        best = int(np.argmax(scores))
        if not scores[best] > -np.inf:
            raise EngineFailed("The model gives no token any weight. Its file may be damaged.")
        if self._grammar is None or self._grammar.legal(np.array([best], dtype=np.int32))[0]:
            return best
        return self._search(scores, self._grammar)

    def _search(self, scores: Scores, grammar: Grammar) -> int:
        few = np.argpartition(scores, -_FEW)[-_FEW:] if len(scores) > _FEW else np.arange(len(scores))
        found = _best_legal(scores, few.astype(np.int32), grammar)
        # The least of the few may have equals among the others: those come first that have the lower number.
        if found is not None and scores[found] > scores[few].min():
            return found
        self.full_checks += 1
        found = _best_legal(scores, np.arange(len(scores), dtype=np.int32), grammar)
        if found is None:
            raise EngineFailed("The reply's grammar allows no token of this model's vocabulary at this place.")
        return found


def _best_legal(scores: Scores, tokens: Tokens, grammar: Grammar) -> int | None:
    """Of tokens with equal scores it is the one with the lowest number, as `argmax` has it."""
    legal = np.sort(tokens[grammar.legal(tokens) & (scores[tokens] > -np.inf)])
    return int(legal[np.argmax(scores[legal])]) if len(legal) else None


def forced(grammar: Grammar, alphabet: Alphabet, limit: int) -> tuple[list[int], list[int]]:
    """What comes next whatever the model says: tokens that are certain, at most `limit`, which `grammar` has
    accepted; and the token that is likely behind them, if any.

    Of the text that is forced the last token is left to the model: it may want one that reaches into what is
    free (`":` and `":"` are different tokens), and would write worse behind the other one.
    """
    tokens = alphabet.spell(_forced_text(grammar, alphabet))
    certain = tokens[:-1][:limit]
    for token in certain:
        grammar.accept(token)
    return certain, tokens[len(certain) : len(certain) + 1]


def _forced_text(grammar: Grammar, alphabet: Alphabet) -> str:
    byte = _only_byte(grammar, alphabet)
    if byte is None:
        return ""
    scout = grammar.fork()
    text = bytearray()
    try:
        while byte is not None and len(text) < _LONGEST_FORCED:
            text.append(byte)
            scout.accept(int(alphabet.tokens[byte]))
            byte = _only_byte(scout, alphabet)
    finally:
        scout.close()
    return _whole_characters(bytes(text))


def _whole_characters(raw: bytes) -> str:
    """Without the beginning of a character at the end; nothing when `raw` begins in the middle of one."""
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(raw)
    except UnicodeDecodeError:
        return ""


def _only_byte(grammar: Grammar, alphabet: Alphabet) -> int | None:
    """The byte that must come next; None when there are several, or the reply may end."""
    possible = np.flatnonzero(grammar.legal(alphabet.tokens))
    return int(possible[0]) if len(possible) == 1 and possible[0] <= 255 else None

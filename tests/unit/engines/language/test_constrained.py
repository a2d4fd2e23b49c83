"""Looking at one token at a time finds what masking all of them would find, at any temperature."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from aria_desktop.core.errors import EngineFailed
from aria_desktop.engines.language.constrained import Alphabet, Grammar, TokenChooser, forced


class Legal:
    """A grammar that allows a fixed set of tokens and counts what it is asked."""

    def __init__(self, tokens: set[int]) -> None:
        self._tokens = sorted(tokens)
        self.asked: list[int] = []

    def legal(self, tokens: NDArray[np.int32]) -> NDArray[np.bool_]:
        self.asked.append(len(tokens))
        return np.isin(tokens, self._tokens)

    def accept(self, token: int) -> None:
        assert token in self._tokens

    def fork(self) -> Grammar:
        return self

    def close(self) -> None:
        pass


def masked_choice(logits: NDArray[np.float32], legal: set[int]) -> int:
    masked = np.full_like(logits, -np.inf)
    index = sorted(legal)
    masked[index] = logits[index]
    return int(np.argmax(masked))


@given(
    st.lists(st.integers(-4, 4), min_size=1, max_size=300),
    st.data(),
)
def test_at_temperature_0_it_is_the_largest_legal_logit_ties_included(values: list[int], data: st.DataObject) -> None:
    logits = np.array(values, dtype=np.float32)
    legal = data.draw(st.sets(st.integers(0, len(values) - 1), min_size=1))
    assert TokenChooser(0, 0, Legal(legal)).choose(logits) == masked_choice(logits, legal)


def test_a_legal_first_choice_costs_a_look_at_one_token() -> None:
    logits = np.arange(1000, dtype=np.float32)
    grammar = Legal({999})
    chooser = TokenChooser(0, 0, grammar)
    assert chooser.choose(logits) == 999
    assert (grammar.asked, chooser.full_checks) == ([1], 0)


def test_a_legal_choice_near_the_top_costs_a_look_at_a_few() -> None:
    logits = np.arange(1000, dtype=np.float32)
    grammar = Legal({960, 2})
    chooser = TokenChooser(0, 0, grammar)
    assert chooser.choose(logits) == 960
    assert (grammar.asked, chooser.full_checks) == ([1, 64], 0)


def test_the_whole_vocabulary_is_the_last_resort_and_is_counted() -> None:
    logits = np.arange(1000, dtype=np.float32)
    grammar = Legal({2})
    chooser = TokenChooser(0, 0, grammar)
    assert chooser.choose(logits) == 2
    assert (grammar.asked, chooser.full_checks) == ([1, 64, 1000], 1)


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_nothing_legal_is_an_error(temperature: float) -> None:
    with pytest.raises(EngineFailed, match="allows no token"):
        TokenChooser(temperature, 0, Legal(set())).choose(np.zeros(500, dtype=np.float32))


def test_a_token_that_can_never_come_is_not_legal() -> None:
    logits = np.array([-np.inf, 1], dtype=np.float32)
    with pytest.raises(EngineFailed, match="allows no token"):
        TokenChooser(0, 0, Legal({0})).choose(logits)


@pytest.mark.parametrize("value", [-np.inf, np.nan])
def test_a_model_without_any_opinion_is_an_error(value: float) -> None:
    with pytest.raises(EngineFailed, match="no token any weight"):
        TokenChooser(0, 0).choose(np.full(9, value, dtype=np.float32))


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("legal", [{0}, {0, 1, 2}, {3, 5, 250}, set(range(300))])
def test_draws_follow_the_softmax_over_legal_tokens(temperature: float, legal: set[int]) -> None:
    logits = np.zeros(300, dtype=np.float32)
    logits[:6] = [3, 2, 1, 0.5, 0, -1]
    index = sorted(legal)
    weights = np.exp(logits[index].astype(np.float64) / temperature)
    expected = weights / weights.sum()
    chooser = TokenChooser(temperature, 1, Legal(legal))
    draws = 2000
    counts = Counter(chooser.choose(logits) for _ in range(draws))
    assert set(counts) <= legal
    seen = np.array([counts[token] for token in index]) / draws
    # Five standard deviations of a share that is drawn `draws` times.
    assert np.all(np.abs(seen - expected) <= 5 * np.sqrt(expected * (1 - expected) / draws) + 1e-9)


def test_the_same_seed_draws_the_same_and_another_one_differs() -> None:
    logits = np.zeros(1000, dtype=np.float32)

    def draws(seed: int) -> list[int]:
        chooser = TokenChooser(1.0, seed)
        return [chooser.choose(logits) for _ in range(5)]

    assert draws(1) == draws(1)
    assert draws(1) != draws(2)


def test_without_a_grammar_everything_is_legal() -> None:
    assert TokenChooser(0, 0).choose(np.array([0, 5, 1], dtype=np.float32)) == 1


class Texts:
    """A grammar that admits a few whole texts. Tokens 0 to 255 are bytes, 256 ends; others are byte strings."""

    LONGER = (b'{"', b"say", b'":"', b'":', b'"}', b"ab", b"abc", "é".encode())

    def __init__(self, texts: set[bytes], said: bytes = b"") -> None:
        self._texts = texts
        self._said = said

    @classmethod
    def piece(cls, token: int) -> bytes:
        return bytes([token]) if token < 256 else cls.LONGER[token - 257]

    def legal(self, tokens: NDArray[np.int32]) -> NDArray[np.bool_]:
        return np.array([self._allows(int(token)) for token in tokens])

    def _allows(self, token: int) -> bool:
        if token == 256:
            return self._said in self._texts
        return any(text.startswith(self._said + self.piece(token)) for text in self._texts)

    def accept(self, token: int) -> None:
        assert self._allows(token)
        self._said += self.piece(token)

    def fork(self) -> Texts:
        return Texts(self._texts, self._said)

    def close(self) -> None:
        pass


def spell(text: str) -> list[int]:
    """Longest tokens first."""
    raw, tokens = text.encode(), []
    while raw:
        longer = [n for n, piece in enumerate(Texts.LONGER, 257) if raw.startswith(piece)]
        tokens.append(max(longer, key=lambda n: len(Texts.piece(n))) if longer else raw[0])
        raw = raw[len(Texts.piece(tokens[-1])) :]
    return tokens


ALPHABET = Alphabet(np.arange(257, dtype=np.int32), spell)


def said(texts: set[bytes], limit: int = 99, alphabet: Alphabet = ALPHABET) -> tuple[bytes, bytes]:
    """What is certain, and what is likely behind it."""
    grammar = Texts(texts)
    certain, likely = forced(grammar, alphabet, limit)
    assert grammar._said == b"".join(map(Texts.piece, certain))
    return grammar._said, b"".join(map(Texts.piece, likely))


def test_what_is_forced_is_said_but_for_its_last_token_which_is_likely() -> None:
    assert said({b'{"say":"x"}', b'{"say":"y"}'}) == (b'{"say', b'":"')


def test_nothing_is_forced_where_there_is_a_choice() -> None:
    assert said({b"ab", b"ba"}) == (b"", b"")


def test_an_end_is_a_choice_too() -> None:
    assert said({b"ab", b"abcd"}) == (b"", b"ab")
    assert said({b"say", b"sayab"}) == (b"", b"say")


def test_no_more_than_the_limit() -> None:
    assert said({b'{"say":"x'}, limit=1) == (b'{"', b"say")
    assert said({b'{"say":"x'}, limit=0) == (b"", b'{"')


def test_a_text_that_the_tokenizer_spells_otherwise_is_not_forced() -> None:
    assert said({b'{"say":"x'}, alphabet=Alphabet(ALPHABET.tokens, lambda _: [])) == (b"", b"")


def test_half_a_character_is_not_forced() -> None:
    assert said({"sayé".encode(), "sayè".encode()}) == (b"", b"say")


def test_what_begins_in_the_middle_of_a_character_is_not_forced() -> None:
    grammar = Texts({'é":'.encode()}, said=b"\xc3")
    assert forced(grammar, ALPHABET, 9) == ([], [])


def test_where_nothing_is_forced_no_copy_of_the_grammar_is_made() -> None:
    class Uncopied(Texts):
        def fork(self) -> Texts:
            raise AssertionError("copied")

    assert forced(Uncopied({b"ab", b"ba"}), ALPHABET, 9) == ([], [])

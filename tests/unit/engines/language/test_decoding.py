"""Looking at few tokens, forcing and trying them say the same as masking everything and trying nothing, on random
schemas, with tokens that lie across the elements of the grammar and across characters."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from aria_desktop.engines.language.choices import ChoiceWatch
from aria_desktop.engines.language.constrained import Alphabet, TokenChooser
from aria_desktop.engines.language.decoding import Constraint, Decoding
from aria_desktop.engines.language.grammar import to_gbnf
from aria_desktop.engines.language.text_stream import TextStream
from tests.unit.engines.language.schema_grammar import SchemaGrammar, of_schema

LONGER = [
    *(b'{"', b'":', b'":"', b'":""', b'":[', b'","', b'",', b'"}', b'"]', b'},{"', b'"},{"', b"]}", b'"]}', b',"'),
    *(b'{"a', b'a":', b"tool", b"call", b"calls", b"answer", b"tr", b"true", b"fal", b"se", b"12", b"-1", b"0.", b".5"),
    *(
        b"e1",
        b"ab",
        b"abc",
        b'ab"',
        b"  ",
        b"\\n",
        b'\\"',
        b"\\u00",
        b"\xa9\xc3",
        b"\xc3\xa9",
        b'\xc3\xa9"',
        b"\xf0\x9f",
    ),
    *(b"\x98\x80", b"\n", b"}\n"),
]
END = 256
PIECES = [bytes([byte]) for byte in range(256)] + [b""] + LONGER
NUMBERS = {piece: number for number, piece in enumerate(PIECES)}
FAVOURED = [NUMBERS[piece] for piece in (b'"', b'"}', b"]", b"}", b'"]', b",", b"tool", b'"},{"', b"\xc3", b'":""')]
PROMPT = [NUMBERS[b"ab"], NUMBERS[b"tool"], NUMBERS[b"abc"], NUMBERS[b'"}']]
LIMIT = 120


def spell(text: str) -> list[int]:
    """Longest tokens first."""
    raw, tokens = text.encode(), []
    while raw:
        size = next(size for size in range(min(6, len(raw)), 0, -1) if raw[:size] in NUMBERS)
        tokens.append(NUMBERS[raw[:size]])
        raw = raw[size:]
    return tokens


ALPHABET = Alphabet(np.arange(257, dtype=np.int32), spell)


class Script:
    """`decoding.Evaluator` whose logits follow from the tokens before them, and `decoding.Vocabulary`."""

    def __init__(self, seed: int, *, can_take_back: bool = True) -> None:
        self._seed = seed
        self.can_take_back = can_take_back
        self._evaluated: list[int] = []
        self._on_trial = 0
        self.sizes: list[int] = []

    def evaluate(self, tokens: Sequence[int], on_trial: int) -> None:
        known = len(self._evaluated)
        assert list(tokens[:known]) == self._evaluated
        assert len(tokens) - known > on_trial
        assert on_trial == 0 or self.can_take_back
        self.sizes.append(len(tokens) - known)
        self._evaluated, self._on_trial = list(tokens), on_trial

    def logits(self, before_end: int) -> NDArray[np.float32]:
        assert 0 <= before_end <= self._on_trial
        said = self._evaluated[: len(self._evaluated) - before_end]
        random = np.random.default_rng([self._seed, zlib.crc32(repr(said).encode())])
        logits = random.normal(size=len(PIECES)).astype(np.float32)
        logits[FAVOURED] += 2
        return logits

    def take_back(self, count: int) -> None:
        assert 0 < count <= self._on_trial
        del self._evaluated[len(self._evaluated) - count :]
        self._on_trial -= count

    def piece(self, token: int) -> bytes:
        return PIECES[token]

    def ends(self, token: int) -> bool:
        return token == END


class MasksAll(TokenChooser):
    """The plain way: every token is checked, each time."""

    def choose(self, logits: NDArray[np.float32]) -> int:
        assert self._grammar is not None
        scores: NDArray[Any] = logits
        if self._temperature > 0:
            scores = logits / self._temperature + self._random.gumbel(size=len(logits))
        return int(np.argmax(np.where(self._grammar.legal(np.arange(len(logits), dtype=np.int32)), scores, -np.inf)))


def decoded(
    schema: Mapping[str, Any],
    seed: int,
    temperature: float = 0.0,
    chooser: type[TokenChooser] = TokenChooser,
    *,
    trials: bool = True,
) -> tuple[str, Decoding, ChoiceWatch]:
    script = Script(seed, can_take_back=trials)
    grammar = SchemaGrammar(of_schema(schema), PIECES)
    watch = ChoiceWatch(schema, lambda piece: [NUMBERS[piece]] if piece in NUMBERS else [])
    constraint = Constraint(grammar, ALPHABET, END, watch)
    decoding = Decoding(script, script, chooser(temperature, seed, grammar), TextStream(), constraint)
    text = "".join(decoding.run(PROMPT, LIMIT))
    assert decoding.evaluations == len(script.sizes)
    return text, decoding, watch


SCALARS = [
    {"type": "string", "maxLength": 6},
    {"type": "string", "minLength": 1, "maxLength": 3},
    {"type": "integer"},
    {"type": "number"},
    {"type": "boolean"},
    {"const": 'é"\\'},
    {"enum": ["ab", "abc", "a", 12, 1, True]},
    {"enum": ["é", "è"]},
]
NAMES = ["a", "ab", "tool", "é", 'q"']


def an_object_of(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def an_object(values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    members = st.dictionaries(st.sampled_from(NAMES), st.tuples(values, st.booleans()), max_size=3)
    return members.map(
        lambda found: an_object_of(
            {name: value for name, (value, _) in found.items()},
            [name for name, (_, needed) in found.items() if needed],
        )
    )


def an_array(values: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    counts = st.tuples(st.integers(0, 2), st.integers(0, 1))
    return st.tuples(values, counts).map(
        lambda found: {
            "type": "array",
            "items": found[0],
            "minItems": found[1][0],
            "maxItems": max(1, sum(found[1])),
        }
    )


SCHEMAS = st.recursive(
    st.sampled_from(SCALARS),
    lambda inner: st.one_of(
        an_object(inner), an_array(inner), st.lists(inner, min_size=1, max_size=3).map(lambda found: {"oneOf": found})
    ),
    max_leaves=6,
)
SEEDS = st.integers(0, 2**31)


def fits(value: object, schema: Mapping[str, Any]) -> bool:
    if "oneOf" in schema:
        return any(fits(value, one) for one in schema["oneOf"])
    if "const" in schema or "enum" in schema:
        allowed = [schema["const"]] if "const" in schema else schema["enum"]
        return any(value == one and type(value) is type(one) for one in allowed)
    match schema["type"]:
        case "object":
            return (
                isinstance(value, dict)
                and set(schema["required"]) <= set(value) <= set(schema["properties"])
                and all(fits(value[name], schema["properties"][name]) for name in value)
            )
        case "array":
            return (
                isinstance(value, list)
                and schema["minItems"] <= len(value) <= schema["maxItems"]
                and all(fits(item, schema["items"]) for item in value)
            )
        case "string":
            return isinstance(value, str) and schema.get("minLength", 0) <= len(value) <= schema["maxLength"]
        case "integer":
            return type(value) is int
        case "number":
            return type(value) in (int, float)
        case _:
            return type(value) is bool


@settings(deadline=None, max_examples=100)
@given(SCHEMAS, SEEDS, st.sampled_from([0.0, 0.0, 1.0, 3.0]))
def test_fast_and_full_constrained_decoding_agree(schema: dict[str, Any], seed: int, temperature: float) -> None:
    fast, _, watch = decoded(schema, seed, temperature)
    full, _, watched = decoded(schema, seed, temperature, MasksAll)
    assert fast == full
    assert watch.tool_choices() == watched.tool_choices()


@settings(deadline=None, max_examples=100)
@given(SCHEMAS, SEEDS, st.sampled_from([0.0, 1.0]))
@example(an_object_of({"é": {"enum": ["é", "è"]}, "a": {"type": "boolean"}}, ["a"]), 454, 0.0)
@example(an_object_of({"é": {"enum": ["é", "è"]}, "a": {"type": "string", "maxLength": 6}}, ["a"]), 453, 0.0)
def test_what_is_tried_changes_nothing(schema: dict[str, Any], seed: int, temperature: float) -> None:
    tried, fewer, _ = decoded(schema, seed, temperature)
    plain, more, _ = decoded(schema, seed, temperature, trials=False)
    assert tried == plain
    assert fewer.tokens == more.tokens
    assert fewer.evaluations <= more.evaluations


@settings(deadline=None, max_examples=100)
@given(SCHEMAS, SEEDS, st.sampled_from([0.0, 1.0, 5.0]))
def test_every_whole_text_parses_and_fits(schema: dict[str, Any], seed: int, temperature: float) -> None:
    to_gbnf(schema)
    text, decoding, _ = decoded(schema, seed, temperature)
    if decoding.complete:
        assert fits(json.loads(text), schema), text
    else:
        assert decoding.tokens == LIMIT


def test_most_of_these_texts_become_whole() -> None:
    schema = {"type": "array", "items": {"enum": ["ab", "abc"]}, "minItems": 1, "maxItems": 2}
    assert all(decoded(schema, seed, 1.0)[1].complete for seed in range(30))


def calls(tools: Sequence[str]) -> dict[str, Any]:
    def thing(properties: dict[str, Any]) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }

    short = {"type": "string", "maxLength": 4}
    one = {"oneOf": [thing({"tool": {"const": tool}, "ab": short}) for tool in tools]}
    many = {"type": "array", "items": one, "minItems": 1, "maxItems": 3}
    return {"oneOf": [thing({"calls": many, "then": short}), thing({"answer": short})]}


@settings(deadline=None, max_examples=60)
@given(
    SEEDS, st.sampled_from([0.0, 1.0]), st.lists(st.sampled_from(["ab", "abc", "tool", "a_b"]), min_size=1, unique=True)
)
def test_each_call_of_a_reply_has_its_choice(seed: int, temperature: float, tools: list[str]) -> None:
    text, decoding, watch = decoded(calls(tools), seed, temperature)
    assert decoding.complete
    found = json.loads(text)
    named = [call["tool"] for call in found["calls"]] if "calls" in found else ["answer"]
    choices = watch.tool_choices()
    assert [choice.name for choice in choices] == named
    for choice in choices:
        assert 0 < choice.probability <= 1 + 1e-9
        assert choice.probability + choice.runner_up_probability <= 1 + 1e-9
        assert (choice.runner_up == "") == (len(tools) == 1 and choice.name != "answer")


def test_forced_text_goes_along_with_the_choice_before_it() -> None:
    schema = calls(["tool"])["oneOf"][0]
    _, decoding, _ = decoded(schema, 1)
    assert decoding.evaluations < decoding.tokens / 2


@pytest.mark.parametrize("limit", [1, 2, 3, 7])
def test_no_more_tokens_than_allowed(limit: int) -> None:
    schema = calls(["tool", "ab"])
    script = Script(5)
    grammar = SchemaGrammar(of_schema(schema), PIECES)
    constraint = Constraint(grammar, ALPHABET, END, ChoiceWatch(schema, lambda _: []))
    decoding = Decoding(script, script, TokenChooser(0, 0, grammar), TextStream(), constraint)
    list(decoding.run(PROMPT, limit))
    assert decoding.tokens == limit
    assert not decoding.complete


def test_free_text_repeats_its_prompt_in_fewer_evaluations_and_ends_at_a_stop() -> None:
    words = [NUMBERS[piece] for piece in (b"ab", b"abc", b"tr", b"12", b"call", b"answer")]

    class Copies(Script):
        """Says the prompt once more."""

        def logits(self, before_end: int) -> NDArray[np.float32]:
            logits = np.zeros(len(PIECES), dtype=np.float32)
            at = len(self._evaluated) - before_end - len(words)
            logits[words[at] if at < len(words) else NUMBERS[b"\n"]] = 1
            return logits

    script = Copies(0)
    decoding = Decoding(script, script, TokenChooser(0, 0), TextStream(["\n"]), None)
    assert "".join(decoding.run(words, 50)) == "ababctr12callanswer"
    assert decoding.complete
    assert decoding.evaluations < decoding.tokens

"""Grammars made of schemas, on the real vocabulary: what llama.cpp admits is what the schema does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aria_desktop.engines.language.constrained import Grammar
from aria_desktop.engines.language.grammar import to_gbnf
from aria_desktop.engines.language.llama_cpp import LlamaCpp, load
from aria_desktop.engines.language.native_grammar import NativeGrammar
from tests.agent.engine_stage import SMALL


@pytest.fixture(scope="module")
def engine(models_dir: Path) -> LlamaCpp:
    return load(str(models_dir / SMALL), {"context_tokens": 512})


JSON_TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=8)
SCALARS: list[tuple[dict[str, Any], st.SearchStrategy[Any]]] = [
    ({"type": "string"}, JSON_TEXT),
    ({"type": "string", "maxLength": 3}, st.text("ab", max_size=3)),
    ({"type": "integer"}, st.integers(-(10**17), 10**17)),
    ({"type": "boolean"}, st.booleans()),
    ({"type": "null"}, st.none()),
    ({"enum": ["a", 'q"\\', "é\n", 7]}, st.sampled_from(["a", 'q"\\', "é\n", 7])),
    ({"type": "array", "items": {"type": "integer"}, "maxItems": 2}, st.lists(st.integers(0, 99), max_size=2)),
]


@st.composite
def schemas_with_values(draw: st.DrawFn) -> tuple[dict[str, Any], Any]:
    """A random object schema and a value that it admits."""
    names = draw(st.lists(st.text("abc_é", min_size=1, max_size=4), unique=True, max_size=4))
    kinds = [draw(st.sampled_from(SCALARS)) for _ in names]
    required = [name for name in names if draw(st.booleans())]
    value = {
        name: draw(values)
        for name, (_, values) in zip(names, kinds, strict=True)
        if name in required or draw(st.booleans())
    }
    properties = {name: schema for name, (schema, _) in zip(names, kinds, strict=True)}
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return schema, value


def admits(engine: LlamaCpp, schema: dict[str, Any], text: str) -> bool:
    """Does llama.cpp's grammar take `text`, byte by byte, and may it end there?"""
    assert engine._alphabet is not None
    letters = engine._alphabet.tokens
    grammar: Grammar = NativeGrammar.parsed(engine._model, to_gbnf(schema))
    try:
        for byte in text.encode():
            if not grammar.legal(letters[byte : byte + 1])[0]:
                return False
            grammar.accept(int(letters[byte]))
        return bool(grammar.legal(letters[256:])[0])
    finally:
        grammar.close()


@pytest.mark.parametrize("most", [63, 64, 65, 79, 80, 100, 400])
def test_a_long_string_ends_where_its_schema_says(engine: LlamaCpp, most: int) -> None:
    schema = {"type": "string", "maxLength": most}
    lengths = [0, 1, 15, 16, 17, most // 2, most - 16, most - 1, most]
    assert [n for n in lengths if not admits(engine, schema, compact("é" * n))] == []
    assert [n for n in (most + 1, most + 16, 2 * most) if admits(engine, schema, compact("é" * n))] == []


def compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(schemas_with_values())
def test_a_grammar_admits_what_its_schema_does(engine: LlamaCpp, case: tuple[dict[str, Any], Any]) -> None:
    schema, value = case
    text = compact(value)
    assert admits(engine, schema, text)
    assert not admits(engine, schema, text[:-1])
    assert not admits(engine, schema, text + " ")
    assert not admits(engine, schema, compact({**value, "zz": 1}))
    for name in schema["required"]:
        assert not admits(engine, schema, compact({key: value[key] for key in value if key != name}))


@pytest.mark.parametrize(
    ("text", "legal"),
    [
        ('"a\\n\\"\\\\\\u00e9"', True),
        ('"é😀"', True),
        ('"\\ud83d\\ude00"', False),
        ('"\\x41"', False),
        ('"a\nb"', False),
        ('"a\tb"', False),
        ('"', False),
        ("'a'", False),
        ('""', True),
        ('"' + " " * 40 + 'a\\n\\t"', True),
        ('"' + "\\n" * 40 + '"', True),
        ('"' + " " * 41 + '"', False),
        ('"a' + "\\n" * 41 + 'b"', False),
    ],
)
def test_strings_hold_legal_escapes_and_no_raw_control_characters(engine: LlamaCpp, text: str, legal: bool) -> None:
    assert admits(engine, {"type": "string"}, text) == legal


@pytest.mark.parametrize(
    ("text", "legal"),
    [("0", True), ("-5", True), ("007", False), ("1.0", False), ("+1", False), ("1e3", False), ("", False)],
)
def test_integers(engine: LlamaCpp, text: str, legal: bool) -> None:
    assert admits(engine, {"type": "integer"}, text) == legal


@pytest.mark.parametrize(("text", "legal"), [("1.5", True), ("-0.25e-3", True), ("1.", False), (".5", False)])
def test_numbers(engine: LlamaCpp, text: str, legal: bool) -> None:
    assert admits(engine, {"type": "number"}, text) == legal

"""Schemas become grammars, and what can't be said in one is refused. What the grammars admit is tested where
llama.cpp reads them (tests/agent)."""

from __future__ import annotations

from typing import Any

import pytest

from aria_desktop.core.errors import EngineFailed
from aria_desktop.engines.language.grammar import to_gbnf


def rule(schema: dict[str, Any]) -> str:
    """The grammar without the rules that are the same in all."""
    lines = to_gbnf(schema).splitlines()
    end = next(i for i, line in enumerate(lines) if line.startswith("text ::="))
    return "; ".join(lines[:end])


def thing(properties: dict[str, Any], required: list[str] | None = None) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties) if required is None else required,
        "additionalProperties": False,
    }


ONE = {"const": 1}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string"}, r'root ::= "\"" text "\""'),
        ({"type": "string", "maxLength": 8}, r'root ::= "\"" char{0,8} "\""'),
        (
            {"type": "string", "maxLength": 70},
            r'root ::= "\"" (block{0,3} char{0,15} | block{4} char{0,6}) "\""',
        ),
        ({"type": "string", "minLength": 2}, r'root ::= "\"" char{2,} "\""'),
        ({"type": "integer", "description": "how many"}, "root ::= integer"),
        ({"const": 'a"\\é'}, r'root ::= "\"a\\\"\\\\\U000000E9\""'),
        ({"enum": ["a", "b"], "type": "string"}, r'root ::= r0; r0 ::= "\"a\"" | "\"b\""'),
        ({"enum": [True, None, 3]}, 'root ::= r0; r0 ::= "true" | "null" | "3"'),
        ({"type": "array", "items": ONE}, 'root ::= r0; r0 ::= "[" ("1" ("," "1")*)? "]"'),
        ({"type": "array", "items": ONE, "minItems": 1}, 'root ::= r0; r0 ::= "[" "1" ("," "1")* "]"'),
        (
            {"type": "array", "items": ONE, "minItems": 2, "maxItems": 3},
            'root ::= r0; r0 ::= "[" "1" ("," "1"){1,2} "]"',
        ),
        ({"type": "array", "items": ONE, "maxItems": 0}, 'root ::= "[]"'),
        (thing({}), 'root ::= r0; r0 ::= "{"  "}"'),
        (thing({"b": ONE, "a": ONE}), r'root ::= r0; r0 ::= "{" "\"b\":" "1" "," "\"a\":" "1" "}"'),
        (thing({"a": ONE, "b": ONE}, ["a"]), r'root ::= r0; r0 ::= "{" "\"a\":" "1" ("," "\"b\":" "1")? "}"'),
        (
            thing({"a": ONE, "b": ONE}, ["b"]),
            r'root ::= r0; r0 ::= "{" ("\"a\":" "1" "," "\"b\":" "1" | "\"b\":" "1") "}"',
        ),
        (thing({"a": ONE}, []), r'root ::= r0; r0 ::= "{" ("\"a\":" "1" )? "}"'),
        ({"oneOf": [ONE, {"const": 2}]}, 'root ::= r0; r0 ::= "1" | "2"'),
    ],
)
def test_a_schema_and_its_grammar(schema: dict[str, Any], expected: str) -> None:
    assert rule(schema) == expected


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({}, "the type None"),
        ({"type": "strin"}, "the type 'strin'"),
        ({"type": ["string", "null"]}, "the type"),
        ({"type": "string", "pattern": "a+"}, "'pattern'"),
        ({"type": "string", "format": "date"}, "'format'"),
        ({"type": "string", "maxLength": 100_000}, "maxLength"),
        ({"type": "string", "maxLength": True}, "maxLength"),
        ({"type": "string", "minLength": 5, "maxLength": 4}, "at least 5 and at most 4"),
        ({"type": "integer", "minimum": 1}, "'minimum'"),
        ({"type": "object", "properties": {}}, "additional properties"),
        ({"type": "object", "properties": {}, "additionalProperties": True}, "additional properties"),
        (thing({"a": ONE}, ["a", "b"]), "requires what it does not declare"),
        (thing({"a": {"type": "array"}}), "the items of the schema.a is None"),
        ({"$ref": "#/x"}, "the type None"),
        ({"enum": []}, "enum"),
        ({"enum": "ab"}, "enum"),
        ({"enum": ["a"], "type": "integer"}, "no integer"),
        ({"const": True, "type": "integer"}, "no integer"),
        ({"oneOf": []}, "empty"),
        ({"anyOf": [ONE], "type": "object"}, "'type'"),
        ({"const": "\ud800"}, "surrogate"),
        ({"oneOf": [7]}, "not an object"),
    ],
)
def test_what_cannot_be_said_exactly_is_refused(schema: dict[str, Any], reason: str) -> None:
    with pytest.raises(EngineFailed, match=r"can't be made a grammar") as raised:
        to_gbnf(schema)
    assert reason in raised.value.text


def test_a_property_is_named_in_the_reason() -> None:
    with pytest.raises(EngineFailed, match=r"the schema\.call\.path uses 'pattern'"):
        to_gbnf(thing({"call": thing({"path": {"type": "string", "pattern": "x"}})}))

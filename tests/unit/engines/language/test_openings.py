"""Where replies part, by what name, and what each way surely begins with."""

from __future__ import annotations

from typing import Any

import pytest

from aria_desktop.engines.language.json_place import JsonPlace
from aria_desktop.engines.language.openings import choices_of

TEXT = {"type": "string"}


def thing(properties: dict[str, Any], required: list[str] | None = None) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties) if required is None else required,
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (thing({"tool": {"const": "recall"}, "query": TEXT}), b'{"tool":"recall","query":"'),
        (thing({"answer": TEXT}), b'{"answer":"'),
        (thing({"tool": {"const": "stop"}}), b'{"tool":"stop"}'),
        (thing({"tool": {"const": "a"}, "n": {"type": "integer"}}), b'{"tool":"a","n":'),
        (thing({"tool": {"const": "a"}, "n": TEXT}, ["tool"]), b'{"tool":"a"'),
        (thing({"é": {"enum": ["abc", "abd"]}}), '{"é":"ab'.encode()),
        (thing({"list": {"type": "array", "items": TEXT}}), b'{"list":['),
        (thing({"list": {"type": "array", "items": TEXT, "minItems": 1}}), b'{"list":["'),
        (thing({"x": {"oneOf": [thing({"ab": TEXT}), thing({"ac": TEXT})]}}), b'{"x":{"a'),
    ],
)
def test_what_a_way_begins_with(schema: dict[str, Any], expected: bytes) -> None:
    assert choices_of({"oneOf": [schema]})[()][0].opening == expected


def test_the_agents_kind_of_schema() -> None:
    calls = {"type": "array", "items": {"oneOf": [thing({"tool": {"const": t}}) for t in ("a", "b")]}, "minItems": 1}
    found = choices_of({"oneOf": [thing({"calls": calls, "then": TEXT}), thing({"answer": TEXT})]})
    assert list(found) == [(), ("calls", "[]")]
    assert [(one.name, one.is_tool, one.leads_on) for one in found[()]] == [
        ("calls", False, True),
        ("answer", False, False),
    ]
    assert [(one.name, one.is_tool, one.leads_on) for one in found["calls", "[]"]] == [
        ("a", True, False),
        ("b", True, False),
    ]


def test_values_without_objects_are_no_choice() -> None:
    assert choices_of({"oneOf": [TEXT, {"const": 1}]}) == {}
    assert choices_of(thing({"a": {"enum": [1, 2]}})) == {}


def places(text: str) -> list[tuple[str, ...]]:
    """The path of each object, in the order in which they open."""
    place, found = JsonPlace(), []
    for byte in text.encode():
        if place.opens_object(byte):
            found.append(place.path[:-1])
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a":1}', [()]),
        ('{"a":{"b":{}}}', [(), ("a",), ("a", "b")]),
        ('{"c":[{"t":"x"},{"t":"y"}],"d":{}}', [(), ("c", "[]"), ("c", "[]"), ("d",)]),
        ('{"a":"{\\"b\\":{","é\\"":{}}', [(), ('é\\"',)]),
        ('{"a":["x","y",{"b":[[{}]]}]}', [(), ("a", "[]"), ("a", "[]", "b", "[]", "[]")]),
        ("}]:,{", [()]),
    ],
)
def test_where_objects_open(text: str, expected: list[tuple[str, ...]]) -> None:
    assert places(text) == expected

"""The leaderboard's functions in two other notations: JSON schema for others, our own tools for us.

The leaderboard writes types with Python's names, and describes where JSON schema would constrain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from aria_desktop.assistant.reply import ANSWER
from aria_desktop.core.chat import ToolResult
from aria_desktop.core.errors import ToolFailed
from aria_desktop.evaluation.bfcl_cases import Function
from aria_desktop.tools.registry import Registry
from aria_desktop.tools.tool import Effect, Limit, Parameter, Tool

JSON_TYPES: Mapping[str, str] = MappingProxyType(
    {
        "string": "string",
        "integer": "integer",
        "float": "number",
        "boolean": "boolean",
        "array": "array",
        "tuple": "array",
        "dict": "object",
        "any": "string",
    }
)
_CHOSEN: Mapping[str, type] = MappingProxyType({"string": str, "integer": int, "boolean": bool})
_CONSTRAINING = ("minItems", "maxItems")


def described(function: Function) -> dict[str, Any]:
    """As other programs are told of it: {"type": "function", "function": ...} with a JSON schema, words and all."""
    parameters = _translated(function["parameters"])
    return {"type": "function", "function": {**function, "parameters": parameters}}


def _translated(schema: Mapping[str, Any]) -> dict[str, Any]:
    found = {**schema, "type": JSON_TYPES[schema["type"]]}
    if "properties" in schema:
        found["properties"] = {name: _translated(inner) for name, inner in schema["properties"].items()}
    if "items" in schema:
        found["items"] = _translated(schema["items"])
    return found


def as_registry(functions: Sequence[Function]) -> Registry:
    """The functions as the only tools there are. They are never run: what counts is the call."""
    return Registry(tuple(_tool(function) for function in functions))


def calls_only(schema: Mapping[str, Any]) -> Mapping[str, object]:
    """The replies of `schema` that call."""
    return {"oneOf": [one for one in schema["oneOf"] if ANSWER not in one["properties"]]}


def _tool(function: Function) -> Tool:
    schema = function["parameters"]
    required = set(schema.get("required", ()))
    parameters = tuple(
        Parameter(name, constraint(inner), inner.get("description", ""), name in required)
        for name, inner in schema["properties"].items()
    )
    return Tool(function["name"], function["description"], parameters, Effect.LOOKS, Limit.READ, _never_run)


def _never_run(*_: object, **__: object) -> ToolResult:
    raise ToolFailed("Functions of the leaderboard are only called, never carried out.")


def constraint(schema: Mapping[str, Any]) -> dict[str, Any]:
    """What a value must be like, and nothing else, in the part of JSON schema that our grammars are made from.

    A dictionary or list whose inside is not declared holds plain values.
    """
    kind = JSON_TYPES[schema["type"]]
    match kind:
        case "object":
            return _object(schema.get("properties") or {}, schema.get("required", ()))
        case "array":
            counts = {name: schema[name] for name in _CONSTRAINING if name in schema}
            items = {**(schema.get("items") or {"type": "string"})}
            if "enum" in schema:
                items.setdefault("enum", schema["enum"])
            return {"type": kind, "items": constraint(items), **counts}
        case _:
            return _scalar(kind, schema.get("enum") or ())


def _scalar(kind: str, choices: Sequence[Any]) -> dict[str, Any]:
    """Where a choice is not of the declared type, none of them counts: some cases list texts beside numbers."""
    fits = all(type(choice) is _CHOSEN.get(kind) for choice in choices)
    return {"enum": list(dict.fromkeys(choices))} if choices and fits else {"type": kind}


def _object(properties: Mapping[str, Any], required: Sequence[str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: constraint(inner) for name, inner in properties.items()},
        "required": [name for name in properties if name in required],
        "additionalProperties": False,
    }

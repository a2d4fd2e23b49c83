"""Where a schema's replies part: its alternatives, each with the text that it surely begins with."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from aria_desktop.engines.language.json_place import ITEM, Path

_TOOL = "tool"
"""The property whose constant names the tool of a call."""


@dataclass(frozen=True, slots=True)
class Alternative:
    name: str
    """The tool's; of other objects the first property's."""
    is_tool: bool
    leads_on: bool
    """Further choices lie inside."""
    opening: bytes
    """As far as the schema leaves no choice."""


Choices = Mapping[Path, tuple[Alternative, ...]]


def choices_of(schema: Mapping[str, Any]) -> Choices:
    """All places where one of several objects comes, by path."""
    return dict(_choices(schema, ()))


def _choices(schema: Mapping[str, Any], path: Path) -> Iterator[tuple[Path, tuple[Alternative, ...]]]:
    alternatives = schema.get("oneOf") or schema.get("anyOf") or ()
    if alternatives and all(alternative.get("properties") for alternative in alternatives):
        yield path, tuple(_alternative(alternative, path) for alternative in alternatives)
    for inner in alternatives or (schema,):
        for name, value in inner.get("properties", {}).items():
            yield from _choices(value, (*path, name))
        if "items" in inner:
            yield from _choices(inner["items"], (*path, ITEM))


def _alternative(schema: Mapping[str, Any], path: Path) -> Alternative:
    properties: Mapping[str, Any] = schema["properties"]
    tool = properties.get(_TOOL, {}).get("const")
    leads_on = any(True for _ in _choices(schema, path))
    opening, _ = _opening(schema)
    return Alternative(tool or next(iter(properties)), bool(tool), leads_on, opening)


def _opening(schema: Mapping[str, Any]) -> tuple[bytes, bool]:
    """What the value begins with, and whether that is all of it."""
    constants = [schema["const"]] if "const" in schema else schema.get("enum", ())
    if constants:
        return _common([_spelled(value) for value in constants]), len(constants) == 1
    if alternatives := schema.get("oneOf") or schema.get("anyOf"):
        return _common([_opening(alternative)[0] for alternative in alternatives]), False
    match schema.get("type"):
        case "object":
            return _object_opening(schema)
        case "array" if schema.get("minItems"):
            return b"[" + _opening(schema["items"])[0], False
        case "array":
            return b"[", False
        case "string":
            return b'"', False
        case _:
            return b"", False


def _object_opening(schema: Mapping[str, Any]) -> tuple[bytes, bool]:
    opening = b"{"
    for number, (name, value) in enumerate(schema.get("properties", {}).items()):
        if name not in schema.get("required", ()):
            return opening, False
        begins, whole = _opening(value)
        opening += (b"," if number else b"") + _spelled(name) + b":" + begins
        if not whole:
            return opening, False
    return opening + b"}", True


def _spelled(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _common(texts: list[bytes]) -> bytes:
    least, most = min(texts), max(texts)
    same = (a == b for a, b in zip(least, most, strict=False))
    return least[: next((size for size, equal in enumerate(same) if not equal), len(least))]

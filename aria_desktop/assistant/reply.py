"""What a legal reply of the model looks like, and the strict reading of one.

A reply is one JSON object whose first name says what it is: {"calls": [...], "then": ...} uses tools, one
{"tool": ..., its arguments} for each call; {"answer": ...} speaks to the user. The schema made here is the source
of the grammar that the engine decodes under; the parser trusts neither grammar nor engine. It converts nothing:
what does not fit exactly is `ReplyInvalid`, with a text that tells the model why, and nothing is carried out.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from aria_desktop.core.chat import ToolCall
from aria_desktop.core.errors import ReplyInvalid
from aria_desktop.tools.registry import Registry
from aria_desktop.tools.tool import Tool

CALLS = "calls"
TOOL = "tool"
THEN = "then"
ANSWER = "answer"

MOST_CALLS = 6
"""In one reply. More than that in one breath is a model that goes on and on."""

MOST_OF_THEN = 300
MOST_OF_ANSWER = 1_500
"""Characters: more than anybody wants to be read aloud, and within what `language_model.max_tokens` allows."""

_MAX_CHARACTERS = 200_000
_MAX_DIGITS = 18
_TOOL_NAME = re.compile(r"[a-z][a-z_]{0,39}\Z")


@dataclass(frozen=True, slots=True)
class Call:
    tool: str
    """May be a name that no tool has."""
    arguments: Mapping[str, object]
    """Fit the tool's schema; as they came when there is no such tool."""


@dataclass(frozen=True, slots=True)
class Calls:
    calls: tuple[Call, ...]
    """At least one, in the order in which they are to be carried out."""
    then: str
    """What the model says is left to do once their results are known; empty when nothing is."""


@dataclass(frozen=True, slots=True)
class Answer:
    text: str
    """Empty when there is nothing to add to what the user was told already."""


Reply = Calls | Answer


def reply_schema(registry: Registry) -> Mapping[str, object]:
    """The JSON schema of all legal replies. Names come in the order in which they are to be generated."""
    call = {"oneOf": [_call_schema(tool) for tool in registry]}
    calls = {"type": "array", "items": call, "minItems": 1, "maxItems": MOST_CALLS}
    return {"oneOf": [_object({CALLS: calls, THEN: _text(MOST_OF_THEN)}, [CALLS, THEN]), answer_schema()]}


def answer_schema() -> Mapping[str, object]:
    """Only an answer: tools are forbidden."""
    return _object({ANSWER: _text(MOST_OF_ANSWER)}, [ANSWER])


def _text(most: int) -> Mapping[str, object]:
    return {"type": "string", "maxLength": most}


def _call_schema(tool: Tool) -> Mapping[str, object]:
    properties: dict[str, object] = {TOOL: {"const": tool.name}}
    properties.update((parameter.name, parameter.schema) for parameter in tool.parameters)
    required = [TOOL, *(parameter.name for parameter in tool.parameters if parameter.required)]
    return _object(properties, required)


def _object(properties: Mapping[str, object], required: list[str]) -> Mapping[str, object]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def parse(raw: str, registry: Registry) -> Reply:
    """Raises ReplyInvalid for everything that the schema does not allow."""
    found = _object_in(raw)
    if ANSWER in found:
        return _answer(found)
    calls, then = found.pop(CALLS, None), found.pop(THEN, None)
    if not isinstance(calls, list) or not 1 <= len(calls) <= MOST_CALLS:
        raise ReplyInvalid(f'The reply needs "{CALLS}" with one to {MOST_CALLS} calls of tools, or "{ANSWER}".')
    if not isinstance(then, str):
        raise ReplyInvalid(f'"{THEN}" has to be a text: what is left to do, or "".')
    if found:
        raise ReplyInvalid(f'Beside "{CALLS}" and "{THEN}" there is no "{next(iter(found))[:40]}".')
    return Calls(tuple(_call(call, registry) for call in calls), _short(then, MOST_OF_THEN, THEN))


def _call(found: object, registry: Registry) -> Call:
    name = found.pop(TOOL, None) if isinstance(found, dict) else None
    if not isinstance(found, dict) or not isinstance(name, str) or not _TOOL_NAME.match(name):
        raise ReplyInvalid(f'Each call needs "{TOOL}" with the name of a tool.')
    tool = registry.find(name)
    if tool is not None:
        _refuse_arguments(tool, found)
    return Call(name, MappingProxyType(found))


def as_reply(calls: Sequence[ToolCall], then: str) -> str:
    """Calls as the model writes them."""
    return written({CALLS: [{TOOL: call.tool, **call.arguments} for call in calls], THEN: then})


def written(reply: Mapping[str, object]) -> str:
    """The one spelling that the grammar admits: no white space between tokens."""
    return json.dumps(reply, ensure_ascii=False, separators=(",", ":"))


def _object_in(raw: str) -> dict[str, Any]:
    if len(raw) > _MAX_CHARACTERS:
        raise ReplyInvalid("The reply is too long.")
    try:
        found = json.loads(
            raw,
            object_pairs_hook=_without_duplicates,
            parse_constant=_refuse_constant,
            parse_float=_finite,
            parse_int=_short_integer,
        )
    except ReplyInvalid:
        raise
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "it can't be read"
        raise ReplyInvalid(f"The reply is not one JSON object: {reason}.") from error
    if not isinstance(found, dict):
        raise ReplyInvalid("The reply is not one JSON object.")
    return found


def _answer(found: Mapping[str, object]) -> Answer:
    text = found[ANSWER]
    if len(found) != 1 or not isinstance(text, str):
        raise ReplyInvalid(f'An answer is {{"{ANSWER}": "..."}} and nothing else.')
    return Answer(_short(text, MOST_OF_ANSWER, ANSWER))


def _refuse_arguments(tool: Tool, arguments: Mapping[str, object]) -> None:
    known = {parameter.name: parameter for parameter in tool.parameters}
    for name in arguments:
        if name not in known:
            raise ReplyInvalid(f'{tool.name} has no "{name[:40]}".')
    for name, parameter in known.items():
        if name in arguments:
            _refuse_misfit(arguments[name], parameter.schema, f'"{name}" of {tool.name}')
        elif parameter.required:
            raise ReplyInvalid(f'{tool.name} needs "{name}".')


def _refuse_misfit(value: object, schema: Mapping[str, Any], what: str) -> None:
    if "enum" in schema:
        if not any(value == allowed and type(value) is type(allowed) for allowed in schema["enum"]):
            raise ReplyInvalid(f"{what} has to be one of {', '.join(map(str, schema['enum']))}.")
        return
    types = _TYPES[schema["type"]]
    if type(value) not in types:
        raise ReplyInvalid(f"{what} has to be of type {schema['type']}.")
    if isinstance(value, str) and len(_clean(value, what)) > schema.get("maxLength", len(value)):
        raise ReplyInvalid(f"{what} is longer than {schema['maxLength']} characters.")
    if isinstance(value, list):
        for item in value:
            _refuse_misfit(item, schema["items"], what)


_TYPES: Mapping[str, tuple[type, ...]] = MappingProxyType(
    {"string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,), "array": (list,)}
)


def _short(text: str, most: int, what: str) -> str:
    if len(text) > most:
        raise ReplyInvalid(f'"{what}" is longer than {most} characters.')
    return _clean(text, what).strip()


def _clean(text: str, what: str) -> str:
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise ReplyInvalid(f"{what} contains a broken character.")
    return text


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ReplyInvalid("The reply has the same name twice.")
    return found


def _refuse_constant(constant: str) -> float:
    raise ReplyInvalid(f"{constant} is no value.")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ReplyInvalid("The reply has a number that is too large.")
    return number


def _short_integer(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise ReplyInvalid("The reply has a number that is too large.")
    return int(digits)

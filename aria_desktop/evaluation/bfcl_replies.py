"""From what a model wrote to the calls it meant.

Free text is read with good will: what any sensible program would still understand counts, so that a contestant is
not beaten by our reading.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from aria_desktop.assistant.reply import ANSWER, CALLS, TOOL
from aria_desktop.evaluation.bfcl_cases import Function

Call = tuple[str, Mapping[str, Any]]

_TAGGED = re.compile(r"<tool_call>(.*?)(?:</tool_call>|<tool_call>|\Z)", re.DOTALL)
_FENCED = re.compile(r"```[a-z_]*\s*\n?(.*?)(?:```|\Z)", re.DOTALL)
_NAME_KEYS = ("name", "function", "tool", "tool_name", "function_name")
_ARGUMENT_KEYS = ("arguments", "parameters", "args", "params", "input")
_READ = json.JSONDecoder(strict=False)


def calls_in_text(text: str) -> tuple[Call, ...]:
    """The calls in free text: inside <tool_call> marks, else inside code fences, else anywhere."""
    for places in (_TAGGED.findall(text), _FENCED.findall(text), [text]):
        found = [call for place in places for value in _values(place) for call in _calls(value)]
        if found:
            return tuple(found)
    return ()


def calls_in_reply(raw: str) -> tuple[Call, ...]:
    """The calls in a reply of our own form, with JSON schemas that `assistant.reply.parse` is stricter about than the
    grammar: its names are those of our tools. Raises ValueError for what is no such reply."""
    found = json.loads(raw)
    if not isinstance(found, dict) or not (ANSWER in found or CALLS in found):
        raise ValueError("neither calls nor an answer")
    return tuple((call.pop(TOOL), call) for call in found.get(CALLS, ()))


def answers(raw: str) -> bool:
    """Whether a reply of our own form speaks instead of calling."""
    return raw.startswith(f'{{"{ANSWER}"')


def typed(calls: Sequence[Call], functions: Sequence[Function]) -> tuple[Call, ...]:
    """The calls as a typed function is handed them: in a list of fractions, a whole number is a fraction, too. JSON
    does not tell 1 from 1.0, so this holds for every contestant."""
    return tuple((name, _as_declared(arguments, name, functions)) for name, arguments in calls)


def _as_declared(arguments: Mapping[str, Any], name: str, functions: Sequence[Function]) -> Mapping[str, Any]:
    declared = {
        key: inner
        for function in functions
        if function["name"] == name
        for key, inner in function["parameters"]["properties"].items()
    }
    fractions = {key for key, inner in declared.items() if (inner.get("items") or {}).get("type") == "float"}
    return {
        key: [float(item) if type(item) is int else item for item in value]
        if key in fractions and isinstance(value, list)
        else value
        for key, value in arguments.items()
    }


def _values(text: str) -> Iterator[Any]:
    """Every JSON value in `text` that begins with a bracket, outermost ones only."""
    at = 0
    while (start := min((i for i in (text.find("{", at), text.find("[", at)) if i >= 0), default=-1)) >= 0:
        try:
            value, at = _READ.raw_decode(text, start)
            yield value
        except ValueError:
            at = start + 1


def _calls(value: Any) -> Iterator[Call]:
    match value:
        case list():
            for item in value:
                yield from _calls(item)
        case {"function": dict() as inner}:
            yield from _calls(inner)
        case {"tool_calls": list() as inner}:
            yield from _calls(inner)
        case dict():
            name = next((value[key] for key in _NAME_KEYS if isinstance(value.get(key), str)), None)
            arguments = next((value[key] for key in _ARGUMENT_KEYS if key in value), None)
            if name is not None and (mapped := _mapping(arguments)) is not None:
                yield name, mapped


def _mapping(arguments: Any) -> Mapping[str, Any] | None:
    """Arguments as an object, also when they were written as a text that holds one; None when they are neither."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except ValueError:
            return None
    return arguments if isinstance(arguments, dict) else None

"""Whether calls are right, by the rules of the leaderboard's own checker for Python, in our own words.

- Exactly one call of the right function, with every required parameter and none that is not known.
- A value has the type that the function declares, a whole number also where a fraction is declared; or the type of
  the right answers, where these differ from the declaration. Items of lists are looked at one level deep.
- Texts are compared without case, blanks and the signs , . / - _ * ^, and with one kind of quote. Texts in lists
  and dictionaries, too, one level deep.
- A parameter may be left out only where "" is among its right values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from aria_desktop.evaluation.bfcl_cases import Case, Function

Calls = Sequence[tuple[str, Mapping[str, Any]]]
"""(function, arguments), in the order of the reply."""

_TYPES: Mapping[str, type] = MappingProxyType(
    {
        "string": str,
        "integer": int,
        "float": float,
        "boolean": bool,
        "array": list,
        "tuple": list,
        "dict": dict,
        "any": str,
    }
)
_LEFT_OUT = ""
"""Among right values: the parameter need not be given."""
_SIGNS = re.compile(r"[ ,./\-_*^]")


def fault(case: Case, calls: Calls) -> str:
    """What is wrong with `calls` as the reply to `case`; empty when nothing is."""
    if case.answer is None:
        return "" if not calls else "a call where none fits"
    if len(calls) != 1:
        return f"{len(calls)} calls instead of one"
    ((wanted, right),) = case.answer.items()
    (name, arguments) = calls[0]
    if name != wanted:
        return f"{name} instead of {wanted}"
    return _arguments_fault(_declared(case.functions, wanted), arguments, right)


def _declared(functions: Sequence[Function], name: str) -> Function:
    return next(function for function in functions if function["name"] == name)


def _arguments_fault(function: Function, arguments: Mapping[str, Any], right: Mapping[str, list[Any]]) -> str:
    schema = function["parameters"]
    for name in schema.get("required", ()):
        if name not in arguments:
            return f"no {name}"
    for name, value in arguments.items():
        if name not in schema["properties"] or name not in right:
            return f"{name} is not expected"
        if not _fits(value, schema["properties"][name], right[name]):
            return f"{name} is {value!r} instead of one of {right[name]!r}"
    for name, values in right.items():
        if name not in arguments and _LEFT_OUT not in values:
            return f"no {name}"
    return ""


def _fits(value: Any, schema: Mapping[str, Any], right: list[Any]) -> bool:
    declared = _TYPES[schema["type"]]
    items = _items_type(schema)
    if declared is float and type(value) is int:
        value = float(value)
    type_of_right = _type_of(right)
    if type(value) is not declared:
        return type(value) is type_of_right and value in right
    if items is not None and isinstance(value, list) and not any(_items_fit(value, answer, items) for answer in right):
        return False
    if type_of_right not in (None, declared):
        return value in right
    return _equal(value, right, items)


def _equal(value: Any, right: list[Any], items: type | None) -> bool:
    """`value` has the declared type, and so have the right ones."""
    match value:
        case str():
            return _plain(value) in [_plain(answer) for answer in right if isinstance(answer, str)]
        case dict():
            return any(_dictionary_fits(value, answer) for answer in right if answer != _LEFT_OUT)
        case list() if items is dict:
            return any(_dictionaries_fit(value, answer) for answer in right)
        case list():
            # A list that may be left out may also be empty.
            return [*map(_plain, value)] in [[*map(_plain, answer)] for answer in right]
        case _:
            return value in right


def _items_type(schema: Mapping[str, Any]) -> type | None:
    return _TYPES[schema["items"]["type"]] if schema["type"] in ("array", "tuple") and "items" in schema else None


def _type_of(values: list[Any]) -> type | None:
    """Of the first one that is a value; None when there is none."""
    return next((type(value) for value in values if value != _LEFT_OUT), None)


def _items_fit(value: list[Any], answer: Any, items: type) -> bool:
    if not isinstance(answer, list):
        return True
    return all(type(item) in (items, _type_of(answer)) for item in value)


def _dictionaries_fit(value: list[Any], answer: Sequence[Any]) -> bool:
    return len(value) == len(answer) and all(
        isinstance(item, dict) and isinstance(fit, Mapping) and _dictionary_fits(item, fit)
        for item, fit in zip(value, answer, strict=True)
    )


def _dictionary_fits(value: Mapping[str, Any], answer: Mapping[str, list[Any]]) -> bool:
    known = all(key in answer and _plain(inner) in [_plain(one) for one in answer[key]] for key, inner in value.items())
    return known and all(key in value or _LEFT_OUT in values for key, values in answer.items())


def _plain(value: Any) -> Any:
    return _SIGNS.sub("", value).lower().replace("'", '"') if isinstance(value, str) else value

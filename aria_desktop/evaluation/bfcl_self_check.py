"""The checker held against all right answers that the wheel knows: each must be right, and a spoilt one wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from aria_desktop.evaluation.bfcl_cases import Case
from aria_desktop.evaluation.bfcl_checker import Calls, fault
from aria_desktop.evaluation.report import Figure, Report, machine_line


def run(cases: Sequence[Case]) -> Report:
    with_answer = [case for case in cases if case.answer is not None]
    needing = [case for case in with_answer if can_be_passed(case)]
    refused = [(case.id, calls, why) for case in needing for calls in right(case) if (why := fault(case, calls))]
    passed = [
        (case.id, calls, "taken for right") for case in needing for calls in wrong(case) if not fault(case, calls)
    ]
    figures = (
        Figure("cases with answers", len(with_answer), ""),
        Figure("cases whose answer contradicts the function, passed by no call", len(with_answer) - len(needing), ""),
        Figure("right answers tried", sum(1 for case in needing for _ in right(case)), ""),
        Figure("right answers taken for wrong", len(refused), "", limit=0),
        Figure("spoilt answers tried", sum(1 for case in needing for _ in wrong(case)), ""),
        Figure("spoilt answers taken for right", len(passed), "", limit=0),
    )
    items = tuple({"case": name, "calls": list(calls), "why": why} for name, calls, why in [*refused, *passed])
    return Report("bfcl --self-check", machine_line(), figures, items)


def can_be_passed(case: Case) -> bool:
    """Whether the answer names right values for all that the function requires and nothing that it does not have."""
    assert case.answer is not None
    ((name, values),) = case.answer.items()
    _, known, _ = _parts(case)
    strange = [alternatives for key, alternatives in values.items() if key not in known]
    return set(_required(case, name)) <= set(values) and all(values.values()) and all("" in one for one in strange)


def right(case: Case) -> Iterator[Calls]:
    """The answer with the first right value of each parameter, then with every other one, one at a time."""
    name, values, schemas = _parts(case)
    required = _required(case, name)
    firsts = {key: _first(alternatives, schemas[key]) for key, alternatives in values.items()}
    plain = {key: value for key, value in firsts.items() if value != "" or key in required}
    yield [(name, plain)]
    for key, alternatives in values.items():
        for alternative in alternatives:
            if alternative != "":
                yield [(name, {**plain, key: _spelled(alternative, schemas[key])})]
            elif key not in required:
                yield [(name, {other: value for other, value in plain.items() if other != key})]


def wrong(case: Case) -> Iterator[Calls]:
    """No call, two calls, another name, an argument too many, one too few, and each value changed."""
    name, values, _ = _parts(case)
    plain = next(iter(right(case)))[0][1]
    yield []
    yield [(name, plain), (name, plain)]
    yield [(name + "_", plain)]
    yield [(name, {**plain, "nobody_asked_for_this": 1})]
    for key in plain:
        if "" not in values[key] or key in _required(case, name):
            yield [(name, {other: value for other, value in plain.items() if other != key})]
        for spoilt in (_spoilt(plain[key]), None):
            if spoilt not in values[key]:
                yield [(name, {**plain, key: spoilt})]


def _required(case: Case, name: str) -> Sequence[str]:
    found = next(function for function in case.functions if function["name"] == name)
    required: Sequence[str] = found["parameters"].get("required", ())
    return required


def _parts(case: Case) -> tuple[str, Mapping[str, list[Any]], Mapping[str, Mapping[str, Any]]]:
    assert case.answer is not None
    ((name, values),) = case.answer.items()
    function = next(function for function in case.functions if function["name"] == name)
    schemas = function["parameters"]["properties"]
    # Some answers name a parameter, as one that may be left out, that the function does not declare.
    return name, {key: alternatives for key, alternatives in values.items() if key in schemas}, schemas


def _first(alternatives: Sequence[Any], schema: Mapping[str, Any]) -> Any:
    """ "" when there is none."""
    return next((_spelled(value, schema) for value in alternatives if value != ""), "")


def _spelled(alternative: Any, schema: Mapping[str, Any]) -> Any:
    """A right value as a call has it: dictionaries hold lists of right values in their places."""
    match schema["type"], alternative:
        case "dict", dict():
            return _entries(alternative)
        case "array" | "tuple", list() if (schema.get("items") or {}).get("type") == "dict":
            return [_entries(item) if isinstance(item, dict) else item for item in alternative]
        case _:
            return alternative


def _entries(alternative: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    firsts = {key: next((value for value in values if value != ""), "") for key, values in alternative.items()}
    return {key: value for key, value in firsts.items() if value != "" or "" not in alternative[key]}


def _spoilt(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 977
        case str():
            return value + "qx"
        case list():
            return [*value, "qx", {"qx": 1}]
        case dict():
            return {**value, "qx": 1}
        case _:
            return "qx"

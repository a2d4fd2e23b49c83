"""A JSON schema as a grammar in llama.cpp's notation (GBNF).

The grammar admits one spelling of each value: no white space between tokens, properties in the order in which
the schema gives them. That is what a strict parser needs, and each character that is not free is one that the
model can't get wrong.

Strings hold no raw control characters and only legal escapes. Where a schema sets no length, blank characters come in
runs of limited length, since a model that has lost its way says them until it is cut off.

It fails closed: a keyword that is not translated is an error, never ignored, unless it constrains nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from aria_desktop.core.errors import EngineFailed

_ANNOTATIONS = {"title", "description", "default", "examples", "$comment"}
_KEYWORDS: Mapping[str, set[str]] = {
    "object": {"properties", "required", "additionalProperties"},
    "array": {"items", "minItems", "maxItems"},
    "string": {"minLength", "maxLength"},
    "integer": set(),
    "number": set(),
    "boolean": set(),
    "null": set(),
}
_LONGEST_COUNT = 2000
"""llama.cpp unrolls counted repetitions and refuses longer ones."""

_BLOCK = 16
"""Characters."""

_LONGEST_BLANK = 40
"""Blank characters in a row: more than any sensible indentation behind empty lines."""

_TERMINALS = {
    "text": f"(blank{{0,{_LONGEST_BLANK}}} solid)* blank{{0,{_LONGEST_BLANK}}}",
    "char": "blank | solid",
    "block": f"char{{{_BLOCK}}}",
    "blank": r"""" " | "\\" [nrt]""",
    # No raw control characters; escaped surrogates are left out, since half a pair is no character.
    "solid": r"""[^"\\\x00-\x20\x7F] | "\\" (["\\/bf] | "u" unit)""",
    "unit": r"[0-9a-cA-CefEF] hex hex hex | [dD] [0-7] hex hex",
    "hex": "[0-9a-fA-F]",
    "integer": r""""-"? ("0" | [1-9] [0-9]{0,17})""",
    "number": r"""integer ("." [0-9]{1,17})? ([eE] [-+]? [0-9]{1,3})?""",
    "boolean": r'"true" | "false"',
    "null": r'"null"',
}


def to_gbnf(schema: Mapping[str, Any]) -> str:
    """The grammar's text; its start is `root`. Raises EngineFailed for a schema that it can't express exactly."""
    rules = _Rules()
    try:
        root = rules.expression(schema, "the schema")
    except RecursionError as error:
        raise _unfit("it is too deep") from error
    lines = [f"root ::= {root}", *(f"{name} ::= {text}" for name, text in rules.named.items())]
    return "\n".join([*lines, *(f"{name} ::= {text}" for name, text in _TERMINALS.items())]) + "\n"


class _Rules:
    def __init__(self) -> None:
        self.named: dict[str, str] = {}

    def expression(self, schema: object, where: str) -> str:
        """GBNF for `schema`, fit to stand in a sequence. `where` is for error texts."""
        if not isinstance(schema, Mapping):
            raise _unfit(f"{where} is {schema!r}, not an object")
        for keyword in ("oneOf", "anyOf"):
            if keyword in schema:
                _only(schema, {keyword}, where)
                return self._choice(schema[keyword], f"{where}, {keyword}")
        if "const" in schema or "enum" in schema:
            _only(schema, {"const", "enum", "type"}, where)
            return self._constants(schema, where)
        return self._typed(schema, where)

    def _choice(self, schemas: object, where: str) -> str:
        if not isinstance(schemas, Sequence) or isinstance(schemas, str) or not schemas:
            raise _unfit(f"{where} is empty or no list")
        return self._rule(" | ".join(self.expression(schema, where) for schema in schemas))

    def _constants(self, schema: Mapping[str, Any], where: str) -> str:
        values = [schema["const"]] if "const" in schema else schema["enum"]
        if not isinstance(values, Sequence) or isinstance(values, str) or not values:
            raise _unfit(f"the enum of {where} is empty or no list")
        kind = schema.get("type")
        if kind is not None and any(not _is_of(value, kind) for value in values):
            raise _unfit(f"{where} has a constant that is no {kind}")
        choices = [_literal(json.dumps(value, ensure_ascii=False, separators=(",", ":"))) for value in values]
        return choices[0] if len(choices) == 1 else self._rule(" | ".join(choices))

    def _typed(self, schema: Mapping[str, Any], where: str) -> str:
        kind = schema.get("type")
        if not isinstance(kind, str) or kind not in _KEYWORDS:
            raise _unfit(f"{where} has the type {kind!r}")
        _only(schema, {"type", *_KEYWORDS[kind]}, where)
        match kind:
            case "object":
                return self._object(schema, where)
            case "array":
                return self._array(schema, where)
            case "string":
                low, high = _count(schema, "minLength", where), _count(schema, "maxLength", where)
                inner = _characters(low or 0, high) if low or high is not None else "text"
                return f'"\\"" {inner} "\\""'
            case _:
                return kind

    def _object(self, schema: Mapping[str, Any], where: str) -> str:
        properties = schema.get("properties", {})
        required = schema.get("required", [])
        if schema.get("additionalProperties") is not False:
            raise _unfit(f"{where} does not forbid additional properties")
        if not isinstance(properties, Mapping) or not set(required) <= set(properties):
            raise _unfit(f"{where} requires what it does not declare")
        members = [
            (
                f"{_literal(json.dumps(name, ensure_ascii=False) + ':')} {self.expression(value, f'{where}.{name}')}",
                name,
            )
            for name, value in properties.items()
        ]
        return self._rule(f'"{{" {self._members(members, set(required), first=True)} "}}"')

    def _members(self, members: Sequence[tuple[str, str]], required: set[str], *, first: bool) -> str:
        """The members from here on, with commas between those that are there."""
        if not members:
            return ""
        text, name = members[0]
        present = text if first else f'"," {text}'
        behind = self._members(members[1:], required, first=False)
        if name in required:
            return f"{present} {behind}".strip()
        if not first:
            return f"({present})? {behind}".strip()
        absent = self._members(members[1:], required, first=True)
        return f"({present} {behind} | {absent})" if absent else f"({present} {behind})?"

    def _array(self, schema: Mapping[str, Any], where: str) -> str:
        low, high = _count(schema, "minItems", where) or 0, _count(schema, "maxItems", where)
        if high == 0:
            return '"[]"'
        item = self.expression(schema.get("items"), f"the items of {where}")
        more = _repeat(max(0, low - 1), None if high is None else high - 1)
        items = f'{item} ("," {item}){more}'
        return self._rule(f'"[" {items} "]"' if low else f'"[" ({items})? "]"')

    def _rule(self, text: str) -> str:
        """A rule of its own: in GBNF an alternative reaches as far as the rule does."""
        name = f"r{len(self.named)}"
        self.named[name] = text
        return name


def _only(schema: Mapping[str, Any], known: set[str], where: str) -> None:
    unknown = set(schema) - known - _ANNOTATIONS
    if unknown:
        raise _unfit(f"{where} uses {', '.join(sorted(map(repr, unknown)))}")


def _count(schema: Mapping[str, Any], keyword: str, where: str) -> int | None:
    value = schema.get(keyword)
    if value is None:
        return None
    if type(value) is not int or not 0 <= value <= _LONGEST_COUNT:
        raise _unfit(f"{keyword} of {where} is {value!r}; it can be 0 to {_LONGEST_COUNT}")
    return value


def _characters(low: int, high: int | None) -> str:
    """Long strings are counted in blocks: llama.cpp makes a rule of each counted character, and copies them all
    whenever the grammar is forked."""
    if low or high is None or high < 4 * _BLOCK:
        return f"char{_repeat(low, high)}"
    blocks, rest = divmod(high, _BLOCK)
    return f"(block{{0,{blocks - 1}}} char{{0,{_BLOCK - 1}}} | block{{{blocks}}} char{{0,{rest}}})"


def _repeat(low: int, high: int | None) -> str:
    if high is None:
        return "*" if low == 0 else f"{{{low},}}"
    if low > high:
        raise _unfit(f"a count of at least {low} and at most {high} is asked for")
    return f"{{{low},{high}}}"


def _is_of(value: object, kind: object) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    names = {str: ("string",), int: ("integer", "number"), float: ("number",), type(None): ("null",)}
    return kind in names.get(type(value), ())


def _literal(text: str) -> str:
    """A GBNF string. Its escapes are not JSON's: what is neither plain ASCII nor printable goes by number."""
    return '"' + "".join(_escaped(char) for char in text) + '"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    code = ord(char)
    if 0xD800 <= code <= 0xDFFF:
        raise _unfit("a constant holds half a surrogate pair")
    return char if 0x20 <= code < 0x7F else f"\\U{code:08X}"


def _unfit(reason: str) -> EngineFailed:
    return EngineFailed(f"The reply's schema can't be made a grammar: {reason}.")

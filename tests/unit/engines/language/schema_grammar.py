"""A second, slow reading of schemas as grammars, to hold the quick ones against: regular expressions over bytes,
followed by their derivatives. No two of its ideas come from the program."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Regex:
    """Equal ones are one and the same object, see `_made`."""

    kind: str
    """"none", "empty", "bytes", "then", "or" or "many"."""
    parts: tuple[Any, ...]
    number: int


_known: dict[tuple[Any, ...], Regex] = {}


def _made(kind: str, *parts: Any) -> Regex:
    return _known.setdefault((kind, *parts), Regex(kind, parts, len(_known)))


NONE = _made("none")
EMPTY = _made("empty")


def one_of(*codes: int) -> Regex:
    return _made("bytes", frozenset(codes))


def then(*parts: Regex) -> Regex:
    return reduce(_then, reversed(parts), EMPTY)


def _then(behind: Regex, first: Regex) -> Regex:
    if NONE in (behind, first):
        return NONE
    if first is EMPTY:
        return behind
    return first if behind is EMPTY else _made("then", first, behind)


def either(*parts: Regex) -> Regex:
    flat = {q for part in parts for q in (part.parts if part.kind == "or" else (part,))} - {NONE}
    if not flat:
        return NONE
    return next(iter(flat)) if len(flat) == 1 else _made("or", *sorted(flat, key=lambda part: part.number))


def many(part: Regex) -> Regex:
    return _made("many", part)


def times(part: Regex, low: int, high: int) -> Regex:
    rest = EMPTY
    for _ in range(high - low):
        rest = either(EMPTY, then(part, rest))
    return then(*[part] * low, rest)


def text(raw: bytes) -> Regex:
    return then(*(one_of(byte) for byte in raw))


@cache
def may_end(regex: Regex) -> bool:
    match regex.kind:
        case "empty" | "many":
            return True
        case "then":
            return all(map(may_end, regex.parts))
        case "or":
            return any(map(may_end, regex.parts))
        case _:
            return False


@cache
def behind(regex: Regex, byte: int) -> Regex:
    match regex.kind:
        case "bytes":
            return EMPTY if byte in regex.parts[0] else NONE
        case "then":
            first, rest = regex.parts
            taken = then(behind(first, byte), rest)
            return either(taken, behind(rest, byte)) if may_end(first) else taken
        case "or":
            return either(*(behind(part, byte) for part in regex.parts))
        case "many":
            return then(behind(regex.parts[0], byte), regex)
        case _:
            return NONE


def span(low: int, high: int) -> Regex:
    return one_of(*range(low, high + 1))


TAIL = span(0x80, 0xBF)
DIGIT = span(ord("0"), ord("9"))
HEX = one_of(*b"0123456789abcdefABCDEF")
PLAIN = one_of(*(set(range(0x20, 0x7F)) - set(b'"\\')))
MULTIBYTE = either(
    then(span(0xC2, 0xDF), TAIL),
    then(one_of(0xE0), span(0xA0, 0xBF), TAIL),
    then(span(0xE1, 0xEC), TAIL, TAIL),
    then(one_of(0xED), span(0x80, 0x9F), TAIL),
    then(span(0xEE, 0xEF), TAIL, TAIL),
    then(one_of(0xF0), span(0x90, 0xBF), TAIL, TAIL),
    then(span(0xF1, 0xF3), TAIL, TAIL, TAIL),
    then(one_of(0xF4), span(0x80, 0x8F), TAIL, TAIL),
)
NO_SURROGATE = either(
    then(one_of(*b"0123456789abcABCefEF"), HEX, HEX, HEX), then(one_of(*b"dD"), span(0x30, 0x37), HEX, HEX)
)
ESCAPE = then(one_of(ord("\\")), either(one_of(*b'"\\/bfnrt'), then(one_of(ord("u")), NO_SURROGATE)))
CHARACTER = either(PLAIN, MULTIBYTE, ESCAPE)
INTEGER = then(times(text(b"-"), 0, 1), either(text(b"0"), then(span(0x31, 0x39), times(DIGIT, 0, 17))))
NUMBER = then(
    INTEGER,
    times(then(text(b"."), times(DIGIT, 1, 17)), 0, 1),
    times(then(one_of(*b"eE"), times(one_of(*b"-+"), 0, 1), times(DIGIT, 1, 3)), 0, 1),
)


def of_schema(schema: Mapping[str, Any]) -> Regex:
    if "oneOf" in schema:
        return either(*map(of_schema, schema["oneOf"]))
    if "const" in schema or "enum" in schema:
        values = [schema["const"]] if "const" in schema else schema["enum"]
        return either(*(text(spelled(value)) for value in values))
    match schema["type"]:
        case "object":
            return _object(schema)
        case "array":
            low, high = schema.get("minItems", 0), schema["maxItems"]
            item = of_schema(schema["items"])
            rest = times(then(text(b","), item), max(0, low - 1), high - 1)
            return then(text(b"["), then(item, rest) if low else either(EMPTY, then(item, rest)), text(b"]"))
        case "string":
            low = schema.get("minLength", 0)
            inner = times(CHARACTER, low, schema["maxLength"]) if "maxLength" in schema else many(CHARACTER)
            return then(text(b'"'), inner, text(b'"'))
        case kind:
            return {"integer": INTEGER, "number": NUMBER, "boolean": either(text(b"true"), text(b"false"))}[kind]


def _object(schema: Mapping[str, Any]) -> Regex:
    """With a comma before every member but the first one that is there."""
    later = first = text(b"}")
    for name, value in reversed(schema["properties"].items()):
        member = then(text(spelled(name) + b":"), of_schema(value))
        with_later, with_first = then(text(b","), member, later), then(member, later)
        needed = name in schema["required"]
        later, first = (with_later, with_first) if needed else (either(with_later, later), either(with_first, first))
    return then(text(b"{"), first)


def spelled(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


class SchemaGrammar:
    """`constrained.Grammar` over a vocabulary of byte strings; empty ones end the reply."""

    def __init__(self, regex: Regex, pieces: list[bytes]) -> None:
        self.regex = regex
        self._pieces = pieces

    def legal(self, tokens: NDArray[np.int32]) -> NDArray[np.bool_]:
        return np.array([self._allows(self._pieces[token]) for token in tokens], dtype=np.bool_)

    def _allows(self, piece: bytes) -> bool:
        return may_end(self.regex) if not piece else reduce(behind, piece, self.regex) is not NONE

    def accept(self, token: int) -> None:
        assert self._allows(self._pieces[token])
        self.regex = reduce(behind, self._pieces[token], self.regex)

    def fork(self) -> SchemaGrammar:
        return SchemaGrammar(self.regex, self._pieces)

    def close(self) -> None:
        pass

"""Protocol buffers as they are on disk, field by field, with every length checked before it is used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from aria_desktop.safety.models.reading import Head

VARINT, FIXED_64, BYTES, FIXED_32 = 0, 1, 2, 5
_LONGEST_VARINT = 10
_FIXED = {FIXED_64: 8, FIXED_32: 4}


@dataclass(frozen=True, slots=True)
class Field:
    number: int
    wire: int
    value: int
    """Of a varint the number, of bytes their length; else 0."""


def varint(head: Head) -> int:
    found = 0
    for place in range(_LONGEST_VARINT):
        (byte,) = head.take(1)
        found |= (byte & 0x7F) << 7 * place
        if byte < 0x80:
            return found
    raise head.fault("holds a number without an end")


def fields(head: Head, end: int) -> Iterator[Field]:
    """The fields up to the position `end`. What the caller leaves of a field's bytes is skipped."""
    while head.at < end:
        tag = varint(head)
        number, wire = tag >> 3, tag & 7
        if not number or wire not in (VARINT, FIXED_64, BYTES, FIXED_32):
            raise head.fault("is no ONNX file, or a damaged one")
        value = varint(head) if wire in (VARINT, BYTES) else 0
        behind = head.at + (value if wire == BYTES else _FIXED.get(wire, 0))
        if behind > end:
            raise head.fault("is cut off, or holds a part that is larger than the whole")
        yield Field(number, wire, value)
        if head.at > behind:
            raise head.fault("is no ONNX file, or a damaged one")
        head.skip(behind - head.at)
    if head.at != end:
        raise head.fault("is no ONNX file, or a damaged one")


def numbers(head: Head, field: Field) -> list[int]:
    """Of a repeated number, which may be packed."""
    if field.wire == VARINT:
        return [field.value]
    end, found = head.at + field.value, []
    while head.at < end:
        found.append(varint(head))
    return found

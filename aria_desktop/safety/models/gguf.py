"""What stands at the head of a GGUF file: its facts and its table of tensors. Read strictly, and never the weights.

The layout is the one that ggml's `docs/gguf.md` describes. A file that breaks it in any way is refused here, because
native loaders have answered such files with an abort or by writing beside their memory.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

from aria_desktop.safety.models.reading import Head

MAGIC = b"GGUF"
VERSIONS = (2, 3)
MOST_FACTS = 100_000
MOST_TENSORS = 100_000
LONGEST_KEY = 65_535
LONGEST_TEXT = 4_000_000
"""Bytes."""
LONGEST_TENSOR_NAME = 63
MOST_DIMENSIONS = 4
LARGEST_ALIGNMENT = 65_536
_SIGNED_64 = 2**63

_U32, _U64 = struct.Struct("<I"), struct.Struct("<Q")


class Kind(IntEnum):
    """Of a fact's value."""

    U8, I8, U16, I16, U32, I32, F32, BOOL, TEXT, ARRAY, U64, I64, F64 = range(13)


_FORMS: Mapping[int, struct.Struct] = {
    kind: struct.Struct(f"<{form}")
    for kind, form in zip((*range(8), 10, 11, 12), ("B", "b", "H", "h", "I", "i", "f", "?", "Q", "q", "d"), strict=True)
}


@dataclass(frozen=True, slots=True)
class Array:
    """Known by its place: most are vocabularies that nobody needs here."""

    kind: Kind
    count: int
    at: int
    """Where its first item begins, in bytes from the file's beginning."""


Fact = int | float | bool | str | Array


@dataclass(frozen=True, slots=True)
class Tensor:
    name: str
    shape: tuple[int, ...]
    """The fastest running dimension first, as the file has it."""
    kind: int
    offset: int
    """Bytes from the beginning of the data."""


@dataclass(frozen=True, slots=True)
class Gguf:
    facts: Mapping[str, Fact]
    tensors: tuple[Tensor, ...]
    alignment: int
    data_at: int
    """Where the weights begin, in bytes from the file's beginning."""


def read_facts(head: Head) -> tuple[dict[str, Fact], int]:
    """All facts by name, and how many tensors are promised. Raises ModelDamaged."""
    _check_version(head)
    tensors, count = head.number(_U64), head.number(_U64)
    if tensors > MOST_TENSORS:
        raise head.fault("says it holds more tensors than any model has")
    if count > MOST_FACTS:
        raise head.fault("says it holds more facts than any model has")
    facts: dict[str, Fact] = {}
    for _ in range(count):
        name = _key(head)
        if name in facts:
            raise head.fault(f"says {name!r} twice")
        facts[name] = _value(head, head.number(_U32))
    return facts, tensors


def read_gguf(head: Head) -> Gguf:
    """Raises ModelDamaged."""
    facts, count = read_facts(head)
    alignment = _alignment(head, facts)
    tensors: dict[str, Tensor] = {}
    for _ in range(count):
        tensor = _tensor(head)
        if tensor.name in tensors:
            raise head.fault(f"holds two tensors called {tensor.name!r}")
        tensors[tensor.name] = tensor
    return Gguf(facts, tuple(tensors.values()), alignment, padded(head.at, alignment))


def padded(size: int, alignment: int) -> int:
    return -(-size // alignment) * alignment


def _check_version(head: Head) -> None:
    if head.take(4) != MAGIC:
        raise head.fault("is no GGUF file of a version that ARIA knows")
    version = head.number(_U32)
    if int.from_bytes(version.to_bytes(4, "little"), "big") in VERSIONS:
        raise head.fault("is no GGUF file of a version that ARIA knows: it is for big-endian machines")
    if version not in VERSIONS:
        raise head.fault(f"is no GGUF file of a version that ARIA knows: it says {version}")


def _key(head: Head) -> str:
    raw = _bytes(head, LONGEST_KEY)
    if not raw or b"\0" in raw:
        raise head.fault("holds a fact with an empty name")
    return raw.decode("utf-8", "replace")


def _bytes(head: Head, most: int) -> bytes:
    count = head.number(_U64)
    if count > most:
        raise head.fault("holds a text that is too long")
    return head.take(count)


def _value(head: Head, kind: int) -> Fact:
    if kind == Kind.TEXT:
        return _bytes(head, LONGEST_TEXT).decode("utf-8", "replace")
    if kind == Kind.ARRAY:
        return _array(head)
    form = _FORMS.get(kind)
    if form is None:
        raise head.fault(f"holds a value of the unknown kind {kind}")
    value: int | float | bool = form.unpack(head.take(form.size))[0]
    return value


def _array(head: Head) -> Array:
    kind, count = head.number(_U32), head.number(_U64)
    at = head.at
    if kind in _FORMS:
        head.pass_over(count * _FORMS[kind].size)
    elif kind == Kind.TEXT:
        head.pass_texts(count, _U64)
    else:
        raise head.fault("holds an array of something that is neither number nor text")
    return Array(Kind(kind), count, at)


def _alignment(head: Head, facts: Mapping[str, Fact]) -> int:
    found = facts.get("general.alignment", 32)
    if type(found) is not int or not 0 < found <= LARGEST_ALIGNMENT or found & (found - 1):
        raise head.fault(f"is aligned to {found}, which is no power of two up to {LARGEST_ALIGNMENT}")
    return found


def _tensor(head: Head) -> Tensor:
    raw = _bytes(head, LONGEST_TENSOR_NAME)
    if not raw or b"\0" in raw:
        raise head.fault("holds a tensor without a name")
    name = raw.decode("utf-8", "replace")
    count = head.number(_U32)
    if not 1 <= count <= MOST_DIMENSIONS:
        raise head.fault(f"holds the tensor {name!r} of {count} dimensions")
    shape = tuple(head.number(_U64) for _ in range(count))
    if any(not 0 < size < _SIGNED_64 for size in shape):
        raise head.fault(f"holds the tensor {name!r} with a dimension of impossible size")
    return Tensor(name, shape, head.number(_U32), head.number(_U64))

"""Makes GGUF files piece by piece, so that any piece can be wrong: a whole one of 2 kB, and what is changed in it."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

U8, I8, U16, I16, U32, I32, F32, BOOL, TEXT, ARRAY, U64, I64, F64 = range(13)
_FORMS = dict(zip((*range(8), 10, 11, 12), "BbHhIif?Qqd", strict=True))

WORDS = 8
WIDTH = 32


def text(value: bytes | str) -> bytes:
    raw = value.encode() if isinstance(value, str) else value
    return struct.pack("<Q", len(raw)) + raw


def value(kind: int, content: Any) -> bytes:
    """With its kind before it; the content of an array is the kind of its items and the items."""
    if kind == ARRAY:
        item, items = content
        return struct.pack("<IIQ", ARRAY, item, len(items)) + b"".join(_bare(item, one) for one in items)
    return struct.pack("<I", kind) + _bare(kind, content)


def _bare(kind: int, content: Any) -> bytes:
    return text(content) if kind == TEXT else struct.pack(f"<{_FORMS[kind]}", content)


def tensor(name: bytes | str, shape: tuple[int, ...], kind: int = 0, offset: int = 0) -> bytes:
    return text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, kind, offset)


FACTS: Mapping[str, bytes] = {
    "general.architecture": value(TEXT, "llama"),
    "llama.context_length": value(U32, 128),
    "llama.embedding_length": value(U32, WIDTH),
    "llama.block_count": value(U32, 1),
    "llama.attention.head_count": value(U32, 1),
    "tokenizer.ggml.model": value(TEXT, "gpt2"),
    "tokenizer.ggml.tokens": value(ARRAY, (TEXT, [f"w{number}" for number in range(WORDS)])),
    "tokenizer.ggml.token_type": value(ARRAY, (I32, [1] * WORDS)),
}
EMBEDDINGS = tensor("token_embd.weight", (WIDTH, WORDS))
NORM_AT = 4 * WIDTH * WORDS
NORM = tensor("output_norm.weight", (WIDTH,), offset=NORM_AT)


@dataclass(frozen=True)
class Gguf:
    """Whole as it is made; `with_`, `without` and `replace` harm it."""

    magic: bytes = b"GGUF"
    version: bytes = struct.pack("<I", 3)
    facts: Mapping[str, bytes] = field(default_factory=lambda: FACTS)
    more: bytes = b""
    """Facts after the others, raw."""
    more_count: int = 0
    tensors: tuple[bytes, ...] = (EMBEDDINGS, NORM)
    tensor_count: int | None = None
    fact_count: int | None = None
    data: int = NORM_AT + 4 * WIDTH
    """Bytes of weights."""
    alignment: int = 32

    def with_(self, name: str, content: bytes) -> Self:
        return replace(self, facts={**self.facts, name: content})

    def without(self, name: str) -> Self:
        return replace(self, facts={key: one for key, one in self.facts.items() if key != name})

    def head(self) -> bytes:
        tensors = len(self.tensors) if self.tensor_count is None else self.tensor_count
        facts = len(self.facts) + self.more_count if self.fact_count is None else self.fact_count
        listed = b"".join(text(name) + content for name, content in self.facts.items())
        counts = struct.pack("<QQ", tensors & (2**64 - 1), facts & (2**64 - 1))
        return self.magic + self.version + counts + listed + self.more + b"".join(self.tensors)

    def bytes(self) -> bytes:
        head = self.head()
        return head + bytes(-len(head) % self.alignment) + bytes(self.data)

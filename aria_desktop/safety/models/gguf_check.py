"""Is this GGUF file a language model that may be given to llama.cpp?

Judged by its head alone, all parts of a split model included, so a check costs a fraction of a load. Among the
refused: a chat template of more than 64 kB, because llama.cpp compiles the template in the file even when another
one is used.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from aria_desktop.safety.models.gguf import Array, Fact, Gguf, Kind, padded, read_gguf
from aria_desktop.safety.models.reading import Head, Identity, opened, refused

LONGEST_TEMPLATE = 65_536
"""Bytes. Published ones have up to some thousands."""
TEMPLATE = "tokenizer.chat_template"
MOST_BYTES = 2**48
"""Of one tensor."""
LONGEST_CONTEXT = 100_000_000
"""Tokens; the longest published one is a tenth of it."""

BLOCKS: Mapping[int, tuple[int, int]] = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34), 9: (32, 36),
    10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210), 15: (256, 292),
    16: (256, 66), 17: (256, 74), 18: (256, 98), 19: (256, 50), 20: (32, 18), 21: (256, 110), 22: (256, 82),
    23: (256, 136), 24: (1, 1), 25: (1, 2), 26: (1, 4), 27: (1, 8), 28: (1, 8), 29: (256, 56), 30: (1, 2),
    34: (256, 54), 35: (256, 66), 39: (32, 17),
}  # fmt: skip
"""Kind of numbers in a tensor -> how many lie in one block, and the block's bytes, as in ggml's `type_traits`."""

_NO_LANGUAGE_MODEL = re.compile(r"^(clip|.*bert.*|t5encoder|wavtokenizer.*)$")
"""Architectures that see, or make vectors or sound."""
_ARCHITECTURE = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_SIZES: Mapping[str, int] = {
    "context_length": LONGEST_CONTEXT,
    "embedding_length": 2**20,
    "block_count": 4096,
    "attention.head_count": 4096,
}
"""Facts of an architecture that are counted from 1, with the largest that makes sense."""
_SPLIT = re.compile(r"(?P<stem>.+)-(?P<part>\d{5})-of-(?P<parts>\d{5})")
_I32 = struct.Struct("<i")
_TOKEN_TYPES = frozenset(range(7))
"""From undefined (0) to byte (6), as llama.cpp's `llama_token_type` numbers them."""


@dataclass(frozen=True, slots=True)
class CheckedModel:
    files: Mapping[Path, Identity]
    """Every part, as it was when it was checked."""
    weights: int
    """Bytes of all tensors."""


def check_gguf(path: Path) -> CheckedModel:
    """`path`: the file, or the first of its parts. Raises ModelDamaged."""
    parts = _parts(path)
    files: dict[Path, Identity] = {}
    weights = 0
    for number, part in enumerate(parts):
        with opened(part) as head:
            found = read_gguf(head)
            weights += _check_tensors(head, found)
            _check_part(head, found.facts, number, len(parts))
            if number == 0:
                _check_model(head, found)
            files[part] = head.identity
    return CheckedModel(files, weights)


def _parts(path: Path) -> list[Path]:
    split = _SPLIT.fullmatch(path.stem)
    if split is None:
        return [path]
    total = int(split["parts"])
    names = [f"{split['stem']}-{part:05d}-of-{total:05d}{path.suffix}" for part in range(1, total + 1)]
    if missing := [name for name in names if not path.with_name(name).exists()]:
        raise refused(path.name, f"lacks {', '.join(missing[:3])}", "Put all parts together.")
    return [path.with_name(name) for name in names]


def _check_tensors(head: Head, found: Gguf) -> int:
    """Each lies behind the one before, aligned, and inside the file. Returns the bytes of all."""
    end = 0
    for tensor in found.tensors:
        block = BLOCKS.get(tensor.kind)
        if block is None:
            raise head.fault(f"holds {tensor.name!r} in the unknown kind {tensor.kind}")
        if tensor.shape[0] % block[0]:
            raise head.fault(f"holds {tensor.name!r} with rows that are no whole blocks")
        size = math.prod(tensor.shape) // block[0] * block[1]
        if size > MOST_BYTES:
            raise head.fault(f"holds {tensor.name!r} of impossible size")
        if tensor.offset != end:
            raise head.fault(f"holds {tensor.name!r} at {tensor.offset} and not at {end}, behind the one before")
        end = padded(end + size, found.alignment)
        if found.data_at + tensor.offset + size > head.size:
            raise head.fault("is cut off: not all of its weights are there")
    return end


def _check_part(head: Head, facts: Mapping[str, Fact], number: int, total: int) -> None:
    count, at = facts.get("split.count", 1), facts.get("split.no", 0)
    if (count, at) != (total, number) and not (total == 1 and count in (0, 1)):
        raise head.fault(f"says it is part {at} of {count}, and its name says {number} of {total}")


def _check_model(head: Head, found: Gguf) -> None:
    facts = found.facts
    kind = facts.get("general.type", "model")
    if kind != "model":
        raise head.fault(f"is no whole model but of the type {str(kind)[:40]!r}")
    architecture = facts.get("general.architecture")
    if not isinstance(architecture, str) or not _ARCHITECTURE.fullmatch(architecture):
        raise head.fault("does not say what architecture it has")
    if _NO_LANGUAGE_MODEL.match(architecture) or facts.get(f"{architecture}.pooling_type", 0) not in (0,):
        raise head.fault(f"is no language model but {architecture}, which does not talk")
    for name, most in _SIZES.items():
        value = facts.get(f"{architecture}.{name}")
        if not isinstance(value, Array) and (type(value) is not int or not 0 < value <= most):
            raise head.fault(f"states {value} for {name}")
    _check_templates(head, facts)
    _check_vocabulary(head, found)


def _check_templates(head: Head, facts: Mapping[str, Fact]) -> None:
    for name, value in facts.items():
        if not name.startswith(TEMPLATE) or isinstance(value, Array):
            continue
        if not isinstance(value, str):
            raise head.fault("has a chat template that is no text")
        if len(value.encode()) > LONGEST_TEMPLATE:
            raise head.fault(f"has a chat template of more than {LONGEST_TEMPLATE // 1024} kB")


def _check_vocabulary(head: Head, found: Gguf) -> None:
    facts = found.facts
    tokens = facts.get("tokenizer.ggml.tokens")
    if not isinstance(facts.get("tokenizer.ggml.model"), str) or not isinstance(tokens, Array):
        raise head.fault("has no tokenizer")
    if tokens.kind is not Kind.TEXT or tokens.count == 0:
        raise head.fault("has a tokenizer without words")
    for name, kind in (("scores", Kind.F32), ("token_type", Kind.I32)):
        beside = facts.get(f"tokenizer.ggml.{name}")
        if beside is not None and (
            not isinstance(beside, Array) or beside.kind is not kind or beside.count != tokens.count
        ):
            raise head.fault(f"has a tokenizer whose {name} do not belong to its words")
    _check_token_types(head, facts.get("tokenizer.ggml.token_type"))
    rows = [tensor.shape[-1] for tensor in found.tensors if tensor.name == "token_embd.weight"]
    if rows and rows[0] < tokens.count:
        raise head.fault(f"has {tokens.count} words and weights for {rows[0]}")


def _check_token_types(head: Head, found: Fact | None) -> None:
    if not isinstance(found, Array):
        return
    head.at = found.at
    if not {kind for (kind,) in _I32.iter_unpack(head.take(found.count * _I32.size))} <= _TOKEN_TYPES:
        raise head.fault("has a tokenizer with words of an unknown type")

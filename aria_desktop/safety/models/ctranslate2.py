"""Is this folder a speech model that may be given to CTranslate2?

The layout of `model.bin` is the one that ctranslate2's converter writes (`specs/model_spec.py`, version 6): a version,
the name of a specification and its revision, then variables one behind the other, each with its name, shape, kind and
bytes, then names that stand for others. Only the heads of the variables are read.
"""

from __future__ import annotations

import math
import os
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from aria_desktop.safety.models.json_file import read_object
from aria_desktop.safety.models.reading import Head, Identity, opened, refused

MODEL = "model.bin"
NEWEST = 6
OLDEST = 3
SPECIFICATION = "WhisperSpec"
MOST_VARIABLES = 20_000
MOST_DIMENSIONS = 8
LARGEST_CONFIG = 2**20
LARGEST_TOKENIZER = 64 * 2**20
"""Bytes; multilingual ones have 2.5 MB."""

_BYTES: Mapping[int, int] = {0: 4, 1: 1, 2: 2, 3: 4, 4: 2, 5: 2}
"""Kind of number -> bytes: float32, int8, int16, int32, float16, bfloat16."""
_EMBEDDINGS = "decoder/embeddings/weight"
_U8, _U16, _U32 = struct.Struct("<B"), struct.Struct("<H"), struct.Struct("<I")


@dataclass(frozen=True, slots=True)
class CheckedFolder:
    model: Path
    identity: Identity


def check_ctranslate2(folder: Path) -> CheckedFolder:
    """Raises ModelDamaged."""
    path = folder / MODEL
    with opened(path, f"{folder.name}/{MODEL}") as head:
        shapes = _variables(head)
        identity = head.identity
    read_object(folder / "config.json", LARGEST_CONFIG)
    read_object(folder / "tokenizer.json", LARGEST_TOKENIZER)
    _check_vocabulary(folder, shapes)
    return CheckedFolder(path, identity)


def _variables(head: Head) -> dict[str, tuple[int, ...]]:
    version = head.number(_U32)
    if not OLDEST <= version <= NEWEST:
        raise head.fault(f"is no CTranslate2 model of a version that ARIA knows: it says {version}")
    if (name := _text(head)) != SPECIFICATION:
        raise head.fault(f"is no speech model but {name[:40]!r}")
    head.number(_U32)
    count = head.number(_U32)
    if not 0 < count <= MOST_VARIABLES:
        raise head.fault(f"says it holds {count} variables")
    shapes: dict[str, tuple[int, ...]] = {}
    for _ in range(count):
        name, shape = _variable(head)
        if name in shapes:
            raise head.fault(f"holds two variables called {name[:60]!r}")
        shapes[name] = shape
    _check_aliases(head, shapes)
    if head.at != head.size:
        raise head.fault(f"has {head.size - head.at} bytes that belong to nothing")
    return shapes


def _variable(head: Head) -> tuple[str, tuple[int, ...]]:
    name = _text(head)
    dimensions = head.number(_U8)
    if dimensions > MOST_DIMENSIONS:
        raise head.fault(f"holds {name[:60]!r} of {dimensions} dimensions")
    shape = tuple(head.number(_U32) for _ in range(dimensions))
    kind, size = head.number(_U8), head.number(_U32)
    if kind not in _BYTES:
        raise head.fault(f"holds {name[:60]!r} in the unknown kind {kind}")
    if math.prod(shape) * _BYTES[kind] != size:
        raise head.fault(f"holds {name[:60]!r} with a size that is not that of its shape")
    head.skip(size)
    return name, shape


def _check_aliases(head: Head, shapes: Mapping[str, tuple[int, ...]]) -> None:
    count = head.number(_U32)
    if count > MOST_VARIABLES:
        raise head.fault(f"says it holds {count} second names")
    for _ in range(count):
        _text(head)
        if (meant := _text(head)) not in shapes:
            raise head.fault(f"names {meant[:60]!r}, which it does not hold")


def _text(head: Head) -> str:
    """Its length counts the zero at its end."""
    raw = head.take(head.number(_U16))
    if not raw.endswith(b"\0") or b"\0" in raw[:-1] or len(raw) == 1:
        raise head.fault("holds a name that is none")
    return raw[:-1].decode("utf-8", "replace")


def _check_vocabulary(folder: Path, shapes: Mapping[str, tuple[int, ...]]) -> None:
    rows = shapes.get(_EMBEDDINGS, ())
    if len(rows) != 2:
        raise refused(f"{folder.name}/{MODEL}", "has no words")
    path = folder / "vocabulary.txt"
    if not os.path.lexists(path):
        return
    with opened(path, f"{folder.name}/{path.name}") as head:
        if head.size > LARGEST_TOKENIZER:
            raise head.fault("is too large for a list of words")
        words = head.take(head.size)
    if not words or b"\0" in words:
        raise refused(f"{folder.name}/{path.name}", "is no list of words")
    if words.count(b"\n") > rows[0]:
        raise refused(
            f"{folder.name}/{path.name}", f"has {words.count(10)} words, and {MODEL} has weights for {rows[0]}"
        )

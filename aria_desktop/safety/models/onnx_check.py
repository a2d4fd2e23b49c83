"""Is this ONNX file a voice that may be given to onnxruntime?

Walked as the protocol buffer that it is, weights skipped (field numbers as in onnx.proto, IR version 10). All that a
voice needs lies in its one file, so data kept elsewhere is refused whatever its path is: paths out of the folder, links
and hard links in their place never matter.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from aria_desktop.safety.models.protobuf import BYTES, Field, fields, numbers
from aria_desktop.safety.models.reading import Head, Identity, opened

NEWEST_OPSET = 64
MOST_NODES = 200_000
DEEPEST = 8
"""Graphs in graphs."""
LARGEST_TENSOR = 2**33
"""Numbers."""
ENDLESS = frozenset({"Loop", "Scan"})
"""Nodes that decide for themselves how long they run; no voice has one."""
DOMAINS = frozenset({"", "ai.onnx", "ai.onnx.ml", "com.microsoft"})

_BITS: Mapping[int, int] = {
    1: 32, 2: 8, 3: 8, 4: 16, 5: 16, 6: 32, 7: 64, 9: 8, 10: 16, 11: 64, 12: 32, 13: 64, 14: 64, 15: 128, 16: 16,
}  # fmt: skip
"""Kind of number -> bits, of those whose raw bytes are counted here."""
_EMBEDDING = "enc_p.emb.weight"


@dataclass
class _Walk:
    graphs: int = 0
    nodes: int = 0
    opsets: int = 0
    embedding: int = 0
    depth: int = 0


@dataclass(frozen=True, slots=True)
class CheckedVoiceFile:
    identity: Identity
    symbols: int
    """How many symbols it knows; 0 where it does not tell."""


def check_onnx(path: Path) -> CheckedVoiceFile:
    """Raises ModelDamaged."""
    with opened(path) as head:
        walk = _Walk()
        for found in fields(head, head.size):
            match found.number, found.wire:
                case 7, 2:
                    walk.graphs += 1
                    _graph(head, head.at + found.value, walk)
                case 8, 2:
                    _opset(head, head.at + found.value, walk)
                case 25, 2:
                    raise head.fault("brings functions of its own")
        if (walk.graphs, walk.nodes > 0, walk.opsets > 0) != (1, True, True):
            raise head.fault("is no ONNX file, or holds nothing that could run")
        return CheckedVoiceFile(head.identity, walk.embedding)


def _text(head: Head, found: Field, most: int = 1000) -> str:
    if found.wire != BYTES or found.value > most:
        raise head.fault("holds a name that is none")
    return head.take(found.value).decode("utf-8", "replace")


def _opset(head: Head, end: int, walk: _Walk) -> None:
    walk.opsets += 1
    for found in fields(head, end):
        if found.number == 1 and (domain := _text(head, found)) not in DOMAINS:
            raise head.fault(f"needs operators of {domain[:40]!r}")
        if found.number == 2 and not 0 < found.value <= NEWEST_OPSET:
            raise head.fault(f"needs version {found.value} of the operators")


def _graph(head: Head, end: int, walk: _Walk) -> None:
    walk.depth += 1
    if walk.depth > DEEPEST:
        raise head.fault("holds graphs nested too deep")
    for found in fields(head, end):
        behind = head.at + found.value
        match found.number, found.wire:
            case 1, 2:
                _node(head, behind, walk)
            case 5, 2:
                _tensor(head, behind, walk)
            case 15, 2:
                _sparse(head, behind, walk)
    walk.depth -= 1


def _node(head: Head, end: int, walk: _Walk) -> None:
    walk.nodes += 1
    if walk.nodes > MOST_NODES:
        raise head.fault("holds more nodes than any voice has")
    for found in fields(head, end):
        match found.number, found.wire:
            case 4, 2:
                if (kind := _text(head, found)) in ENDLESS:
                    raise head.fault(f"holds a node that may never end ({kind})")
            case 7, 2:
                if (domain := _text(head, found)) not in DOMAINS:
                    raise head.fault(f"needs operators of {domain[:40]!r}")
            case 5, 2:
                _attribute(head, head.at + found.value, walk)


def _attribute(head: Head, end: int, walk: _Walk) -> None:
    for found in fields(head, end):
        behind = head.at + found.value
        match found.number, found.wire:
            case ((5 | 10), 2):
                _tensor(head, behind, walk)
            case ((6 | 11), 2):
                _graph(head, behind, walk)
            case ((22 | 23), 2):
                _sparse(head, behind, walk)


def _sparse(head: Head, end: int, walk: _Walk) -> None:
    for found in fields(head, end):
        if found.number in (1, 2) and found.wire == BYTES:
            _tensor(head, head.at + found.value, walk)


def _tensor(head: Head, end: int, walk: _Walk) -> None:
    shape: list[int] = []
    kind, raw, name = 0, None, ""
    for found in fields(head, end):
        match found.number, found.wire:
            case 1, (0 | 2):
                shape += numbers(head, found)
            case 2, 0:
                kind = found.value
            case 8, 2:
                name = _text(head, found)
            case 9, 2:
                raw = found.value
            case (13, _) | (14, 0) if found.number == 13 or found.value:
                raise head.fault("keeps its weights in another file")
    count = math.prod(shape)
    if any(size >= 2**63 for size in shape) or count > LARGEST_TENSOR:
        raise head.fault("holds weights of impossible size")
    if raw is not None and kind in _BITS and raw * 8 != count * _BITS[kind]:
        raise head.fault("holds weights with a size that is not that of their shape")
    if name == _EMBEDDING and shape:
        walk.embedding = shape[0]

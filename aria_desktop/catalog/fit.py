"""Does a model fit a machine, and which one suits it? Arithmetic on sizes; no machine is asked here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from aria_desktop.catalog.catalog import ModelEntry
from aria_desktop.core.events import EngineRole

COMFORTABLE_SHARE = 0.6
"""Of a machine's memory: up to here there is room for everything else too."""
LARGEST_SHARE = 0.9

_WORKING_BYTES = {EngineRole.SPEECH: 300_000_000, EngineRole.LANGUAGE: 420_000_000, EngineRole.VOICE: 150_000_000}
"""What an engine needs beside the weights; for language models with a conversation of 8192 tokens."""
_WEIGHTS_FACTOR = {EngineRole.SPEECH: 1.0, EngineRole.LANGUAGE: 1.06, EngineRole.VOICE: 1.6}

_CPU_BYTES_PER_CORE = {EngineRole.SPEECH: 80e6, EngineRole.LANGUAGE: 600e6, EngineRole.VOICE: 60e6}
"""Weights that a core gets through fast enough to talk with. A rule of thumb; `aria bench` measures."""


class Fit(StrEnum):
    FITS = "fits"
    TIGHT = "tight"
    """It runs, and little else does."""
    TOO_BIG = "too big"
    UNKNOWN = "not known"


@dataclass(frozen=True, slots=True)
class Room:
    """The part of a machine that matters here."""

    memory_total: int
    memory_free: int
    cores: int
    gpu_memory: int
    """Of the graphics card that models can use; 0: none."""


@dataclass(frozen=True, slots=True)
class MemoryNeed:
    bytes: int
    measured: bool
    """False: an estimate from the sizes of the files."""


def memory_need(entry: ModelEntry) -> MemoryNeed | None:
    """None when neither a measurement nor the files' sizes are known."""
    if entry.memory_bytes is not None:
        return MemoryNeed(entry.memory_bytes, measured=True)
    if entry.bytes is None:
        return None
    return MemoryNeed(int(entry.bytes * _WEIGHTS_FACTOR[entry.role] + _WORKING_BYTES[entry.role]), measured=False)


def fit(need: MemoryNeed | None, room: Room) -> Fit:
    if need is None:
        return Fit.UNKNOWN
    if need.bytes <= room.gpu_memory or need.bytes <= min(COMFORTABLE_SHARE * room.memory_total, room.memory_free):
        return Fit.FITS
    return Fit.TIGHT if need.bytes <= LARGEST_SHARE * room.memory_total else Fit.TOO_BIG


def recommended(entries: Iterable[ModelEntry], role: EngineRole, room: Room) -> ModelEntry | None:
    """The largest model that fits and answers fast enough to talk with; the smallest one where none does.
    Asked for speech and language; of voices, size says nothing."""
    sized = sorted(
        (entry.bytes, entry.id, entry) for entry in entries if entry.role is role and entry.bytes is not None
    )
    suited = [entry for size, _, entry in sized if _fast_enough(size, entry, room)]
    fallback = sized[0][2] if sized else None
    return suited[-1] if suited else fallback


def _fast_enough(size: int, entry: ModelEntry, room: Room) -> bool:
    need = memory_need(entry)
    if need is None or fit(need, room) is not Fit.FITS:
        return False
    return need.bytes <= room.gpu_memory or size <= _CPU_BYTES_PER_CORE[entry.role] * room.cores

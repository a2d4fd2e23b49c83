"""The list of models, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from aria_desktop.catalog.catalog import ModelEntry
from aria_desktop.catalog.fit import Fit, MemoryNeed, fit, memory_need
from aria_desktop.catalog.hardware import Machine
from aria_desktop.catalog.remarks import remarks_on
from aria_desktop.catalog.space import size_words
from aria_desktop.catalog.store import ModelState, ModelStore
from aria_desktop.core.events import EngineRole
from aria_desktop.core.visible import visible_line

UNKNOWN = "not known"
_HEAD = ("MODEL", "HERE", "SIZE", "MEMORY", "", "LICENCE", "LANGUAGES")
_FEW_LANGUAGES = 3


@dataclass(frozen=True, slots=True)
class Row:
    entry: ModelEntry
    state: ModelState
    need: MemoryNeed | None
    fit: Fit
    remarks: tuple[str, ...]
    """What its file says of it that one has to know."""


def rows(store: ModelStore, machine: Machine) -> tuple[Row, ...]:
    return tuple(
        Row(entry, store.state(entry.id), need := memory_need(entry), fit(need, machine.room), remarks_on(store, entry))
        for entry in store.entries()
    )


def as_text(store: ModelStore, machine: Machine, table: Sequence[Row]) -> str:
    lines = [f"Models in {store.folder}", machine_words(machine)]
    cells = {role: [_cells(row) for row in table if row.entry.role is role] for role in EngineRole}
    every = [_HEAD, *(row for part in cells.values() for row in part)]
    widths = [max(map(len, column)) for column in zip(*every, strict=True)]
    for role, part in cells.items():
        lines += ["", role.value, _line(_HEAD, widths), *(_line(row, widths) for row in part)]
    lines += [f"\n{path.name} is in no folder of its own: aria models add {path}" for path in store.loose_files()]
    told = [f"{row.entry.id}: {visible_line(remark)}" for row in table for remark in row.remarks]
    lines += ["", *told] if told else []
    lines += ["", "about: an estimate from the sizes of the files. Fetch one: aria models fetch MODEL"]
    return "\n".join(lines)


def as_json(store: ModelStore, machine: Machine, table: Iterable[Row]) -> str:
    models = [
        {
            "id": row.entry.id,
            "role": row.entry.role,
            "name": row.entry.name,
            "publisher": row.entry.publisher,
            "licence": row.entry.licence,
            "languages": row.entry.languages,
            "state": row.state,
            "bytes": row.entry.bytes,
            "memory_bytes": row.need.bytes if row.need else None,
            "memory_measured": row.need.measured if row.need else None,
            "fit": row.fit,
            "starter": row.entry.starter,
            "context_tokens": row.entry.context_tokens,
            "chat_template": row.entry.chat_template,
            "hashes_known": all(file.sha256 for file in row.entry.files),
            "note": row.entry.note,
            "remarks": row.remarks,
        }
        for row in table
    ]
    return json.dumps({"folder": str(store.folder), "machine": asdict(machine), "models": models}, indent=1)


def machine_words(machine: Machine) -> str:
    memory = f"{size_words(machine.memory_free)} of {size_words(machine.memory_total)} memory free"
    return f"This machine: {machine.cores} cores, {memory}, {gpu_words(machine)}"


def gpu_words(machine: Machine) -> str:
    if not machine.gpus:
        return f"no graphics card for models: {machine.no_gpu_reason}"
    cards = ", ".join(f"{gpu.name} with {size_words(gpu.memory_total)}" for gpu in machine.gpus)
    return cards if machine.language_on_gpu else f"{cards} (the language engine is built without CUDA)"


def language_words(languages: Sequence[str]) -> str:
    if not languages:
        return UNKNOWN
    return ", ".join(languages) if len(languages) <= _FEW_LANGUAGES else f"{len(languages)} languages"


def _cells(row: Row) -> tuple[str, ...]:
    entry, need = row.entry, row.need
    memory = f"{'' if need.measured else 'about '}{size_words(need.bytes)}" if need else UNKNOWN
    size = UNKNOWN if entry.bytes is None else size_words(entry.bytes)
    fits = "" if row.fit is Fit.UNKNOWN else row.fit.value
    here = "-" if row.state is ModelState.MISSING else row.state.value
    words = (entry.id, here, size, memory, fits, entry.licence, language_words(entry.languages))
    return tuple(visible_line(word) for word in words)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  " + "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()

"""The models as a front end is told of them. It looks at the disk and at nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urlsplit

from aria_desktop.catalog.catalog import HubSource, ModelEntry
from aria_desktop.catalog.fit import fit, memory_need, recommended
from aria_desktop.catalog.hardware import Machine
from aria_desktop.catalog.remarks import remarks_on
from aria_desktop.catalog.store import ModelStore
from aria_desktop.core.events import EngineRole
from aria_desktop.core.listings import ModelsListed
from aria_desktop.core.models import (
    PACKAGE_INDEX,
    MachineRecord,
    MeasuredSpeed,
    ModelFit,
    ModelPresence,
    ModelRecord,
    ToolScore,
)

ENGINES: Mapping[EngineRole, str] = {
    EngineRole.SPEECH: "faster-whisper",
    EngineRole.LANGUAGE: "llama.cpp",
    EngineRole.VOICE: "piper",
}
"""Which engine runs the models of a role; as the settings name it."""


def listed(
    request_id: str,
    store: ModelStore,
    machine: Machine,
    in_use: Mapping[EngineRole, str],
    speeds: Mapping[str, MeasuredSpeed],
    scores: Mapping[str, ToolScore],
) -> ModelsListed:
    models = tuple(
        _record(store, entry, machine, in_use.get(entry.role) == entry.id, speeds.get(entry.id), scores.get(entry.id))
        for entry in store.entries()
    )
    best = _recommended(store, machine)
    told = tuple(replace(model, recommended=True) if model.model_id in best else model for model in models)
    return ModelsListed(request_id, told, machine_record(machine))


def _recommended(store: ModelStore, machine: Machine) -> set[str]:
    """Of what the catalogue lists."""
    roles = (EngineRole.SPEECH, EngineRole.LANGUAGE)
    found = (recommended(store.catalogue.models, role, machine.room) for role in roles)
    return {entry.id for entry in found if entry is not None}


def machine_record(machine: Machine) -> MachineRecord:
    usable = machine.gpus[0].name if machine.gpus and machine.language_on_gpu else ""
    reason = machine.no_gpu_reason
    if machine.gpus and not machine.language_on_gpu:
        reason = f"{machine.gpus[0].name} is here, but the language engine is built without CUDA"
    return MachineRecord(machine.memory_total, machine.memory_free, usable, "" if usable else reason)


def _record(
    store: ModelStore,
    entry: ModelEntry,
    machine: Machine,
    in_use: bool,
    speed: MeasuredSpeed | None,
    score: ToolScore | None,
) -> ModelRecord:
    need = memory_need(entry)
    return ModelRecord(
        model_id=entry.id,
        role=entry.role,
        name=entry.name,
        publisher=entry.publisher,
        licence=entry.licence,
        languages=entry.languages,
        size=entry.bytes,
        presence=ModelPresence(store.state(entry.id).value),
        memory=need.bytes if need else None,
        memory_measured=need.measured if need else False,
        fit=ModelFit(fit(need, machine.room).value),
        in_use=in_use,
        sources=tuple(dict.fromkeys(_place(store, source) for source in entry.sources)),
        engine=ENGINES[entry.role],
        note=entry.note,
        remarks=remarks_on(store, entry),
        speed=speed,
        tools=score,
    )


def _place(store: ModelStore, source: object) -> str:
    return urlsplit(store.catalogue.hub).hostname or "" if isinstance(source, HubSource) else PACKAGE_INDEX

"""What looks after the models for a running program. Part of the composition root."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from aria_desktop.catalog.catalog import load_catalogue
from aria_desktop.catalog.model_desk import DeskParts, ModelDesk
from aria_desktop.catalog.speeds import Speeds, read_scores
from aria_desktop.catalog.store import ModelStore
from aria_desktop.core.events import Event
from aria_desktop.storage.paths import AppPaths
from aria_desktop.workers.engines import Engines
from aria_desktop.workers.model_speed import measure


def model_desk(paths: AppPaths, data: Path, engines: Engines, publish: Callable[[Event], None]) -> ModelDesk:
    """`data`: where measured speeds are kept."""
    catalogue = load_catalogue(paths.catalog)
    return ModelDesk(
        DeskParts(
            make_store=lambda told: ModelStore(paths.models, catalogue, told),
            in_use=lambda: engines.in_use,
            measure=lambda entry, cancel: measure(engines, entry, cancel),
            publish=publish,
            speeds=Speeds(data),
            scores=read_scores(paths.resources),
        )
    )

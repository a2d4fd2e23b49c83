"""Real models measured for the Models page, each in a process that is gone afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from aria_desktop.catalog.catalog import load_catalogue
from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.errors import ModelMissing
from aria_desktop.storage.paths import find_paths
from aria_desktop.storage.settings import Settings
from aria_desktop.workers.engines import Engines
from aria_desktop.workers.model_speed import measure


@pytest.fixture
def engines(warm_home: Path, models_dir: Path) -> Iterator[Engines]:
    del warm_home, models_dir
    with closing(Engines(find_paths(), Settings)) as made:
        yield made


@pytest.mark.parametrize("model_id", ["qwen2.5-coder-0.5b-instruct", "en_US-joe-medium", "faster-whisper-tiny.en"])
def test_a_model_is_measured_by_a_piece_of_its_real_work(engines: Engines, model_id: str) -> None:
    entry = load_catalogue(find_paths().catalog).get(model_id)
    before = {child.pid for child in psutil.Process().children()}
    value = measure(engines, entry, CancelToken())
    print(f"{model_id}: {value:.1f}")
    assert 0.05 < value < 100_000
    hosts = {host.pid for host in engines.hosts.values()}
    assert {child.pid for child in psutil.Process().children()} - before <= hosts


def test_a_model_that_is_not_here_and_a_stop_are_told(engines: Engines) -> None:
    catalogue = load_catalogue(find_paths().catalog)
    with pytest.raises(ModelMissing):
        measure(engines, catalogue.get("fr_FR-siwis-medium"), CancelToken())
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        measure(engines, catalogue.get("en_US-joe-medium"), cancel)

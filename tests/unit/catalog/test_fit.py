"""Which model fits which machine."""

from __future__ import annotations

import pytest

from aria_desktop.catalog.catalog import Catalogue, load_catalogue
from aria_desktop.catalog.fit import Fit, MemoryNeed, Room, fit, memory_need, recommended
from aria_desktop.core.events import EngineRole
from aria_desktop.storage.paths import find_paths
from tests.unit.catalog.makers import WEIGHTS, catalogue, entry

GB = 1_000_000_000
LAPTOP = Room(memory_total=16 * GB, memory_free=10 * GB, cores=8, gpu_memory=0)


@pytest.fixture(scope="module")
def shipped() -> Catalogue:
    return load_catalogue(find_paths().catalog)


def need(gigabytes: float) -> MemoryNeed:
    return MemoryNeed(int(gigabytes * GB), measured=True)


@pytest.mark.parametrize(
    ("gigabytes", "verdict"),
    [(1, Fit.FITS), (9.6, Fit.FITS), (9.7, Fit.TIGHT), (14.4, Fit.TIGHT), (14.5, Fit.TOO_BIG), (46, Fit.TOO_BIG)],
)
def test_what_fits_leaves_room_for_the_rest(gigabytes: float, verdict: Fit) -> None:
    assert fit(need(gigabytes), LAPTOP) is verdict


def test_what_is_not_free_now_is_tight() -> None:
    assert fit(need(3), Room(16 * GB, 2 * GB, 8, 0)) is Fit.TIGHT


def test_a_graphics_card_with_room_makes_it_fit() -> None:
    assert fit(need(20), Room(16 * GB, 10 * GB, 8, 24 * GB)) is Fit.FITS


def test_nothing_is_said_of_a_model_whose_size_nobody_knows() -> None:
    unknown = catalogue(entry("a", {"a.gguf": WEIGHTS}, known=False)).get("a")
    assert memory_need(unknown) is None
    assert fit(None, LAPTOP) is Fit.UNKNOWN


def test_measured_needs_go_before_estimates() -> None:
    models = catalogue(entry("a", {"a.gguf": WEIGHTS}, memory_bytes=5), entry("b", {"b.gguf": WEIGHTS}))
    assert memory_need(models.get("a")) == MemoryNeed(5, measured=True)
    estimate = memory_need(models.get("b"))
    assert estimate
    assert not estimate.measured
    assert estimate.bytes > len(WEIGHTS)


def test_measurements_stay_within_a_third_of_the_estimates(shipped: Catalogue) -> None:
    """The estimates are worth something where they can be compared."""
    for model in shipped.models:
        if model.memory_bytes is not None:
            guess = memory_need(model.model_copy(update={"memory_bytes": None}))
            assert guess
            assert 0.5 < model.memory_bytes / guess.bytes < 1.34, model.id


@pytest.mark.parametrize(
    ("room", "language", "speech"),
    [
        (Room(24 * GB, 20 * GB, 2, 0), "qwen2.5-coder-1.5b-instruct", "faster-whisper-base"),
        (Room(32 * GB, 28 * GB, 8, 0), "qwen2.5-coder-7b-instruct", "faster-whisper-small"),
        (Room(64 * GB, 60 * GB, 16, 80 * GB), "llama-3.3-70b-instruct", "faster-whisper-large-v3"),
        (Room(2 * GB, 1 * GB, 2, 0), "qwen2.5-coder-0.5b-instruct", "faster-whisper-base"),
    ],
)
def test_the_largest_that_answers_in_time_is_recommended(
    shipped: Catalogue, room: Room, language: str, speech: str
) -> None:
    for role, wanted in ((EngineRole.LANGUAGE, language), (EngineRole.SPEECH, speech)):
        best = recommended(shipped.models, role, room)
        assert best
        assert best.id == wanted


def test_where_nothing_fits_the_smallest_is_recommended(shipped: Catalogue) -> None:
    best = recommended(shipped.models, EngineRole.LANGUAGE, Room(GB // 10, GB // 20, 1, 0))
    assert best
    assert best.id == "qwen2.5-coder-0.5b-instruct"

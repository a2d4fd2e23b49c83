"""Which layers go to the graphics card, and the sentence about it."""

from __future__ import annotations

import pytest

from aria_desktop.engines.language.placement import Gpu, ModelSize, gpu_layers, placement_words

GB = 10**9
SEVENTY = ModelSize(layers=80, weights=42 * GB, cache=1 * GB)


@pytest.mark.parametrize(
    ("free", "layers"),
    [((0,), 0), ((1 * GB,), 0), ((2 * GB,), 2), ((24 * GB,), 43), ((24 * GB, 24 * GB), 81), ((80 * GB,), 81)],
)
def test_as_many_as_fit_into_what_is_free(free: tuple[int, ...], layers: int) -> None:
    cards = tuple(Gpu("card", bytes_free) for bytes_free in free)
    assert gpu_layers(SEVENTY, cards) == layers
    needed = layers * (SEVENTY.weights + SEVENTY.cache) / 81
    assert needed <= sum(free)


def test_a_longer_context_leaves_room_for_fewer() -> None:
    card = (Gpu("card", 24 * GB),)
    assert gpu_layers(ModelSize(80, 42 * GB, 20 * GB), card) < gpu_layers(SEVENTY, card)


@pytest.mark.parametrize(
    ("layers", "cards", "wanted", "words"),
    [
        (0, (), "auto", "CPU, 2 threads: no graphics card that llama.cpp can use was found"),
        (0, (), "off", "CPU, 2 threads: the graphics card is switched off in the settings"),
        (0, (Gpu("RTX", GB),), "auto", "CPU, 2 threads: RTX has 1.0 GB free, too little for one layer"),
        (81, (Gpu("RTX", 80 * GB),), "auto", "RTX: all 81 layers, 80.0 GB of its memory were free"),
        (
            9,
            (Gpu("A", 3 * GB), Gpu("B", 3 * GB)),
            "auto",
            "A and B: 9 of 81 layers, since 6.0 GB of its memory were free; the rest on CPU",
        ),
    ],
)
def test_the_reason_is_said(layers: int, cards: tuple[Gpu, ...], wanted: str, words: str) -> None:
    assert placement_words(layers, 80, cards, 2, wanted) == words


def test_one_thread_is_one_thread() -> None:
    assert "1 thread:" in placement_words(0, 80, (), 1, "auto")

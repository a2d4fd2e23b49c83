"""Which layers go to the graphics card, what gives way where room is short, and the sentence about it."""

from __future__ import annotations

import pytest

from aria_desktop.engines.language.placement import (
    LEAST_CONTEXT,
    CacheType,
    Gpu,
    ModelSize,
    Plan,
    gpu_layers,
    placement_words,
    plan,
)

GB = 10**9
SEVENTY = ModelSize(layers=80, weights=42 * GB, cache=1 * GB)
LONG = ModelSize(layers=80, weights=42 * GB, cache=10 * GB)
"""The same model with ten times the context."""
ONLY_16 = ModelSize(80, 42 * GB, 10 * GB, (CacheType.BITS_16,))
NO_CARD = "CPU, 2 threads: no graphics card that llama.cpp can use was found"


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


def planned(size: ModelSize, *free: int, memory: int = 64 * GB, tokens: int = 32_768) -> Plan:
    return plan(size, tokens, tuple(Gpu("card", each) for each in free), memory, 2, "auto")


def test_where_all_fits_nothing_gives_way() -> None:
    assert planned(SEVENTY, 48 * GB) == Plan(
        81, 32_768, CacheType.BITS_16, "card: all 81 layers, 48.0 GB of its memory were free"
    )
    assert planned(SEVENTY) == Plan(0, 32_768, CacheType.BITS_16, NO_CARD)


def test_8_bits_bring_the_whole_model_onto_the_card() -> None:
    found = planned(LONG, 50 * GB)
    assert (found.layers, found.context_tokens, found.cache) == (81, 32_768, CacheType.BITS_8)
    assert found.words.endswith("; to fit into memory, the conversation kept in 8 bits instead of 16")


@pytest.mark.parametrize(("size", "free"), [(LONG, 24 * GB), (LONG, 80 * GB), (ONLY_16, 50 * GB)])
def test_8_bits_are_not_taken_for_less_or_where_they_can_not_be(size: ModelSize, free: int) -> None:
    found = planned(size, free)
    assert (found.layers, found.context_tokens, found.cache) == (
        gpu_layers(size, (Gpu("card", free),)),
        32_768,
        CacheType.BITS_16,
    )


@pytest.mark.parametrize(
    ("memory", "tokens", "cache"),
    [
        (20 * GB, 32_768, CacheType.BITS_16),
        (19 * GB, 32_768, CacheType.BITS_8),
        (10 * GB, 16_384, CacheType.BITS_16),
        (3 * GB, 8_192, CacheType.BITS_8),
        (0, LEAST_CONTEXT, CacheType.BITS_8),
    ],
)
def test_on_the_processor_the_conversation_is_as_long_as_the_memory_holds(
    memory: int, tokens: int, cache: CacheType
) -> None:
    found = planned(LONG, memory=memory)
    assert (found.layers, found.context_tokens, found.cache) == (0, tokens, cache)
    assert (f"{tokens} tokens of context instead of 32768" in found.words) is (tokens < 32_768)
    assert 10 * GB * tokens / 32_768 * cache.share <= max(memory / 2, 10 * GB / 16)


def test_a_short_context_is_never_made_longer() -> None:
    assert planned(SEVENTY, memory=0, tokens=512).context_tokens == 512


def test_what_lies_on_the_card_takes_no_memory_of_the_machine() -> None:
    on_card = planned(LONG, 30 * GB, memory=10 * GB)
    assert 0 < on_card.layers < 81
    assert on_card.context_tokens > planned(LONG, memory=10 * GB).context_tokens / 2
    assert planned(LONG, 80 * GB, memory=0).context_tokens == 32_768


@pytest.mark.parametrize(
    ("layers", "cards", "wanted", "words"),
    [
        (0, (), "auto", NO_CARD),
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

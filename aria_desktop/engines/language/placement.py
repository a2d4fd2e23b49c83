"""Where a language model goes: arithmetic on memory sizes, and the sentence that tells the result.

Weights on the graphics card are what makes a large model fast, so as many layers as fit go there. A conversation kept
in 8 bits instead of 16 costs a little exactness; it is the way out where 16 don't fit, and taken for nothing less than
the whole model on the card, or the whole conversation in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

_RESERVE = 768 * 1024 * 1024
"""Bytes left free on a graphics card for the screen, scratch buffers and other programs."""
_CACHE_SHARE = 0.5
"""Of the free memory, that a conversation may take beside the weights."""
LEAST_CONTEXT = 3072
"""Tokens. Nothing smaller is planned, even if it is too much: ARIA's own texts would not fit."""


class CacheType(StrEnum):
    """How the keys and values of a conversation are kept."""

    BITS_16 = "f16"
    BITS_8 = "q8_0"

    @property
    def share(self) -> float:
        """Of the bytes that 16 bits take: blocks of 32 numbers have a scale of 2 bytes."""
        return 1.0 if self is CacheType.BITS_16 else 34 / 64


@dataclass(frozen=True, slots=True)
class Gpu:
    name: str
    free: int
    """Bytes."""


@dataclass(frozen=True, slots=True)
class ModelSize:
    layers: int
    weights: int
    """Bytes."""
    cache: int
    """Bytes of the whole context's keys and values in 16 bits."""
    cache_types: tuple[CacheType, ...] = tuple(CacheType)
    """Those that it can be kept in, the most exact first."""


@dataclass(frozen=True, slots=True)
class Plan:
    layers: int
    """On graphics cards, the output layer counted as one more."""
    context_tokens: int
    cache: CacheType
    words: str
    """The device and why it was chosen, and what had to give way."""


def plan(size: ModelSize, context_tokens: int, gpus: tuple[Gpu, ...], memory: int, threads: int, wanted: str) -> Plan:
    """
    Args:
        size: with the cache of `context_tokens`.
        memory: free bytes of the machine beside the weights, which are mapped from the file.
        wanted: the setting for the graphics card, "auto" or "off".
    """
    layers, tokens, cache = gpu_layers(size, gpus), context_tokens, CacheType.BITS_16
    if layers <= size.layers < _layers_in_8(size, gpus):
        layers, cache = size.layers + 1, CacheType.BITS_8
    elif layers <= size.layers:
        tokens, cache = _kept(size, layers, context_tokens, memory)
    words = placement_words(layers, size.layers, gpus, threads, wanted)
    return Plan(layers, tokens, cache, words + _given_up(tokens, context_tokens, cache))


def gpu_layers(size: ModelSize, gpus: tuple[Gpu, ...]) -> int:
    """How many layers fit, the output layer counted as one more. Each needs its share of weights and cache."""
    units = size.layers + 1
    each = (size.weights + size.cache) / units
    return min(units, sum(max(0, int((gpu.free - _RESERVE) // each)) for gpu in gpus))


def _layers_in_8(size: ModelSize, gpus: tuple[Gpu, ...]) -> int:
    """The same with the conversation in 8 bits; 0 when it can't be."""
    if CacheType.BITS_8 not in size.cache_types:
        return 0
    return gpu_layers(ModelSize(size.layers, size.weights, int(size.cache * CacheType.BITS_8.share)), gpus)


def _kept(size: ModelSize, layers: int, context_tokens: int, memory: int) -> tuple[int, CacheType]:
    """The longest conversation that fits into the memory, in 16 bits where that is as long; the least if none does."""
    here = size.cache * (size.layers + 1 - layers) / (size.layers + 1)
    for tokens in _ever_shorter(context_tokens):
        for cache in size.cache_types:
            if here * cache.share * tokens / context_tokens <= memory * _CACHE_SHARE:
                return tokens, cache
    return tokens, cache


def _ever_shorter(tokens: int) -> Iterator[int]:
    """Halved again and again, down to the least."""
    yield tokens
    while tokens > LEAST_CONTEXT:
        tokens = max(LEAST_CONTEXT, tokens // 2)
        yield tokens


def placement_words(layers_on_gpu: int, layers: int, gpus: tuple[Gpu, ...], threads: int, wanted: str) -> str:
    """`layers`: of the model. For instance "CPU, 2 threads: no graphics card that llama.cpp can use was found"."""
    units = layers + 1
    cards = " and ".join(gpu.name for gpu in gpus)
    free = sum(gpu.free for gpu in gpus) / 1e9
    if layers_on_gpu == units:
        return f"{cards}: all {units} layers, {free:.1f} GB of its memory were free"
    if layers_on_gpu:
        return (
            f"{cards}: {layers_on_gpu} of {units} layers, since {free:.1f} GB of its memory were free; the rest on CPU"
        )
    if wanted == "off":
        reason = "the graphics card is switched off in the settings"
    elif gpus:
        reason = f"{cards} has {free:.1f} GB free, too little for one layer"
    else:
        reason = "no graphics card that llama.cpp can use was found"
    return f"CPU, {threads} {'thread' if threads == 1 else 'threads'}: {reason}"


def _given_up(tokens: int, wanted: int, cache: CacheType) -> str:
    lost = []
    if tokens < wanted:
        lost.append(f"{tokens} tokens of context instead of {wanted}")
    if cache is CacheType.BITS_8:
        lost.append("the conversation kept in 8 bits instead of 16")
    return f"; to fit into memory, {' and '.join(lost)}" if lost else ""

"""Where a language model's layers go: arithmetic on memory sizes, and the sentence that tells the result."""

from __future__ import annotations

from dataclasses import dataclass

_RESERVE = 768 * 1024 * 1024
"""Bytes left free on a graphics card for the screen, scratch buffers and other programs."""


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
    """Bytes of the whole context's keys and values."""


def gpu_layers(size: ModelSize, gpus: tuple[Gpu, ...]) -> int:
    """How many layers fit, the output layer counted as one more. Each needs its share of weights and cache."""
    units = size.layers + 1
    each = (size.weights + size.cache) / units
    return min(units, sum(max(0, int((gpu.free - _RESERVE) // each)) for gpu in gpus))


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

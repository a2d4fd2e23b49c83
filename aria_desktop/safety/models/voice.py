"""Is this a voice of Piper's: an ONNX file, and a description beside it that fits it?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aria_desktop.safety.models.json_file import read_object
from aria_desktop.safety.models.onnx_check import check_onnx
from aria_desktop.safety.models.reading import Identity, refused

LARGEST_DESCRIPTION = 2**20
RATES = range(8_000, 48_001)
NEEDED = ("_", "^", "$", " ")
"""Symbols that Piper puts around and between all others."""
FEWEST_SYMBOLS = 20
"""A language is not spoken with less; what is missing would be left out of every word."""


@dataclass(frozen=True, slots=True)
class CheckedVoice:
    model: Path
    identity: Identity


def check_voice(model: Path) -> CheckedVoice:
    """`model`: the ONNX file. Raises ModelDamaged."""
    path = Path(f"{model}.json")
    description = read_object(path, LARGEST_DESCRIPTION)
    largest = _largest_symbol(path.name, description)
    _check_rate(path.name, description)
    checked = check_onnx(model)
    if checked.symbols and largest >= checked.symbols:
        raise refused(path.name, f"has a symbol of number {largest}, and the voice knows {checked.symbols}")
    return CheckedVoice(model, checked.identity)


def _check_rate(name: str, description: Mapping[str, Any]) -> None:
    audio = description.get("audio")
    rate = audio.get("sample_rate") if isinstance(audio, dict) else None
    if type(rate) is not int or rate not in RATES:
        raise refused(name, f"states {str(rate)[:40]} samples a second")


def _largest_symbol(name: str, description: Mapping[str, Any]) -> int:
    symbols = description.get("phoneme_id_map")
    if not isinstance(symbols, dict) or len(symbols) < FEWEST_SYMBOLS or any(one not in symbols for one in NEEDED):
        raise refused(name, "does not know enough symbols to speak")
    known = description.get("num_symbols")
    largest = 0
    for numbers in symbols.values():
        if not isinstance(numbers, list) or not numbers or any(type(one) is not int or one < 0 for one in numbers):
            raise refused(name, "has a symbol without a number")
        largest = max(largest, *numbers)
    if type(known) is not int or largest >= known:
        raise refused(name, f"has a symbol of number {largest} and says it has {str(known)[:40]}")
    return largest

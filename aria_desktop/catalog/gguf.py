"""What a language model's file says of itself, read without loading it: the facts at the head of a GGUF file.

The file may be anything: every length in it is checked against what is left of the file before it is believed, and no
more is read than the facts that are asked for. Tensors are never touched.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from aria_desktop.core.errors import ModelDamaged

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_MOST_FACTS = 100_000
_LONGEST_TEXT = 4_000_000
"""Bytes; chat templates have some thousands."""
_NUMBERS: Mapping[int, struct.Struct] = {
    kind: struct.Struct(f"<{form}") for kind, form in enumerate(("B", "b", "H", "h", "I", "i", "f", "?"))
} | {kind: struct.Struct(f"<{form}") for kind, form in ((10, "Q"), (11, "q"), (12, "d"))}
_TEXT, _ARRAY = 8, 9
_LENGTH = struct.Struct("<Q")
_KIND = struct.Struct("<I")


@dataclass(frozen=True, slots=True)
class GgufFacts:
    architecture: str
    """For instance "qwen2"; empty when the file does not say."""
    context_tokens: int
    """What the model was trained for; 0 when the file does not say."""
    chat_template: str
    """As the publisher wrote it; never run. Empty when there is none."""


def read_facts(path: Path) -> GgufFacts:
    """Raises ModelDamaged for a file that is no GGUF file or ends within its head; OSError."""
    with path.open("rb") as file:
        facts = _facts(_Reader(file, path.stat().st_size, path.name))
    architecture = _of(facts, "general.architecture", str, "")
    return GgufFacts(
        architecture,
        _of(facts, f"{architecture}.context_length", int, 0),
        _of(facts, "tokenizer.chat_template", str, ""),
    )


def _of(facts: Mapping[str, object], name: str, kind: type[Any], otherwise: Any) -> Any:
    found = facts.get(name, otherwise)
    return found if type(found) is kind else otherwise


class _Reader:
    def __init__(self, file: BinaryIO, size: int, name: str) -> None:
        self._file, self._left, self._name = file, size, name

    def take(self, count: int) -> bytes:
        self._require(count)
        return self._file.read(count)

    def skip(self, count: int) -> None:
        self._require(count)
        self._file.seek(count, io.SEEK_CUR)

    def length(self) -> int:
        (found,) = _LENGTH.unpack(self.take(8))
        return int(found)

    def kind(self) -> int:
        (found,) = _KIND.unpack(self.take(4))
        return int(found)

    def text(self) -> str:
        count = self.length()
        if count > _LONGEST_TEXT:
            raise self.damaged("holds a text that is too long")
        return self.take(count).decode("utf-8", "replace")

    def damaged(self, how: str) -> ModelDamaged:
        return ModelDamaged(f"{self._name} {how}.", "Fetch or copy it again.")

    def _require(self, count: int) -> None:
        if count > self._left:
            raise self.damaged("ends in the middle of its head")
        self._left -= count


def _facts(reader: _Reader) -> dict[str, object]:
    if reader.take(4) != _MAGIC or reader.kind() not in _VERSIONS:
        raise reader.damaged("is no GGUF file of a version that ARIA knows")
    reader.length()
    count = reader.length()
    if count > _MOST_FACTS:
        raise reader.damaged("says it holds more facts than any model has")
    facts: dict[str, object] = {}
    for _ in range(count):
        name = reader.text()
        facts[name] = _value(reader, reader.kind())
    return facts


def _value(reader: _Reader, kind: int) -> object:
    """A number or a text; None for an array, which is only passed over."""
    if kind == _TEXT:
        return reader.text()
    if kind == _ARRAY:
        _pass_array(reader)
        return None
    return _number(reader, kind)


def _number(reader: _Reader, kind: int) -> object:
    form = _NUMBERS.get(kind)
    if form is None:
        raise reader.damaged(f"holds a value of the unknown kind {kind}")
    (value,) = form.unpack(reader.take(form.size))
    return value


def _pass_array(reader: _Reader) -> None:
    kind, count = reader.kind(), reader.length()
    if kind in _NUMBERS:
        reader.skip(count * _NUMBERS[kind].size)
        return
    if kind != _TEXT:
        raise reader.damaged("holds an array of something that is neither number nor text")
    take: Callable[[], int] = reader.length
    for _ in range(count):
        reader.skip(take())

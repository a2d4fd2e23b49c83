"""What a language model's file says of itself, read from real files and from harmed ones."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import pytest

from aria_desktop.catalog.gguf import GgufFacts, read_facts
from aria_desktop.core.errors import ModelDamaged
from tests.tiny_model import TinyModel


def test_the_facts_of_a_model(tmp_path: Path) -> None:
    path = TinyModel(chat_template="hello", context_tokens=512).write(tmp_path / "a.gguf")
    assert read_facts(path) == GgufFacts("llama", 512, "hello")


def test_what_a_file_does_not_say_is_empty(tmp_path: Path) -> None:
    path = TinyModel(chat_template=None).write(tmp_path / "a.gguf")
    assert read_facts(path).chat_template == ""
    path.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, 0))
    assert read_facts(path) == GgufFacts("", 0, "")


def test_the_first_part_of_a_split_model_has_the_facts(tmp_path: Path) -> None:
    parts = TinyModel(context_tokens=777).write_parts(tmp_path, "a", 3)
    assert read_facts(parts[0]).context_tokens == 777
    assert read_facts(parts[1]) == GgufFacts("", 0, "")


def text(value: bytes) -> bytes:
    return struct.pack("<Q", len(value)) + value


def head(*facts: bytes, version: int = 3, count: int | None = None) -> bytes:
    return b"GGUF" + struct.pack("<IQQ", version, 0, len(facts) if count is None else count) + b"".join(facts)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "ends in the middle"),
        (b"<html>hello</html>" * 9, "is no GGUF file"),
        (head(version=99), "is no GGUF file"),
        (head(count=2**63), "more facts than any model"),
        (head(count=5), "ends in the middle"),
        (head(struct.pack("<Q", 2**62)), "a text that is too long"),
        (head(text(b"a") + struct.pack("<IQ", 8, 3_000_000)), "ends in the middle"),
        (head(text(b"a") + struct.pack("<I", 77)), "unknown kind 77"),
        (head(text(b"a") + struct.pack("<IIQ", 9, 4, 2**61)), "ends in the middle"),
        (head(text(b"a") + struct.pack("<IIQ", 9, 8, 2**61)), "ends in the middle"),
        (head(text(b"a") + struct.pack("<IIQ", 9, 9, 1)), "neither number nor text"),
    ],
)
def test_a_harmed_head_is_told(tmp_path: Path, content: bytes, why: str) -> None:
    path = tmp_path / "harmed.gguf"
    path.write_bytes(content)
    with pytest.raises(ModelDamaged, match=why) as raised:
        read_facts(path)
    assert "harmed.gguf" in raised.value.text


def test_a_fact_of_the_wrong_kind_counts_as_missing(tmp_path: Path) -> None:
    path = tmp_path / "a.gguf"
    wrong = text(b"general.architecture") + struct.pack("<IQ", 8, 1) + b"\xff"
    path.write_bytes(head(wrong, text(b"tokenizer.chat_template") + struct.pack("<II", 4, 7)))
    assert read_facts(path) == GgufFacts("\ufffd", 0, "")


def test_bytes_at_random_never_do_anything_but_be_damaged(tmp_path: Path) -> None:
    path = TinyModel().write(tmp_path / "a.gguf")
    whole = path.read_bytes()[:20_000]
    chance = random.Random(3)
    for _ in range(300):
        harmed = bytearray(whole)
        for _ in range(chance.randrange(1, 8)):
            harmed[chance.randrange(len(harmed))] = chance.randrange(256)
        path.write_bytes(bytes(harmed[: chance.randrange(len(harmed))]))
        try:
            read_facts(path)
        except ModelDamaged:
            continue

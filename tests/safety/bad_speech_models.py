"""The 20 bad CTranslate2 models and the 23 bad voices of security.md 3.6, each made when it is wanted."""

from __future__ import annotations

import json
import os
import pickle
import random
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class BadFiles:
    number: int
    name: str
    harm: Callable[[Path], None]
    """Changes a folder with whole files."""
    reason: str


def put(name: str, content: bytes | str) -> Callable[[Path], None]:
    raw = content.encode() if isinstance(content, str) else content
    return lambda folder: write(folder / name, raw)


def write(path: Path, content: bytes) -> None:
    path.unlink(missing_ok=True)
    path.write_bytes(content)


def gone(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


NOISE = random.Random(9).randbytes(5000)
GGUF = b"GGUF" + struct.pack("<IQQ", 3, 0, 0) + bytes(500)
PICKLE = pickle.dumps({"weights": [1] * 500})
DEEP = "[" * 200_000

# CTranslate2


def name_of(text: str) -> bytes:
    return struct.pack("<H", len(text) + 1) + text.encode() + b"\0"


def variable(name: str, shape: tuple[int, ...] = (4,), kind: int = 0, size: int | None = None, data: int = 16) -> bytes:
    head = name_of(name) + struct.pack(f"<B{len(shape)}I", len(shape), *shape)
    return head + struct.pack("<BI", kind, data if size is None else size) + bytes(data)


WORDS = variable("decoder/embeddings/weight", (3, 4), data=48)


def model_bin(
    *variables: bytes, version: int = 6, spec: bytes | None = None, count: int | None = None, aliases: bytes = b"\0" * 4
) -> bytes:
    head = struct.pack("<I", version) + (name_of("WhisperSpec") if spec is None else spec) + struct.pack("<I", 3)
    return head + struct.pack("<I", len(variables) if count is None else count) + b"".join(variables) + aliases


WHOLE_SPEECH: Mapping[str, bytes] = {
    "model.bin": model_bin(WORDS, variable("a")),
    "config.json": b"{}",
    "tokenizer.json": b'{"version": "1.0"}',
    "vocabulary.txt": b"a\nb\nc\n",
}
BIN = "model.bin"
_SPEECH: tuple[tuple[str, Callable[[Path], None], str], ...] = (
    ("missing", gone(BIN), "can't be opened"),
    ("empty", put(BIN, b""), "ends in the middle"),
    ("zeros", put(BIN, bytes(5000)), "it says 0"),
    ("noise", put(BIN, NOISE), "it says"),
    ("text", put(BIN, "milk and eggs\n" * 99), "it says"),
    ("GGUF", put(BIN, GGUF), "it says"),
    ("huge text", put(BIN, struct.pack("<IH", 6, 65_535) + b"x"), "ends in the middle"),
    ("version of the future", put(BIN, model_bin(WORDS, version=7)), "it says 7"),
    ("another specification", put(BIN, model_bin(WORDS, spec=name_of("TransformerSpec"))), "no speech model"),
    ("2^32 variables", put(BIN, model_bin(WORDS, count=2**32 - 1)), "4294967295 variables"),
    ("absurd shape", put(BIN, model_bin(variable("a", (2**31, 2**31)))), "not that of its shape"),
    ("no variables", put(BIN, model_bin()), "0 variables"),
    ("pickle", put(BIN, PICKLE), "it says"),
    ("bad JSON", put("config.json", "{'a':"), "is no JSON"),
    ("deep JSON", put("config.json", DEEP), "too deep"),
    ("bad vocabulary", put("vocabulary.txt", "a\n" * 99), "99 words"),
    ("no tokenizer", gone("tokenizer.json"), "can't be opened"),
    ("cut at half", put(BIN, WHOLE_SPEECH[BIN][: len(WHOLE_SPEECH[BIN]) // 2]), "ends in the middle"),
    ("unknown kind of numbers", put(BIN, model_bin(WORDS, variable("a", kind=9))), "unknown kind 9"),
    ("a name for nothing", put(BIN, model_bin(WORDS, aliases=struct.pack("<I", 1) + name_of("x") + name_of("y"))),
     "does not hold"),
)  # fmt: skip
SPEECH = tuple(BadFiles(number, *case) for number, case in enumerate(_SPEECH, 1))

# ONNX and its description


def varint(value: int) -> bytes:
    found = b""
    while value >= 0x80:
        found += bytes([value & 0x7F | 0x80])
        value >>= 7
    return found + bytes([value])


def number(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value)


def part(field: int, *content: bytes) -> bytes:
    raw = b"".join(content)
    return varint(field << 3 | 2) + varint(len(raw)) + raw


def tensor(*more: bytes, shape: tuple[int, ...] = (2,), raw: int = 8, name: bytes = b"w") -> bytes:
    dims = b"".join(number(1, size) for size in shape)
    return part(5, dims, number(2, 1), part(8, name), part(9, bytes(raw)), *more)


def node(kind: bytes, *more: bytes) -> bytes:
    return part(1, part(4, kind), *more)


def onnx(*graph: bytes, opset: int = 15, more: bytes = b"") -> bytes:
    return number(1, 8) + part(7, *graph) + part(8, number(2, opset)) + more


def elsewhere(path: str) -> bytes:
    """A tensor whose weights lie in another file."""
    entry = part(13, part(1, b"location"), part(2, path.encode()))
    return part(5, number(1, 2), number(2, 1), part(8, b"w"), entry, number(14, 1))


def description(**changes: Any) -> bytes:
    symbols = {letter: [place] for place, letter in enumerate("_^$ abcdefghijklmnopqrstuvwxyz")}
    whole = {"audio": {"sample_rate": 22050}, "num_symbols": 256, "phoneme_id_map": symbols, "phoneme_type": "text"}
    return json.dumps({**whole, **changes}).encode()


VOICE_FILE, DESCRIPTION = "voice.onnx", "voice.onnx.json"
RELU = node(b"Relu")
WHOLE_VOICE: Mapping[str, bytes] = {VOICE_FILE: onnx(RELU, tensor()), DESCRIPTION: description()}


def voice(*graph: bytes, **more: Any) -> Callable[[Path], None]:
    return put(VOICE_FILE, onnx(*graph, **more))


def elsewhere_as(link: Callable[[Path, Path], None]) -> Callable[[Path], None]:
    """The name is one in the folder, and what it stands for lies outside."""

    def harm(folder: Path) -> None:
        write(folder / VOICE_FILE, onnx(RELU, elsewhere("weights")))
        outside = folder.parent / "outside"
        outside.write_bytes(bytes(8))
        link(outside, folder / "weights")

    return harm


ATTRIBUTE = part(5, part(1, b"value"), part(5, number(1, 2**40), number(2, 1)))
_VOICES: tuple[tuple[str, Callable[[Path], None], str], ...] = (
    ("empty", put(VOICE_FILE, b""), "is no ONNX file"),
    ("zeros", put(VOICE_FILE, bytes(5000)), "is no ONNX file"),
    ("noise", put(VOICE_FILE, NOISE), "Model refused"),
    ("text", put(VOICE_FILE, "milk and eggs\n" * 99), "Model refused"),
    ("number without an end", put(VOICE_FILE, b"\xff" * 100), "without an end"),
    ("length bomb", put(VOICE_FILE, varint(7 << 3 | 2) + varint(2**62)), "larger than the whole"),
    ("pickle", put(VOICE_FILE, PICKLE), "Model refused"),
    ("weights in ../", voice(RELU, elsewhere("../outside")), "in another file"),
    ("weights at a whole path", voice(RELU, elsewhere("/etc/passwd")), "in another file"),
    ("weights through a link", elsewhere_as(lambda outside, name: name.symlink_to(outside)), "in another file"),
    ("weights in x/../..", voice(RELU, elsewhere("x/../../outside")), "in another file"),
    ("sparse weights elsewhere", voice(RELU, part(15, part(1, elsewhere("../x")[2:]))), "in another file"),
    ("weights through a hard link", elsewhere_as(os.link), "in another file"),
    ("operators of another domain", voice(node(b"Run", part(7, b"evil"))), "operators of 'evil'"),
    ("opset 999", voice(RELU, opset=999), "version 999"),
    ("endless loop", voice(node(b"Loop")), "may never end"),
    ("2^40 numbers", voice(RELU, node(b"ConstantOfShape", ATTRIBUTE)), "impossible size"),
    ("functions of its own", voice(RELU, more=part(25, node(b"Loop"))), "functions of its own"),
    ("description missing", gone(DESCRIPTION), "can't be opened"),
    ("wrong sample rate", put(DESCRIPTION, description(audio={"sample_rate": 10**9})), "samples a second"),
    ("map of symbols too short", put(DESCRIPTION, description(phoneme_id_map={"_": [0]})), "enough symbols"),
    ("symbol that the voice lacks", put(DESCRIPTION, description(num_symbols=5)), "says it has 5"),
    ("weights smaller than their shape", voice(RELU, tensor(shape=(99,))), "not that of their shape"),
)
VOICES = tuple(BadFiles(number, *case) for number, case in enumerate(_VOICES, 1))

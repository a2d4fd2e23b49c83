"""The 65 bad GGUF files and 14 chat templates of security.md 3.6, each made when it is wanted.

1 to 27 are the kinds that llama.cpp's own test of its loader has, 28 to 65 are ours.
"""

from __future__ import annotations

import os
import pickle
import struct
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from tests.safety.gguf_maker import (
    ARRAY,
    EMBEDDINGS,
    F32,
    FACTS,
    I32,
    NORM_AT,
    TEXT,
    U32,
    U64,
    WIDTH,
    WORDS,
    Gguf,
    tensor,
    text,
    value,
)

Make = Callable[[Path], Path]
"""Makes the file in a folder that is empty; returns what an engine is told to load."""

WHOLE = Gguf()
EMPTY_KEY = b"GGUF" + struct.pack("<IQQQIB", 3, 0, 1, 0, 0, 0)
"""37 bytes: one fact, whose name has no letter."""


@dataclass(frozen=True)
class BadModel:
    number: int
    name: str
    make: Make
    reason: str
    """Words of the refusal."""


def of(model: Gguf | bytes) -> Make:
    content = model if isinstance(model, bytes) else model.bytes()

    def make(folder: Path) -> Path:
        path = folder / "bad.gguf"
        path.write_bytes(content)
        return path

    return make


def cut(share: float) -> Make:
    content = WHOLE.bytes()
    return of(content[: int(len(content) * share)])


def tensors(*raw: bytes, data: int = NORM_AT + 4 * WIDTH) -> Make:
    return of(replace(WHOLE, tensors=raw, data=data))


def fact(name: str, content: bytes) -> Make:
    return of(WHOLE.with_(name, content))


def raw_fact(content: bytes) -> Make:
    return of(replace(WHOLE, more=content, more_count=1))


def a_pipe(folder: Path) -> Path:
    os.mkfifo(path := folder / "bad.gguf")
    return path


def a_folder(folder: Path) -> Path:
    (path := folder / "bad.gguf").mkdir()
    return path


def link_out(folder: Path) -> Path:
    (outside := folder / "outside").mkdir()
    (inside := folder / "inside").mkdir()
    (path := inside / "bad.gguf").symlink_to(of(WHOLE)(outside))
    return path


def link_to_a_device(folder: Path) -> Path:
    (path := folder / "bad.gguf").symlink_to("/dev/zero")
    return path


def part_missing(folder: Path) -> Path:
    path = folder / "bad-00001-of-00003.gguf"
    path.write_bytes(WHOLE.bytes())
    return path


def swapped_part(folder: Path) -> Path:
    for number, says in ((1, 0), (2, 0)):
        split = WHOLE.with_("split.no", value(U32, says)).with_("split.count", value(U32, 2))
        (folder / f"bad-{number:05d}-of-00002.gguf").write_bytes(split.bytes())
    return folder / "bad-00001-of-00002.gguf"


TOKENS = "tokenizer.ggml.tokens"
LIMIT = struct.pack("<Q", 2**63)
BIG = 2**62

GGUF: tuple[BadModel, ...] = tuple(
    BadModel(number, name, make, reason)
    for number, (name, make, reason) in enumerate(
        (
            ("magic", of(replace(WHOLE, magic=b"GGML")), "no GGUF file"),
            ("version 0", of(replace(WHOLE, version=struct.pack("<I", 0))), "it says 0"),
            ("version 1", of(replace(WHOLE, version=struct.pack("<I", 1))), "it says 1"),
            ("version of the future", of(replace(WHOLE, version=struct.pack("<I", 9))), "it says 9"),
            ("absurd count of tensors", of(replace(WHOLE, tensor_count=2**40)), "more tensors"),
            ("absurd count of facts", of(replace(WHOLE, fact_count=2**40)), "more facts"),
            ("key size", raw_fact(struct.pack("<Q", 2**40)), "too long"),
            ("empty key", of(EMPTY_KEY), "empty name"),
            ("bad kind of a fact", raw_fact(text("a") + struct.pack("<I", 99)), "unknown kind 99"),
            ("duplicate key", raw_fact(text("general.architecture") + FACTS["general.architecture"]), "twice"),
            ("alignment no power of two", fact("general.alignment", value(U32, 24)), "power of two"),
            ("alignment of the wrong kind", fact("general.alignment", value(TEXT, "32")), "power of two"),
            ("name of a tensor too long", tensors(tensor("x" * 64, (32,))), "too long"),
            ("five dimensions", tensors(tensor("a", (32, 1, 1, 1, 1))), "5 dimensions"),
            ("negative dimension", tensors(tensor("a", (2**64 - 32,))), "impossible size"),
            ("dimension of zero", tensors(tensor("a", (0, 8))), "impossible size"),
            ("count of numbers overflows", tensors(tensor("a", (2**32, 2**32))), "impossible size"),
            ("count of bytes overflows", tensors(tensor("a", (2**62,))), "impossible size"),
            ("bad kind of a tensor", tensors(tensor("a", (32,), kind=77)), "unknown kind 77"),
            ("bad offset", tensors(EMBEDDINGS, tensor("b", (WIDTH,), offset=NORM_AT + 32)), "behind the one before"),
            ("duplicate tensor", tensors(EMBEDDINGS, EMBEDDINGS), "two tensors"),
            ("offset not aligned", tensors(EMBEDDINGS, tensor("b", (WIDTH,), offset=NORM_AT + 1)), "behind the one"),
            ("alignment of zero", fact("general.alignment", value(U32, 0)), "power of two"),
            ("alignment huge", fact("general.alignment", value(U32, 2**31)), "power of two"),
            ("not enough data", of(replace(WHOLE, data=100)), "cut off"),
            ("data aligned otherwise", tensors(tensor("a", (1,)), tensor("b", (1,), offset=4)), "behind the one"),
            ("size of the whole overflows", tensors(tensor("a", (2**20, 2**20, 2**15))), "impossible size"),
            # Ours.
            ("empty", of(b""), "ends in the middle"),
            ("text", of(b"This is my shopping list.\n" * 99), "no GGUF file"),
            *((f"cut at {tenth} of 10", cut(tenth / 10 + 0.003), "ends|cut off") for tenth in range(10)),
            ("big-endian", of(b"GGUF" + struct.pack(">IQQ", 3, 0, 0)), "big-endian"),
            ("text of 2^63", raw_fact(text("a") + struct.pack("<I", TEXT) + LIMIT), "too long"),
            ("nested array", raw_fact(text("a") + struct.pack("<IIQ", ARRAY, ARRAY, 1)), "neither number nor text"),
            ("array of 2^40", raw_fact(text("a") + struct.pack("<IIQ", ARRAY, U64, 2**40)), "ends in the middle"),
            ("negative counts", of(replace(WHOLE, tensor_count=-1, fact_count=-1)), "more tensors"),
            ("architecture with a path", fact("general.architecture", value(TEXT, "../x")), "architecture"),
            ("no tokenizer", of(WHOLE.without("tokenizer.ggml.model")), "no tokenizer"),
            ("scores too few", fact("tokenizer.ggml.scores", value(ARRAY, (F32, [0.0] * 3))), "scores"),
            ("bad token types", fact("tokenizer.ggml.token_type", value(ARRAY, (I32, [99] * WORDS))), "unknown type"),
            ("no words", fact(TOKENS, value(ARRAY, (TEXT, []))), "without words"),
            ("more words than weights", of(WHOLE.without("tokenizer.ggml.token_type").with_(
                TOKENS, value(ARRAY, (TEXT, ["w"] * 99)))), "99 words and weights for 8"),
            ("context of 0", fact("llama.context_length", value(U32, 0)), "states 0"),
            ("context of 2^31", fact("llama.context_length", value(U32, 2**31)), "states 2147483648"),
            ("no layers", fact("llama.block_count", value(U32, 0)), "states 0"),
            ("projector", fact("general.architecture", value(TEXT, "clip")), "does not talk"),
            ("embedding model", fact("general.architecture", value(TEXT, "nomic-bert")), "does not talk"),
            ("LoRA", fact("general.type", value(TEXT, "adapter")), "'adapter'"),
            ("part missing", part_missing, "lacks"),
            ("part swapped", swapped_part, "says it is part"),
            ("symbolic link out", link_out, "leads out"),
            ("link to a device", link_to_a_device, "leads out"),
            ("pipe", a_pipe, "no ordinary file"),
            ("folder", a_folder, "no ordinary file"),
            ("pickle", of(pickle.dumps({"weights": [1] * 99})), "no GGUF file"),
            ("template of 65 kB", fact("tokenizer.chat_template", value(TEXT, "x" * 66_000)), "more than 64 kB"),
            ("named template of 65 kB", fact("tokenizer.chat_template.tool_use", value(TEXT, "x" * 66_000)), "64 kB"),
        ),
        1,
    )
)  # fmt: skip


CANARY = "CANARY"
"""The file that a template makes in the current folder when it is rendered."""

HARMFUL_TEMPLATES: tuple[tuple[str, str], ...] = (
    ("class walk", "{{ ''.__class__.__mro__[1].__subclasses__() }}"),
    ("globals", "{{ cycler.__init__.__globals__.os.system('touch CANARY') }}"),
    ("attr filter", "{{ ''|attr('__class__')|attr('__mro__') }}"),
    ("format", "{{ '{0.__class__}'.format('') }}"),
    ("format_map", "{{ '{a.__class__}'.format_map({'a': 1}) }}"),
    ("list mutation", "{% set x = messages.append(messages) %}{{ x }}"),
    ("range of 10^9", "{% for i in range(1000000000) %}{{ i }}{% endfor %}"),
    ("nested loops", "{% for i in range(99999) %}" * 3 + "x" + "{% endfor %}" * 3),
    ("text of 1 GB", "{{ 'x' * 1000000000 }}"),
    ("power", "{{ 9 ** 9 ** 9 }}"),
    ("include", "{% include '/etc/passwd' %}"),
    ("import", "{% import '/etc/passwd' as p %}{{ p }}"),
    ("macro recursion", "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}"),
    ("50 MB", "x" * 50_000_000),
)

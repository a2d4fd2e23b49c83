"""Makes language models of a few hundred kilobytes: real GGUF files with random weights, whole or in parts.

They know nothing, but llama.cpp loads and runs them like any other, so that everything around a model can be tried
without one: files in parts, vocabularies of every family, contexts of every size, broken chat templates.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

MARKS: Mapping[str, tuple[str, ...]] = {
    "chatml": ("<|im_start|>", "<|im_end|>"),
    "llama3": ("<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"),
    "mistral": ("<s>", "</s>", "[INST]", "[/INST]"),
    "mistral-system": ("<s>", "</s>", "[INST]", "[/INST]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]"),
    "gemma": ("<bos>", "<start_of_turn>", "<end_of_turn>"),
    "unknown": ("<|user|>", "<|end|>"),
}
ENDS: Mapping[str, str] = {
    "chatml": "<|im_end|>",
    "llama3": "<|eot_id|>",
    "mistral": "</s>",
    "mistral-system": "</s>",
    "gemma": "<end_of_turn>",
    "unknown": "<|end|>",
}
_ALIGNMENT = 32
_TEXT, _ARRAY, _U16, _U32, _I32, _F32, _U64 = 8, 9, 2, 4, 5, 6, 10
_FORMS = {_U16: "<H", _U32: "<I", _I32: "<i", _F32: "<f", _U64: "<Q"}
_NORMAL, _CONTROL = 1, 3

Fact = tuple[int, Any]
"""A kind of GGUF value, and the value; for an array the kind of its items and the list."""
Tensors = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True)
class TinyModel:
    family: str = "chatml"
    chat_template: str | None = "{{ '<|im_start|>' + tools }}<|im_end|>"
    """None: the file has none."""
    context_tokens: int = 4096
    layers: int = 3
    width: int = 64
    heads: int = 4
    seed: int = 7

    def write(self, path: Path) -> Path:
        """One file."""
        path.write_bytes(_gguf(self._facts(), self._tensors()))
        return path

    def write_parts(self, folder: Path, stem: str, parts: int) -> list[Path]:
        """`stem`-00001-of-0000N.gguf and so on, as llama.cpp splits them: all facts in the first."""
        tensors = self._tensors()
        names = list(tensors)
        written = []
        for part in range(parts):
            split: dict[str, Fact] = {
                "split.no": (_U16, part),
                "split.count": (_U16, parts),
                "split.tensors.count": (_I32, len(names)),
            }
            share = {name: tensors[name] for name in names[part::parts]}
            path = folder / f"{stem}-{part + 1:05d}-of-{parts:05d}.gguf"
            path.write_bytes(_gguf({**self._facts(), **split} if part == 0 else split, share))
            written.append(path)
        return written

    def _facts(self) -> dict[str, Fact]:
        marks = MARKS[self.family]
        tokens = [*marks, *_byte_tokens()]
        facts: dict[str, Fact] = {
            "general.architecture": (_TEXT, "llama"),
            "general.name": (_TEXT, f"tiny {self.family}"),
            "llama.context_length": (_U32, self.context_tokens),
            "llama.embedding_length": (_U32, self.width),
            "llama.block_count": (_U32, self.layers),
            "llama.feed_forward_length": (_U32, 2 * self.width),
            "llama.attention.head_count": (_U32, self.heads),
            "llama.attention.head_count_kv": (_U32, self.heads),
            "llama.attention.layer_norm_rms_epsilon": (_F32, 1e-5),
            "llama.rope.dimension_count": (_U32, self.width // self.heads),
            "tokenizer.ggml.model": (_TEXT, "gpt2"),
            "tokenizer.ggml.pre": (_TEXT, "default"),
            "tokenizer.ggml.tokens": (_ARRAY, (_TEXT, tokens)),
            "tokenizer.ggml.token_type": (_ARRAY, (_I32, [_CONTROL] * len(marks) + [_NORMAL] * 256)),
            "tokenizer.ggml.merges": (_ARRAY, (_TEXT, [])),
            "tokenizer.ggml.bos_token_id": (_U32, 0),
            "tokenizer.ggml.eos_token_id": (_U32, marks.index(ENDS[self.family])),
        }
        if self.chat_template is not None:
            facts["tokenizer.chat_template"] = (_TEXT, self.chat_template)
        return facts

    def _tensors(self) -> Tensors:
        random = np.random.default_rng(self.seed)
        vocabulary = len(MARKS[self.family]) + 256

        def weights(*shape: int) -> NDArray[np.float32]:
            return (random.standard_normal(shape) * 0.2).astype(np.float32)

        wide, ones = 2 * self.width, np.ones(self.width, np.float32)
        tensors = {"token_embd.weight": weights(vocabulary, self.width)}
        for layer in range(self.layers):
            tensors |= {f"blk.{layer}.{name}.weight": ones for name in ("attn_norm", "ffn_norm")}
            for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
                tensors[f"blk.{layer}.{name}.weight"] = weights(self.width, self.width)
            for name, shape in (("gate", (wide, self.width)), ("up", (wide, self.width)), ("down", (self.width, wide))):
                tensors[f"blk.{layer}.ffn_{name}.weight"] = weights(*shape)
        return {**tensors, "output_norm.weight": ones, "output.weight": weights(vocabulary, self.width)}


def _byte_tokens() -> Iterator[str]:
    """A token for each byte, spelled as byte-level vocabularies do: visible bytes as they are, others from U+0100."""
    visible = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    hidden = iter(range(0x100, 0x200))
    for byte in range(256):
        yield chr(byte) if byte in visible else chr(next(hidden))


def _gguf(facts: Mapping[str, Fact], tensors: Tensors) -> bytes:
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(facts))
    head += b"".join(_text(name) + _value(kind, value) for name, (kind, value) in facts.items())
    offset, table, data = 0, b"", b""
    for name, tensor in tensors.items():
        shape = tensor.shape[::-1]
        table += _text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, 0, offset)
        padded = _padded(tensor.tobytes())
        data += padded
        offset += len(padded)
    return _padded(head + table) + data


def _value(kind: int, value: Any) -> bytes:
    if kind == _ARRAY:
        item_kind, items = value
        head = struct.pack("<IIQ", _ARRAY, item_kind, len(items))
        return head + b"".join(_bare(item_kind, item) for item in items)
    return struct.pack("<I", kind) + _bare(kind, value)


def _bare(kind: int, value: Any) -> bytes:
    return _text(value) if kind == _TEXT else struct.pack(_FORMS[kind], value)


def _text(value: str) -> bytes:
    raw = value.encode()
    return struct.pack("<Q", len(raw)) + raw


def _padded(raw: bytes) -> bytes:
    return raw + bytes(-len(raw) % _ALIGNMENT)


def truncated(files: Sequence[Path], share: float) -> None:
    """Cut the last of `files` to that share of its length."""
    raw = files[-1].read_bytes()
    files[-1].write_bytes(raw[: int(len(raw) * share)])

"""llama.cpp through its C functions, in three thin classes: a model, a context in which it works, a grammar.

The only importer of llama_cpp. What is here calls and checks; what to evaluate and what to choose is decided
elsewhere. Every object holds native memory until the process ends: there is one model in a process.
"""

from __future__ import annotations

import ctypes
import math
import os
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import llama_cpp.llama_cpp as lib
import numpy as np
from llama_cpp import _ggml
from numpy.typing import NDArray

from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import EngineFailed, ModelDamaged
from aria_desktop.engines.language.constrained import Alphabet
from aria_desktop.engines.language.placement import Gpu, ModelSize

_LOG_WARN = 3
_LOG_ERROR = 4
_NEVER_CHOSEN = 1 | 2 | 8
"""Attributes unknown, unused and control."""
_GPU_KINDS = (1, 2)
"""Device types: graphics cards with memory of their own, and those that share the computer's."""

_complaints: deque[str] = deque(maxlen=5)


def _note_log(level: int, text: bytes | None, _: object) -> None:
    if level in (_LOG_WARN, _LOG_ERROR) and text:
        _complaints.append(text.decode("utf-8", "replace").strip())


_log_callback = lib.llama_log_callback(_note_log)
lib.llama_log_set(_log_callback, None)


def gpus() -> tuple[Gpu, ...]:
    """The graphics cards that this build of llama.cpp can use."""
    if not lib.llama_supports_gpu_offload():
        return ()
    ggml = _ggml.libggml
    ggml.ggml_backend_dev_get.restype = ctypes.c_void_p
    ggml.ggml_backend_dev_count.restype = ctypes.c_size_t
    devices = [ctypes.c_void_p(ggml.ggml_backend_dev_get(i)) for i in range(ggml.ggml_backend_dev_count())]
    return tuple(_gpu(ggml, device) for device in devices if ggml.ggml_backend_dev_type(device) in _GPU_KINDS)


def _gpu(ggml: ctypes.CDLL, device: ctypes.c_void_p) -> Gpu:
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    ggml.ggml_backend_dev_memory(device, ctypes.byref(free), ctypes.byref(total))
    ggml.ggml_backend_dev_description.restype = ctypes.c_char_p
    name: bytes = ggml.ggml_backend_dev_description(device)
    return Gpu(name.decode("utf-8", "replace"), free.value)


class NativeModel:
    def __init__(self, path: str, gpu_layers: int, *, only_measure: bool = False) -> None:
        """`only_measure`: read what the file says of itself, but no weights. Raises ModelDamaged."""
        params = lib.llama_model_default_params()
        params.n_gpu_layers = gpu_layers
        params.no_alloc = only_measure
        if only_measure:
            params.load_mode = lib.LLAMA_LOAD_MODE_NONE
        # Weights rearranged for the CPU are a second copy in memory beside the mapped file, and the code for
        # Intel's matrix unit that comes with them dies on virtual machines which announce it without having it.
        params.use_extra_bufts = False
        _complaints.clear()
        self.handle = lib.llama_model_load_from_file(path.encode(), params)
        if not self.handle:
            reason = _complaints[0] if _complaints else "it gives no reason"
            raise ModelDamaged(
                f"llama.cpp can't load {path}: {reason}.", "`aria models verify` tells whether the file is damaged."
            )
        self.vocab = lib.llama_model_get_vocab(self.handle)
        self.tokens: int = lib.llama_vocab_n_tokens(self.vocab)
        self.trained_context: int = lib.llama_model_n_ctx_train(self.handle)
        self._pieces: dict[int, bytes] = {}

    def size(self, context_tokens: int) -> ModelSize:
        heads = max(1, lib.llama_model_n_head(self.handle))
        layers: int = lib.llama_model_n_layer(self.handle)
        per_token = 2 * 2 * lib.llama_model_n_embd(self.handle) // heads * lib.llama_model_n_head_kv(self.handle)
        return ModelSize(layers, lib.llama_model_size(self.handle), layers * per_token * context_tokens)

    def tokenize(self, text: str, *, marks: bool) -> list[int]:
        """`marks`: read the names of special tokens as these tokens; otherwise as the characters they are."""
        raw = text.encode()
        room = len(raw) + 16
        found = (lib.llama_token * room)()
        count = lib.llama_tokenize(self.vocab, raw, len(raw), found, room, False, marks)
        if count < 0:
            raise EngineFailed(f"llama.cpp can't split a text of {len(raw)} bytes into tokens.")
        return list(found[:count])

    def is_mark(self, text: str) -> bool:
        """Is this text one control token?"""
        tokens = self.tokenize(text, marks=True)
        return len(tokens) == 1 and bool(lib.llama_vocab_is_control(self.vocab, tokens[0]))

    def piece(self, token: int) -> bytes:
        if token not in self._pieces:
            buffer = ctypes.create_string_buffer(256)
            size = lib.llama_token_to_piece(self.vocab, token, buffer, len(buffer), 0, False)
            if size < 0:
                buffer = ctypes.create_string_buffer(-size)
                size = lib.llama_token_to_piece(self.vocab, token, buffer, len(buffer), 0, False)
            self._pieces[token] = buffer.raw[:size]
        return self._pieces[token]

    def ends(self, token: int) -> bool:
        return bool(lib.llama_vocab_is_eog(self.vocab, token))

    def end_token(self) -> int:
        """One that ends a reply. Raises ModelDamaged when the vocabulary has none."""
        named = (lib.llama_vocab_eot(self.vocab), lib.llama_vocab_eos(self.vocab))
        for token in (*named, *range(self.tokens)):
            if token >= 0 and self.ends(token):
                return int(token)
        raise ModelDamaged("The model's vocabulary has no token that ends a reply.", "Choose another model.")

    def never_chosen(self) -> NDArray[np.int64]:
        """Tokens that are no text and don't end one: a model that says them has lost its way."""
        return np.array(
            [
                token
                for token in range(self.tokens)
                if lib.llama_vocab_get_attr(self.vocab, token) & _NEVER_CHOSEN and not self.ends(token)
            ],
            dtype=np.int64,
        )

    def alphabet(self) -> Alphabet | None:
        """None: this vocabulary has not a token for each byte."""
        tokens: dict[int, int] = {}
        for token in range(self.tokens):
            piece = self.piece(token)
            if len(piece) == 1:
                tokens.setdefault(piece[0], token)
        if len(tokens) < 256:
            return None
        row = [*(tokens[byte] for byte in range(256)), self.end_token()]
        return Alphabet(np.array(row, dtype=np.int32), self._spell)

    def _spell(self, text: str) -> list[int]:
        tokens = self.tokenize(text, marks=False)
        return tokens if b"".join(map(self.piece, tokens)) == text.encode() else []


@dataclass(frozen=True, slots=True)
class ContextShape:
    tokens: int
    batch: int
    """Tokens evaluated at once at most."""
    threads: int
    sequences: int


class Evaluation(Enum):
    DONE = "done"
    NO_ROOM = "no room"
    """Nothing was evaluated: the memory is full."""
    STOPPED = "stopped"
    """Cancelled; the memory may hold some of the tokens."""


class NativeContext:
    """Also the `Memory` of a `prompt_cache.PromptCache`."""

    def __init__(self, model: NativeModel, shape: ContextShape) -> None:
        """Raises EngineFailed when there is not enough memory."""
        params = lib.llama_context_default_params()
        params.n_ctx = shape.tokens
        params.n_batch = params.n_ubatch = shape.batch
        params.n_threads = params.n_threads_batch = shape.threads
        params.n_seq_max = params.n_outputs_max = shape.sequences
        params.kv_unified = True
        _complaints.clear()
        self._handle = lib.llama_init_from_model(model.handle, params)
        if not self._handle:
            reason = _complaints[-1] if _complaints else "not enough memory"
            raise EngineFailed(
                f"llama.cpp can't work with a context of {shape.tokens} tokens: {reason}.",
                "Set language_model.context_tokens lower, or choose a smaller model.",
            )
        self._memory = lib.llama_get_memory(self._handle)
        self._batch = lib.llama_batch_init(shape.batch, 0, 1)
        self._context_tokens = shape.tokens
        self._vocabulary = model.tokens
        self._never_chosen = model.never_chosen()
        self._no_callback = lib.ggml_abort_callback(0)

    def evaluate(self, sequence: int, start: int, tokens: Sequence[int], cancel: CancelToken) -> Evaluation:
        """Evaluate `tokens`, at most a batch, from position `start` on; only the last one's logits are kept."""
        batch = self._batch
        batch.n_tokens = len(tokens)
        for i, token in enumerate(tokens):
            batch.token[i] = token
            batch.pos[i] = start + i
            batch.n_seq_id[i] = 1
            batch.seq_id[i][0] = sequence
            batch.logits[i] = i == len(tokens) - 1
        result = self._decode(cancel if len(tokens) > 1 else None)
        match result:
            case 0:
                return Evaluation.DONE
            case 1:
                return Evaluation.NO_ROOM
            case 2:
                return Evaluation.STOPPED
            case _:
                raise EngineFailed(f"llama.cpp failed to evaluate {len(tokens)} tokens (code {result}).")

    def _decode(self, cancel: CancelToken | None) -> int:
        """The callback is asked some hundred times in each evaluation: worth it where one takes seconds."""
        if cancel is None:
            return int(lib.llama_decode(self._handle, self._batch))
        stop = lib.ggml_abort_callback(lambda _: cancel.cancelled)
        lib.llama_set_abort_callback(self._handle, stop, None)
        try:
            return int(lib.llama_decode(self._handle, self._batch))
        finally:
            lib.llama_set_abort_callback(self._handle, self._no_callback, None)

    def logits(self) -> NDArray[np.float32]:
        """Of the token evaluated last, one for each token of the vocabulary. A view: valid until the next one."""
        pointer = lib.llama_get_logits_ith(self._handle, -1)
        if not pointer:
            raise EngineFailed("llama.cpp has no result of its last evaluation.")
        logits: NDArray[np.float32] = np.ctypeslib.as_array(pointer, shape=(self._vocabulary,))
        logits[self._never_chosen] = -math.inf
        return logits

    def remove(self, sequence: int, start: int) -> bool:
        return bool(lib.llama_memory_seq_rm(self._memory, sequence, start, -1))

    def copy(self, source: int, target: int, end: int) -> None:
        lib.llama_memory_seq_cp(self._memory, source, target, 0, end)

    def save_sequence(self, path: Path, sequence: int, tokens: Sequence[int]) -> bool:
        """See `kept_prefix.SequenceStates`."""
        held = (lib.llama_token * len(tokens))(*tokens)
        return bool(lib.llama_state_seq_save_file(self._handle, os.fsencode(path), sequence, held, len(tokens)))

    def load_sequence(self, path: Path, sequence: int) -> list[int]:
        tokens, count = (lib.llama_token * self._context_tokens)(), ctypes.c_size_t()
        read = lib.llama_state_seq_load_file(
            self._handle, os.fsencode(path), sequence, tokens, self._context_tokens, ctypes.byref(count)
        )
        return list(tokens[: count.value]) if read else []


class NativeGrammar:
    """A grammar in the middle of a reply; see `constrained.Grammar`."""

    def __init__(self, sampler: int, vocabulary: int) -> None:
        self._sampler = sampler
        self._vocabulary = vocabulary
        # Each entry is three 32-bit numbers: token, logit, probability.
        self._entries = np.zeros((vocabulary, 3), dtype=np.float32)

    @classmethod
    def parsed(cls, model: NativeModel, gbnf: str) -> NativeGrammar:
        """Raises EngineFailed when llama.cpp does not accept `gbnf`."""
        sampler = lib.llama_sampler_init_grammar(model.vocab, gbnf.encode(), b"root")
        if not sampler:
            raise EngineFailed("llama.cpp does not accept the reply's grammar. Nothing is generated without it.")
        return cls(sampler, model.tokens)

    def legal(self, tokens: NDArray[np.int32]) -> NDArray[np.bool_]:
        entries = self._entries[: len(tokens)]
        entries.view(np.int32)[:, 0] = tokens
        entries[:, 1] = 0.0
        data = ctypes.cast(entries.ctypes.data, lib.llama_token_data_p)
        lib.llama_sampler_apply(self._sampler, ctypes.byref(lib.llama_token_data_array(data, len(tokens), -1, False)))
        legal: NDArray[np.bool_] = entries[:, 1] > -math.inf
        return legal

    def accept(self, token: int) -> None:
        lib.llama_sampler_accept(self._sampler, token)

    def fork(self) -> NativeGrammar:
        return NativeGrammar(lib.llama_sampler_clone(self._sampler), self._vocabulary)

    def close(self) -> None:
        lib.llama_sampler_free(self._sampler)

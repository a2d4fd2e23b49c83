"""A model at work: what it evaluates, what it remembers, and what it thinks comes next."""

from __future__ import annotations

import ctypes
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import llama_cpp.llama_cpp as lib
import numpy as np
from numpy.typing import NDArray

from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import EngineFailed
from aria_desktop.engines.language.native_library import first_complaint, forget_complaints
from aria_desktop.engines.language.native_model import NativeModel
from aria_desktop.engines.language.placement import CacheType

_QUICK = 16
"""Tokens that are evaluated in so short a time that nobody asks in the middle whether to go on."""


@dataclass(frozen=True, slots=True)
class ContextShape:
    tokens: int
    batch: int
    """Tokens evaluated at once at most."""
    threads: int
    sequences: int
    """Beside the one that only holds what is pinned."""
    cache: CacheType = CacheType.BITS_16
    outputs: int = 8
    """Tokens of one evaluation whose logits can be had at most."""
    spare: int = 2048
    """Tokens that have room beside one full sequence: what is pinned need not be forgotten for a long prompt."""
    on_cpu: bool = False
    """All layers. llama.cpp's fused attention, its own choice, takes twice the time there once some thousand
    tokens are remembered."""


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
        params.n_ctx = shape.tokens + shape.spare
        params.n_batch = params.n_ubatch = shape.batch
        params.n_threads = params.n_threads_batch = shape.threads
        params.n_seq_max = shape.sequences + 1
        params.n_outputs_max = shape.outputs
        params.kv_unified = True
        if shape.cache is CacheType.BITS_8:
            params.type_k = params.type_v = lib.GGML_TYPE_Q8_0
            params.flash_attn_type = lib.LLAMA_FLASH_ATTN_TYPE_ENABLED
        elif shape.on_cpu:
            params.flash_attn_type = lib.LLAMA_FLASH_ATTN_TYPE_DISABLED
        forget_complaints()
        self._handle = lib.llama_init_from_model(model.handle, params)
        if not self._handle:
            reason = first_complaint() or "there is not enough memory"
            raise EngineFailed(
                f"llama.cpp can't work with a context of {shape.tokens} tokens: {reason}.",
                "Set language_model.context_tokens lower, or choose a smaller model.",
            )
        self._memory = lib.llama_get_memory(self._handle)
        self._tokens = lib.llama_batch_init(shape.batch, 0, 1)
        self.batch = shape.batch
        """Tokens evaluated at once at most."""
        self._context_tokens = shape.tokens
        self._vocabulary = model.tokens
        self._never_chosen = model.never_chosen()
        self._no_callback = lib.ggml_abort_callback(0)

    def evaluate(
        self, sequence: int, start: int, tokens: Sequence[int], on_trial: int, cancel: CancelToken
    ) -> Evaluation:
        """Evaluate `tokens`, at most a batch, from position `start` on; the logits of the last one and of
        `on_trial` before it are kept."""
        batch = self._tokens
        batch.n_tokens = len(tokens)
        for i, token in enumerate(tokens):
            batch.token[i] = token
            batch.pos[i] = start + i
            batch.n_seq_id[i] = 1
            batch.seq_id[i][0] = sequence
            batch.logits[i] = i >= len(tokens) - 1 - on_trial
        result = self._decode(cancel if len(tokens) > _QUICK else None)
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
            return int(lib.llama_decode(self._handle, self._tokens))
        stop = lib.ggml_abort_callback(lambda _: cancel.cancelled)
        lib.llama_set_abort_callback(self._handle, stop, None)
        try:
            return int(lib.llama_decode(self._handle, self._tokens))
        finally:
            lib.llama_set_abort_callback(self._handle, self._no_callback, None)

    def logits(self, before_end: int = 0) -> NDArray[np.float32]:
        """Behind the token evaluated last but `before_end`, one for each token of the vocabulary. A view: valid
        until the next evaluation."""
        pointer = lib.llama_get_logits_ith(self._handle, -1 - before_end)
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

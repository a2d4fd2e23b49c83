"""llama.cpp's grammars, asked about the tokens that one wants to know about."""

from __future__ import annotations

import ctypes
import math

import llama_cpp.llama_cpp as lib
import numpy as np
from numpy.typing import NDArray

from aria_desktop.core.errors import EngineFailed
from aria_desktop.engines.language.native_model import NativeModel


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

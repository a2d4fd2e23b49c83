"""A GGUF file in memory, its vocabulary included."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import llama_cpp.llama_cpp as lib
import numpy as np
from numpy.typing import NDArray

from aria_desktop.core.errors import EngineFailed, ModelDamaged
from aria_desktop.engines.language.constrained import Alphabet
from aria_desktop.engines.language.native_library import first_complaint, forget_complaints
from aria_desktop.engines.language.placement import CacheType, ModelSize

_NEVER_CHOSEN = 1 | 2 | 8
"""Attributes unknown, unused and control."""


_NUMBERS_IN_8_BITS = 32
"""They are kept in blocks of so many."""


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
        forget_complaints()
        self.handle = lib.llama_model_load_from_file(path.encode(), params)
        if not self.handle:
            raise ModelDamaged(
                f"llama.cpp can't load {path}: {first_complaint() or 'it gives no reason'}.",
                "`aria models verify` tells whether the file is damaged.",
            )
        self.vocab = lib.llama_model_get_vocab(self.handle)
        self.tokens: int = lib.llama_vocab_n_tokens(self.vocab)
        self.trained_context: int = lib.llama_model_n_ctx_train(self.handle)
        self.can_forget = not (lib.llama_model_is_recurrent(self.handle) or lib.llama_model_is_hybrid(self.handle))
        """Its memory can go back to any earlier place."""
        self._pieces: dict[int, bytes] = {}
        self._by_piece: dict[bytes, list[int]] = {}
        if not only_measure:
            for token in range(self.tokens):
                self._by_piece.setdefault(self.piece(token), []).append(token)

    def size(self, context_tokens: int) -> ModelSize:
        layers: int = lib.llama_model_n_layer(self.handle)
        width = lib.llama_model_n_embd(self.handle) // max(1, lib.llama_model_n_head(self.handle))
        per_token = 2 * 2 * width * lib.llama_model_n_head_kv(self.handle)
        types = tuple(CacheType) if width % _NUMBERS_IN_8_BITS == 0 else (CacheType.BITS_16,)
        return ModelSize(layers, lib.llama_model_size(self.handle), layers * per_token * context_tokens, types)

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

    def published_template(self) -> str:
        """The chat template in the file; empty when it has none. It is searched, never run."""
        raw = lib.llama_model_chat_template(self.handle, None)
        return raw.decode("utf-8", "replace") if raw else ""

    def piece(self, token: int) -> bytes:
        if token not in self._pieces:
            buffer = ctypes.create_string_buffer(256)
            size = lib.llama_token_to_piece(self.vocab, token, buffer, len(buffer), 0, False)
            if size < 0:
                buffer = ctypes.create_string_buffer(-size)
                size = lib.llama_token_to_piece(self.vocab, token, buffer, len(buffer), 0, False)
            self._pieces[token] = buffer.raw[:size]
        return self._pieces[token]

    def tokens_of(self, piece: bytes) -> Sequence[int]:
        """The tokens whose bytes are exactly these."""
        return self._by_piece.get(piece, ())

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
        letters = [self.tokens_of(bytes([byte])) for byte in range(256)]
        if not all(letters):
            return None
        row = [*(tokens[0] for tokens in letters), self.end_token()]
        return Alphabet(np.array(row, dtype=np.int32), self._spell)

    def _spell(self, text: str) -> list[int]:
        tokens = self.tokenize(text, marks=False)
        return tokens if b"".join(map(self.piece, tokens)) == text.encode() else []

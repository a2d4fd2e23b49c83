"""A language model that remembers: what was generated once for a prompt is replayed, and costs nothing.

A generation is known by the model's files, the whole prompt, the reply schema and the sampling. At temperature 0 every
repeat of a case is the same generation; above 0 each repeat samples anew, with a seed of its own. A generation that
failed or was cancelled is not kept; one whose reader had enough is kept as far as it was read.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import Message
from aria_desktop.core.errors import EngineFailed
from aria_desktop.core.interfaces import Generation, GenerationEnd, LanguageModel
from aria_desktop.evaluation.reply_files import Generated, ReplyFiles


class CachedLanguageModel:
    """A `LanguageModel` before another one. One generation at a time, from any thread.

    Args:
        folder: of the cache, shared by all models.
        fingerprint: of the model's files and of whatever else decides what it writes.
        load: makes the model ready and says its context in tokens; called once, when the model is first needed.
        told: gets a sentence for each damaged file.
    """

    def __init__(
        self,
        inner: LanguageModel,
        folder: Path,
        fingerprint: str,
        load: Callable[[], int],
        told: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._inner = inner
        self._files = ReplyFiles(folder, fingerprint, told)
        self._load = load
        self._lock = threading.Lock()
        self._taken: list[Generated] = []
        self._context = 0
        self.ready: bool | None = None
        """Whether the model could be loaded; None while nobody needed it."""
        self.repeat = 1
        """Which repeat runs; only sampling above temperature 0 depends on it."""
        self.hits = 0
        self.misses = 0
        self.loading_s = 0.0
        """Spent on making the model ready, so far."""
        self._replaying_s = 0.0

    def take(self) -> tuple[Generated, ...]:
        """All generations since the last call, in order."""
        with self._lock:
            taken, self._taken = self._taken, []
        return tuple(taken)

    @property
    def waiting(self) -> int:
        """How many generations `take` would give."""
        return len(self._taken)

    @property
    def replayed_s(self) -> float:
        """What the replayed generations that `take` would give, and one that is being replayed, took when the model
        made them."""
        return self._replaying_s + sum(made.seconds for made in self._taken if made.cached)

    @property
    def context_tokens(self) -> int:
        """Known without the model once it was loaded; loads it otherwise. Raises like loading does."""
        if not self._context:
            self._context = self._files.context_tokens()
        if not self._context:
            self._get_ready()
            self._files.keep_context_tokens(self._context)
        return self._context

    def warm(self, messages: Sequence[Message]) -> None:
        self._inner.warm(messages)

    def complete(self, generation: Generation, cancel: CancelToken) -> Iterator[str | GenerationEnd]:
        """Like the inner model's. Raises EngineFailed when only the beginning is known and the model goes on
        differently."""
        cancel.raise_if_cancelled()
        if generation.temperature > 0:
            generation = replace(generation, seed=generation.seed + self.repeat - 1)
        known = self._files.find(generation)
        return self._replayed(known, generation, cancel) if known else self._asked(generation, cancel)

    def _replayed(self, known: Generated, generation: Generation, cancel: CancelToken) -> Iterator[str | GenerationEnd]:
        self._replaying_s = known.seconds
        try:
            yield from known.pieces
        except GeneratorExit:
            self._note(replace(known, end=None))
            raise
        finally:
            self._replaying_s = 0.0
        if known.end is not None:
            self._note(known)
            yield known.end
            return
        yield from _after(known.text, self._asked(generation, cancel))

    def _asked(self, generation: Generation, cancel: CancelToken) -> Iterator[str | GenerationEnd]:
        self._get_ready()
        pieces: list[str] = []
        began = time.monotonic()

        def noted(end: GenerationEnd | None) -> None:
            made = Generated(tuple(pieces), end, time.monotonic() - began, cached=False)
            self._note(made)
            self._files.keep(generation, made)

        try:
            for piece in self._inner.complete(generation, cancel):
                if isinstance(piece, GenerationEnd):
                    break
                pieces.append(piece)
                yield piece
            else:
                raise EngineFailed("The language model stopped without an end.", "Ask again.")
        except GeneratorExit:
            noted(None)
            raise
        noted(piece)
        yield piece

    def _get_ready(self) -> None:
        if not self.ready:
            began, self.ready = time.monotonic(), False
            self._context = self._load()
            self.ready = True
            self.loading_s += time.monotonic() - began

    def _note(self, made: Generated) -> None:
        with self._lock:
            self._taken.append(made)
            self.hits += made.cached
            self.misses += not made.cached


def _after(said: str, pieces: Iterator[str | GenerationEnd]) -> Iterator[str | GenerationEnd]:
    """What comes after `said`, with which `pieces` have to begin."""
    whole = ""
    for piece in pieces:
        if isinstance(piece, GenerationEnd):
            yield piece
            continue
        before, whole = len(whole), whole + piece
        if whole[: len(said)] != said[: len(whole)]:
            raise EngineFailed("The model goes on differently from the cached beginning.", "Use a new --cache folder.")
        fresh = piece[max(0, len(said) - before) :]
        if fresh:
            yield fresh

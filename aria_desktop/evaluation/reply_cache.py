"""A language model that remembers: what was generated once for a prompt is replayed, and costs nothing.

A generation is known by the model's files, the whole prompt, the reply schema and the sampling; a temperature above 0
samples anew for every repeat. One file each, complete or not there. A file that can't be read is named and passed over:
the model is asked, and a good file takes its place.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import Message
from aria_desktop.core.errors import EngineFailed
from aria_desktop.core.interfaces import Generation, GenerationEnd, LanguageModel
from aria_desktop.core.plain import from_plain, to_plain, well_formed
from aria_desktop.storage.files import replace_file

_VERSION = 1


@dataclass(frozen=True, slots=True)
class Generated:
    """One generation, as it came from the model or from the cache."""

    pieces: tuple[str, ...]
    end: GenerationEnd | None
    """None when the reader had enough before the end."""
    seconds: float
    """That the model took when it was really asked."""
    cached: bool

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    @property
    def tokens(self) -> int:
        """Generated; counted by pieces when the reader had enough."""
        return self.end.tokens if self.end else len(self.pieces)

    @property
    def evaluated(self) -> int:
        """Prompt tokens that had to be evaluated."""
        return self.end.prompt_tokens - self.end.reused_tokens if self.end else 0


class CachedLanguageModel:
    """A `LanguageModel` before another one. One generation at a time, from any thread.

    Args:
        folder: of this cache; made when something is kept.
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
        self._fingerprint = fingerprint
        self._folder = folder / _hash(fingerprint)[:16]
        self._load = load
        self._told = told
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
    def context_tokens(self) -> int:
        """Known without the model once it was loaded; loads it otherwise. Raises like loading does."""
        about = self._folder / "model.json"
        if not self._context:
            known = self._read(about)
            found = known.get("context_tokens") if known else None
            if isinstance(found, int) and found > 0:
                self._context = found
            else:
                self._get_ready()
                self._write(about, {"context_tokens": self._context})
        return self._context

    def _get_ready(self) -> None:
        if not self.ready:
            began, self.ready = time.monotonic(), False
            self._context = self._load()
            self.ready = True
            self.loading_s += time.monotonic() - began

    def warm(self, messages: Sequence[Message]) -> None:
        self._inner.warm(messages)

    def complete(self, generation: Generation, cancel: CancelToken) -> Iterator[str | GenerationEnd]:
        """Like the inner model's. Raises EngineFailed when only the beginning is known and the model goes on
        differently."""
        cancel.raise_if_cancelled()
        if generation.temperature > 0:
            generation = replace(generation, seed=generation.seed + self.repeat - 1)
        path = self._folder / f"{self._key(generation)}.json"
        known = self._known(path)
        return self._replayed(known, generation, path, cancel) if known else self._asked(generation, path, cancel)

    def _replayed(
        self, known: Generated, generation: Generation, path: Path, cancel: CancelToken
    ) -> Iterator[str | GenerationEnd]:
        try:
            yield from known.pieces
        except GeneratorExit:
            self._note(replace(known, end=None))
            raise
        if known.end is not None:
            self._note(known)
            yield known.end
            return
        yield from _after(known.text, self._asked(generation, path, cancel))

    def _asked(self, generation: Generation, path: Path, cancel: CancelToken) -> Iterator[str | GenerationEnd]:
        self._get_ready()
        pieces: list[str] = []
        began = time.monotonic()

        def noted(end: GenerationEnd | None) -> None:
            made = Generated(tuple(pieces), end, time.monotonic() - began, cached=False)
            self._note(made)
            self._keep(path, made)

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

    def _note(self, made: Generated) -> None:
        with self._lock:
            self._taken.append(made)
            self.hits += made.cached
            self.misses += not made.cached

    def _key(self, generation: Generation) -> str:
        asked = {
            "model": self._fingerprint,
            "messages": [[message.role.value, well_formed(message.text)] for message in generation.messages],
            "schema": _hash(_canonical(generation.reply_schema)),
            "sampling": [generation.max_tokens, generation.temperature, generation.seed, generation.stop],
        }
        return _hash(_canonical(asked))

    def _known(self, path: Path) -> Generated | None:
        found = self._read(path)
        if found is None:
            return None
        try:
            end = None if found["end"] is None else from_plain(GenerationEnd, found["end"])
            pieces, seconds = tuple(map(str, found["pieces"])), float(found["seconds"])
        except (KeyError, TypeError, ValueError):
            self._told(_damaged(path))
            return None
        return Generated(pieces, end, seconds, cached=True)

    def _keep(self, path: Path, made: Generated) -> None:
        end = None if made.end is None else to_plain(made.end)
        pieces = [well_formed(piece) for piece in made.pieces]
        self._write(path, {"pieces": pieces, "end": end, "seconds": round(made.seconds, 4)})

    def _read(self, path: Path) -> Mapping[str, Any] | None:
        """None when there is no such file, or none that can be used."""
        try:
            found = json.loads(path.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValueError):
            found = None
        if not isinstance(found, dict) or found.get("version") != _VERSION:
            self._told(_damaged(path))
            return None
        return found

    def _write(self, path: Path, content: Mapping[str, Any]) -> None:
        replace_file(path, _canonical({"version": _VERSION, **content}).encode("utf-8"))


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


def _damaged(path: Path) -> str:
    return f"The cached reply {path} is damaged and is not used."


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _canonical(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_mapping)


def _mapping(value: object) -> dict[Any, Any]:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a {type(value).__name__} is no JSON")

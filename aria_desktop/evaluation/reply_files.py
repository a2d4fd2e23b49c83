"""Generations on disk, one file each under a hash of all that decides what comes out. A file is complete or not there.

A file that can't be read is named and passed over: the model is asked, and a good file takes its place.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aria_desktop.core.interfaces import Generation, GenerationEnd
from aria_desktop.core.plain import from_plain, to_plain, well_formed
from aria_desktop.storage.files import replace_file

_VERSION = 1


@dataclass(frozen=True, slots=True)
class Generated:
    """One generation, as it came from the model or from the disk."""

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


class ReplyFiles:
    """What one model has generated. Writing raises StorageError and DiskFull.

    Args:
        folder: of all models; made when something is kept.
        fingerprint: of the model's files and of whatever else decides what it writes.
        told: gets a sentence for each damaged file.
    """

    def __init__(self, folder: Path, fingerprint: str, told: Callable[[str], None]) -> None:
        self._fingerprint = fingerprint
        self._folder = folder / _hash(fingerprint)[:16]
        self._told = told

    def find(self, generation: Generation) -> Generated | None:
        path = self._path(generation)
        found = self._read(path)
        if found is None:
            return None
        try:
            end = None if found["end"] is None else from_plain(GenerationEnd, found["end"])
            return Generated(tuple(map(str, found["pieces"])), end, float(found["seconds"]), cached=True)
        except (KeyError, TypeError, ValueError):
            self._told(_damaged(path))
            return None

    def keep(self, generation: Generation, made: Generated) -> None:
        end = None if made.end is None else to_plain(made.end)
        pieces = [well_formed(piece) for piece in made.pieces]
        self._write(self._path(generation), {"pieces": pieces, "end": end, "seconds": round(made.seconds, 4)})

    def context_tokens(self) -> int:
        """0 while it is not known."""
        found = (self._read(self._folder / "model.json") or {}).get("context_tokens")
        return found if isinstance(found, int) and found > 0 else 0

    def keep_context_tokens(self, tokens: int) -> None:
        self._write(self._folder / "model.json", {"context_tokens": tokens})

    def _path(self, generation: Generation) -> Path:
        asked = {
            "model": self._fingerprint,
            "messages": [[message.role.value, well_formed(message.text)] for message in generation.messages],
            # The order of a schema's names is the order in which they are generated.
            "schema": _hash(_json(generation.reply_schema)),
            "sampling": [generation.max_tokens, generation.temperature, generation.seed, generation.stop],
        }
        return self._folder / f"{_hash(_json(asked))}.json"

    def _read(self, path: Path) -> Mapping[str, Any] | None:
        """None when there is no such file, or none that can be used."""
        try:
            found = json.loads(path.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValueError, RecursionError):
            found = None
        if not isinstance(found, dict) or found.get("version") != _VERSION:
            self._told(_damaged(path))
            return None
        return found

    def _write(self, path: Path, content: Mapping[str, Any]) -> None:
        replace_file(path, _json({"version": _VERSION, **content}).encode("utf-8"))


def _damaged(path: Path) -> str:
    return f"The cached reply {path} is damaged and is not used."


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_mapping)


def _mapping(value: object) -> dict[Any, Any]:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a {type(value).__name__} is no JSON")

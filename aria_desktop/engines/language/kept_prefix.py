"""The evaluated start of the prompts on disk, so that a program that starts again need not read it again.

There is one state for each model, context size and library version, the newest. It holds the part of the prompts
that never changes and nothing that anybody said. A state whose hash is not the one written beside it is not given to
native code. Whatever goes wrong here costs time and nothing else: without a state the prompt is evaluated.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Protocol

_STATES = 3
"""Kept in the folder at most; each takes some tens of megabytes."""


class SequenceStates(Protocol):
    def save_sequence(self, path: Path, sequence: int, tokens: Sequence[int]) -> bool: ...

    def load_sequence(self, path: Path, sequence: int) -> list[int]:
        """The tokens it holds; none when the state does not fit."""


def identity(model: Path, context_tokens: int) -> str:
    """Changes with the model's file, the context and the library that made the state."""
    found = model.stat()
    parts = (str(model), found.st_size, found.st_mtime_ns, context_tokens, version("llama-cpp-python"))
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:24]


class KeptPrefix:
    def __init__(self, folder: Path | None, name: str) -> None:
        """`folder`: None keeps nothing. `name`: of the state, see `identity`."""
        self._folder = folder
        self._name = name
        self._kept: list[int] = []

    def restore(self, states: SequenceStates, sequence: int) -> list[int]:
        """Bring the state back into `sequence`, which is empty. Returns its tokens, none when there is no state."""
        if self._folder is None:
            return []
        state, seal = self._files(self._folder)
        with contextlib.suppress(OSError, ValueError):
            if json.loads(seal.read_bytes()) == {"sha256": _sha256(state)}:
                self._kept = states.load_sequence(state, sequence)
        return self._kept

    def save(self, states: SequenceStates, sequence: int, tokens: Sequence[int]) -> None:
        """Keep `sequence`, which holds exactly `tokens`, unless that is what is kept already."""
        if self._folder is None or list(tokens) == self._kept:
            return
        with contextlib.suppress(OSError):
            self._write(self._folder, states, sequence, tokens)
            self._kept = list(tokens)

    def _write(self, folder: Path, states: SequenceStates, sequence: int, tokens: Sequence[int]) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        state, seal = self._files(folder)
        part = state.with_suffix(".part")
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        if not states.save_sequence(part, sequence, tokens):
            part.unlink()
            raise OSError("the state was not written")
        seal.unlink(missing_ok=True)
        sha256 = _sha256(part)
        part.replace(state)
        seal.write_text(json.dumps({"sha256": sha256}), encoding="ascii")
        _forget_old(folder)

    def _files(self, folder: Path) -> tuple[Path, Path]:
        return folder / f"{self._name}.state", folder / f"{self._name}.json"


def _forget_old(folder: Path) -> None:
    newest_first = sorted(folder.glob("*.state"), key=lambda path: path.stat().st_mtime, reverse=True)
    for state in newest_first[_STATES:]:
        state.unlink()
        state.with_suffix(".json").unlink(missing_ok=True)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

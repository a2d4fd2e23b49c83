"""A sentence's sound piece by piece, each as soon as it is made: the first after a fifth of a second of speech.

Each piece is decoded with `CONTEXT` frames on both sides, more than the decoder looks at, so that the pieces put
together are the same sound as the whole made at once. That is not believed but tried when the voice is loaded: one for
which it does not hold is decoded whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime  # type: ignore[import-untyped]
from numpy.typing import NDArray

from aria_desktop.engines.voice.graph import halves

CONTEXT = 12
FIRST_FRAMES = 24
"""About 0.28 s of speech."""
GROWTH = 2
"""Each piece is so many times as long as the one before: the context costs ever less, and each is made while the one
before it is heard."""
MOST_FRAMES = 400
SAME = 1e-3
"""Of full scale, between samples that count as equal."""

Samples = NDArray[np.float32]


class Decoder:
    """For one thread at a time."""

    def __init__(self, file: Path, options: Any, *, in_halves: bool = True) -> None:
        """`options`: of the sessions. Without `in_halves` no piece comes before the whole is made."""
        self._options = options
        found = halves(file.read_bytes()) if in_halves else None
        self._seam = found.seam if found else ""
        self.session = self._session(found.frames if found else str(file))
        """What makes the hidden frames; the whole voice where it can't be cut."""
        self._sound = self._session(found.sound) if found else None
        self.streams = found is not None
        """Whether pieces come before the whole is made."""

    def prove(self, inputs: Mapping[str, Any]) -> None:
        """Find out with a sentence whether pieces are the same as the whole; where they are not, don't make any."""
        if self._sound is None:
            return
        hidden = self.session.run(None, dict(inputs))[0]
        whole = self._decoded(hidden)
        pieces = np.concatenate(list(self._pieces(hidden)))
        self.streams = len(pieces) == len(whole) and bool(np.abs(pieces - whole).max() < SAME)

    def decoded(self, inputs: Mapping[str, Any]) -> Iterator[Samples]:
        """-1 to 1, as the voice makes them."""
        made = self.session.run(None, dict(inputs))[0]
        if self._sound is None:
            yield made.squeeze().reshape(-1)
        elif self.streams:
            yield from self._pieces(made)
        else:
            yield self._decoded(made)

    def _pieces(self, hidden: Samples) -> Iterator[Samples]:
        for start, end in cuts(hidden.shape[2]):
            begin = max(0, start - CONTEXT)
            made = self._decoded(hidden[:, :, begin : end + CONTEXT])
            hop = len(made) // (min(hidden.shape[2], end + CONTEXT) - begin)
            yield made[(start - begin) * hop : (end - begin) * hop]

    def _decoded(self, hidden: Samples) -> Samples:
        assert self._sound is not None
        made: Samples = self._sound.run(None, {self._seam: hidden})[0].squeeze().reshape(-1)
        return made

    def _session(self, model: str | bytes) -> Any:
        return onnxruntime.InferenceSession(model, sess_options=self._options, providers=["CPUExecutionProvider"])


def cuts(frames: int) -> Sequence[tuple[int, int]]:
    """Where a sentence of so many frames is cut: first a little, then ever more. Pure."""
    found, start, length = [], 0, FIRST_FRAMES
    while start < frames:
        # A rest that is shorter than what comes before it is no piece of its own.
        end = frames if frames - start < length * 1.5 else start + length
        found.append((start, end))
        start, length = end, min(length * GROWTH, MOST_FRAMES)
    return found

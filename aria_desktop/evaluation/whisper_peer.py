"""faster-whisper as its users have it, in a process of its own, to be measured beside the program.

Run as `python -m aria_desktop.evaluation.whisper_peer FOLDER THREADS`. Reads one JSON object a line, {"do": one of
`Do`, ...}, and writes one. Everything is the library's default but for what both sides share: the weights in 8 bits,
the number of threads, no graphics card. It detects the language, as the program does.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Do(StrEnum):
    SPEECH = "speech"
    """{"pcm"}: where the library's detector hears speech, as pairs of seconds."""
    TRANSCRIBE = "transcribe"
    """{"pcm", "vad_filter"}: the words, and the seconds they took."""


def main(arguments: list[str]) -> None:
    """Serve until standard input ends. Standard output carries answers alone; what libraries print goes beside it."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    folder, threads = arguments
    model = _model(folder, int(threads))
    print(json.dumps({"ready": True}), file=answers, flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            answer = _done(model, Do(asked["do"]), asked)
        except Exception as error:  # Whatever the library can't do is its answer.
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


def _model(folder: str, threads: int) -> Any:
    from faster_whisper import WhisperModel

    return WhisperModel(folder, device="cpu", compute_type="int8", cpu_threads=threads, local_files_only=True)


def _done(model: Any, what: Do, asked: Mapping[str, Any]) -> Mapping[str, object]:
    samples = _samples(asked["pcm"])
    match what:
        case Do.SPEECH:
            from faster_whisper.vad import get_speech_timestamps

            found = get_speech_timestamps(samples, min_silence_duration_ms=500, speech_pad_ms=0)
            return {"spans": [(part["start"] / 16_000, part["end"] / 16_000) for part in found]}
        case Do.TRANSCRIBE:
            started = time.perf_counter()
            segments, _ = model.transcribe(samples, vad_filter=asked["vad_filter"])
            text = " ".join(segment.text.strip() for segment in segments)
            return {"text": text, "seconds": time.perf_counter() - started}


def _samples(path: str) -> NDArray[np.float32]:
    import numpy as np

    return np.frombuffer(Path(path).read_bytes(), "<i2").astype(np.float32) / np.float32(32768)


if __name__ == "__main__":
    main(sys.argv[1:])

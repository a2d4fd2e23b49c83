"""Whisper models in CTranslate2's format, run by faster-whisper.

Audio comes as samples, models from a local folder: neither is ever a name that the library could look up
elsewhere. Whisper writes text for silence and noise too; so only what a voice activity detector takes for
speech is recognised, and a segment that the model itself doubts is dropped.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import ctranslate2
import numpy as np
import psutil
from faster_whisper import WhisperModel
from faster_whisper.vad import VadOptions, get_speech_timestamps
from numpy.typing import NDArray
from tqdm import tqdm  # type: ignore[import-untyped]

from aria_desktop.core.audio import SPEECH, AudioChunk
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import EngineFailed, ModelDamaged, ModelMissing
from aria_desktop.core.interfaces import Capabilities, RecognitionHints
from aria_desktop.core.transcript import Segment, Word
from aria_desktop.engines.model_files import FETCH, model_folder
from aria_desktop.engines.options import read_options
from aria_desktop.engines.speech.short_window import FULL, Heard, frames_for, is_doubtful, tokens_for
from aria_desktop.safety.models.ctranslate2 import check_ctranslate2
from aria_desktop.safety.models.memory import require_room
from aria_desktop.safety.models.memory_limit import claim
from aria_desktop.safety.models.reading import require_same

_FILES = ("model.bin", "config.json", "tokenizer.json")
"""Without its tokenizer file the library would look for one on a hub."""
_SPEECH = VadOptions(threshold=0.25, min_silence_duration_ms=1000, speech_pad_ms=400)
"""Low enough for whispering; noise in a room stays below 0.2."""
_TEMPERATURES = (0.0, 0.4)
"""The second is for what repeats itself or is very unlikely at the first."""
_NO_SPEECH = 0.6
_UNLIKELY = -1.0
"""Mean log probability of a segment's tokens."""


# The library's progress bar, which is never shown, would start a thread that watches it for good.
tqdm.monitor_interval = 0


@dataclass(frozen=True, slots=True)
class WhisperOptions:
    threads: int = 0
    """0: as many as there are cores for this process."""
    gpu: Literal["auto", "off"] = "auto"
    beam: int = 5
    """Candidates kept while decoding; 1 is greedy."""


_RECORDING = 4 * 3600 * 400_000
"""Bytes that the spectrum of the longest recording takes while it is made."""


def load(model_path: str, options: Mapping[str, str | int | float | bool]) -> FasterWhisper:
    """`model_path`: the folder with the converted model."""
    wanted = read_options(WhisperOptions, "faster-whisper", options)
    folder = model_folder(model_path)
    missing = [name for name in _FILES if not (folder / name).is_file()]
    if missing:
        raise ModelMissing(f"{folder} lacks {', '.join(missing)}.", FETCH)
    checked = check_ctranslate2(folder)
    require_room(folder.name, checked.identity.size, psutil.virtual_memory().total)
    if wanted.gpu == "off" or not ctranslate2.get_cuda_device_count():
        claim(3 * checked.identity.size + _RECORDING)
    model, words = _loaded(folder, wanted)
    require_same(checked.model, checked.identity)
    return FasterWhisper(model, wanted.beam, words)


def _loaded(folder: Path, wanted: WhisperOptions) -> tuple[Whisper, str]:
    reason = "the graphics card is switched off in the settings"
    if wanted.gpu == "auto":
        reason = "no graphics card with CUDA was found"
        if ctranslate2.get_cuda_device_count() > 0:
            try:
                model = Whisper(str(folder), device="cuda", compute_type="float16", local_files_only=True)
                return model, "graphics card, 16-bit: CUDA works here"
            except (RuntimeError, ValueError) as error:
                reason = f"CUDA does not work here ({error})"
    threads = wanted.threads or _cores()
    try:
        model = Whisper(str(folder), device="cpu", compute_type="int8", cpu_threads=threads, local_files_only=True)
    except Exception as error:
        # ctranslate2 and tokenizers raise many kinds for a file that is not what it must be.
        raise ModelDamaged(
            f"faster-whisper can't load {folder}: {error}", "`aria models verify` tells whether a file is damaged."
        ) from error
    return model, f"CPU, 8-bit, {threads} {'thread' if threads == 1 else 'threads'}: {reason}"


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Whisper(WhisperModel):  # type: ignore[misc]
    """Encodes only the first frames of its window."""

    window = FULL

    def encode(self, features: NDArray[np.float32]) -> Any:
        return super().encode(features[..., : self.window])


class FasterWhisper:
    def __init__(self, model: Whisper, beam: int, detail: str) -> None:
        self._model = model
        self._beam = beam
        self.capabilities = Capabilities(detail, languages=tuple(model.supported_languages))
        get_speech_timestamps(np.zeros(16_000, np.float32), _SPEECH)

    def transcribe(self, audio: AudioChunk, hints: RecognitionHints, cancel: CancelToken) -> Iterator[Segment | str]:
        cancel.raise_if_cancelled()
        if hints.language and hints.language not in self.capabilities.languages:
            known = ", ".join(self.capabilities.languages)
            raise EngineFailed(f"The speech model does not know the language {hints.language!r}.", f"It knows {known}.")
        samples = np.frombuffer(audio.pcm, dtype="<i2").astype(np.float32) / 32768.0
        speech_s = _speech_seconds(samples)
        if speech_s == 0:
            yield hints.language
            return
        found = self._in_short(samples, hints, speech_s) if frames_for(speech_s) < FULL else None
        cancel.raise_if_cancelled()
        language, segments = found or self._recognised(samples, hints)
        yield language
        for segment in segments:
            cancel.raise_if_cancelled()
            if segment.text.strip() and not _is_invented(segment):
                yield _segment(segment)

    def _in_short(
        self, samples: NDArray[np.float32], hints: RecognitionHints, speech_s: float
    ) -> tuple[str, list[Any]] | None:
        """All at once; None when it has to be done with the whole window."""
        self._model.window = frames_for(speech_s)
        try:
            language, segments = self._recognised(samples, hints, max_new_tokens=tokens_for(speech_s))
            whole = list(segments)
        finally:
            self._model.window = FULL
        heard = [Heard(segment.text, segment.avg_logprob, segment.compression_ratio) for segment in whole]
        return None if is_doubtful(heard, speech_s) else (language, whole)

    def _recognised(
        self, samples: NDArray[np.float32], hints: RecognitionHints, max_new_tokens: int | None = None
    ) -> tuple[str, Iterable[Any]]:
        """The language, and segments that are made while they are read."""
        segments, info = self._model.transcribe(
            samples,
            language=hints.language or None,
            hotwords=", ".join(hints.phrases) or None,
            beam_size=self._beam,
            temperature=_TEMPERATURES,
            condition_on_previous_text=False,
            no_speech_threshold=_NO_SPEECH,
            log_prob_threshold=_UNLIKELY,
            word_timestamps=True,
            vad_filter=True,
            vad_parameters=_SPEECH,
            max_new_tokens=max_new_tokens,
        )
        return str(info.language), segments


def _speech_seconds(samples: NDArray[np.float32]) -> float:
    if not len(samples):
        return 0.0
    return float(sum(part["end"] - part["start"] for part in get_speech_timestamps(samples, _SPEECH)) / SPEECH.rate)


def _is_invented(segment: Any) -> bool:
    """Text that the model writes where nobody speaks."""
    return bool(segment.no_speech_prob > _NO_SPEECH and segment.avg_logprob < _UNLIKELY / 2)


def _segment(segment: Any) -> Segment:
    words = tuple(
        Word(word.word.strip(), float(word.start), float(word.end), min(1.0, max(0.0, float(word.probability))))
        for word in segment.words or ()
        if word.word.strip()
    )
    return Segment(segment.text.strip(), float(segment.start), float(segment.end), words)

"""Voices in Piper's format: an ONNX file and its description beside it.

Text comes from a language model and from files, so it is made speakable first (see `speakable`): what
phonemizers read as commands is taken out, and it is cut into pieces that are each spoken in a moment. The sound of a
piece comes as it is made (see `streaming`), so that the first of it comes soon and a cancel is obeyed soon.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime  # type: ignore[import-untyped]
import psutil
from piper import PiperVoice
from piper.config import PhonemeType, PiperConfig

from aria_desktop.core.audio import AudioChunk, AudioFormat
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import EngineFailed, ModelDamaged
from aria_desktop.core.interfaces import Capabilities, Voice
from aria_desktop.engines.model_files import model_file
from aria_desktop.engines.options import read_options
from aria_desktop.engines.voice.speakable import pieces
from aria_desktop.engines.voice.streaming import Decoder, Samples
from aria_desktop.safety.models.memory import require_room
from aria_desktop.safety.models.memory_limit import claim
from aria_desktop.safety.models.reading import require_same
from aria_desktop.safety.models.voice import check_voice

_SPEEDS = (0.25, 4.0)
_PHONEMES = (PhonemeType.ESPEAK, PhonemeType.TEXT)
"""What Piper can pronounce with what it brings along."""

LOUD = 0.8
"""Of full scale: how loud the loudest sample of an ordinary sentence is made."""
_SILENT = 1e-3
_FIRST_WORDS = "This is said once, to warm up and to hear how loud the voice is."


@dataclass(frozen=True, slots=True)
class PiperOptions:
    speed: float = 1.0
    """2 speaks twice as fast."""
    steady: bool = False
    """Say the same text the same way every time, sample for sample: without the chance that a voice owes its
    liveliness to, and that slurs a word now and then."""
    whole: bool = False
    """Make each sentence whole before any of it is heard."""


def load(model_path: str, options: Mapping[str, str | int | float | bool]) -> Piper:
    """`model_path`: the ONNX file or the folder it lies in."""
    wanted = read_options(PiperOptions, "piper", options)
    if not _SPEEDS[0] <= wanted.speed <= _SPEEDS[1]:
        raise EngineFailed(
            f"A voice can't speak at {wanted.speed} times its speed.", f"Set {_SPEEDS[0]} to {_SPEEDS[1]}."
        )
    file = model_file(model_path, ".onnx")
    checked = check_voice(file)
    require_room(file.name, checked.identity.size, psutil.virtual_memory().total)
    claim(3 * checked.identity.size)
    try:
        voice, decoder = _loaded(file, whole=wanted.whole)
    except Exception as error:
        # onnxruntime and piper raise many kinds for a file that is not what it must be.
        raise ModelDamaged(
            f"Piper can't load {file}: {error}", "`aria models verify` tells whether the file is damaged."
        ) from error
    require_same(checked.model, checked.identity)
    if voice.config.phoneme_type not in _PHONEMES:
        raise EngineFailed(
            f"{file.name} needs a dictionary that Piper would fetch from the internet.", "Choose another voice."
        )
    engine = Piper(voice, decoder, wanted.speed, steady=wanted.steady)
    engine.warm()
    return engine


def _loaded(file: Path, *, whole: bool) -> tuple[PiperVoice, Decoder]:
    description = json.loads(Path(f"{file}.json").read_text("utf-8"))
    settings = onnxruntime.SessionOptions()
    # The arena would keep the memory of the longest piece for good, some hundred megabytes.
    settings.enable_cpu_mem_arena = False
    # Threads that wait by turning in circles take the processor from the model whose words are to be spoken.
    settings.add_session_config_entry("session.intra_op.allow_spinning", "0")
    decoder = Decoder(file, settings, in_halves=not whole)
    return PiperVoice(session=decoder.session, config=PiperConfig.from_dict(description)), decoder


class Piper:
    def __init__(self, voice: PiperVoice, decoder: Decoder, speed: float, *, steady: bool) -> None:
        self._voice = voice
        self._decoder = decoder
        config = voice.config
        length = config.length_scale / speed
        self._scales = (0.0 if steady else config.noise_scale, length, 0.0 if steady else config.noise_w_scale)
        self._format = AudioFormat(config.sample_rate)
        self._gain = 1.0
        language = config.espeak_voice.partition("-")[0]
        self.capabilities = Capabilities(
            f"CPU: Piper needs no graphics card; {self._format.rate} Hz", voice=Voice(self._format, language)
        )

    def warm(self) -> None:
        """The first sentence costs several times as much as later ones; this is it. It also tells how loud the voice
        is: all that it says later is made louder by the same factor, so that a short word stays a quiet one."""
        inputs = next(self._inputs(_FIRST_WORDS, (0.0, self._voice.config.length_scale, 0.0)))
        self._decoder.prove(inputs)
        peak = max(float(np.abs(piece).max()) for piece in self._decoder.decoded(inputs))
        self._gain = LOUD / peak if peak > _SILENT else 1.0

    def synthesize(self, text: str, cancel: CancelToken) -> Iterator[AudioChunk]:
        for piece in pieces(text):
            cancel.raise_if_cancelled()
            for inputs in self._inputs(piece, self._scales):
                for samples in self._decoder.decoded(inputs):
                    cancel.raise_if_cancelled()
                    if len(samples):
                        yield AudioChunk(self._format, _to_int16(limited(samples * self._gain)))

    def _inputs(self, text: str, scales: tuple[float, float, float]) -> Iterator[Mapping[str, Any]]:
        """What the voice is given for each sentence in `text`."""
        config = self._voice.config
        for phonemes in self._voice.phonemize(text):
            if not phonemes:
                continue
            ids = np.array([self._voice.phonemes_to_ids(phonemes)], dtype=np.int64)
            lengths = np.array([ids.shape[1]], dtype=np.int64)
            inputs = {"input": ids, "input_lengths": lengths, "scales": np.array(scales, dtype=np.float32)}
            if config.num_speakers > 1:
                inputs["sid"] = np.array([config.default_speaker_id], dtype=np.int64)
            yield inputs


def limited(samples: Samples) -> Samples:
    """What is louder than `LOUD` is bent towards full scale instead of being cut off at it. Pure."""
    size = np.abs(samples)
    bent = LOUD + (1.0 - LOUD) * np.tanh((size - LOUD) / (1.0 - LOUD))
    return np.where(size > LOUD, np.sign(samples) * bent, samples)


def _to_int16(samples: Samples) -> bytes:
    return bytes((samples * 32767.0).round().astype("<i2"))

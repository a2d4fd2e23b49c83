"""Voices in Piper's format: an ONNX file and its description beside it.

Text comes from a language model and from files, so it is made speakable first (see `speakable`): what
phonemizers read as commands is taken out, and it is cut into pieces that are each spoken in a moment, so that
the first sound comes soon and a cancel is obeyed soon.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import onnxruntime  # type: ignore[import-untyped]
import psutil
from piper import PiperVoice, SynthesisConfig
from piper.config import PhonemeType, PiperConfig

from aria_desktop.core.audio import AudioChunk, AudioFormat
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import EngineFailed, ModelDamaged
from aria_desktop.core.interfaces import Capabilities, Voice
from aria_desktop.engines.model_files import model_file
from aria_desktop.engines.options import read_options
from aria_desktop.engines.voice.speakable import pieces
from aria_desktop.safety.models.memory import require_room
from aria_desktop.safety.models.memory_limit import claim
from aria_desktop.safety.models.reading import require_same
from aria_desktop.safety.models.voice import check_voice

_SPEEDS = (0.25, 4.0)
_PHONEMES = (PhonemeType.ESPEAK, PhonemeType.TEXT)
"""What Piper can pronounce with what it brings along."""


@dataclass(frozen=True, slots=True)
class PiperOptions:
    speed: float = 1.0
    """2 speaks twice as fast."""
    steady: bool = False
    """Say the same text the same way every time, sample for sample: without the chance that a voice owes its
    liveliness to, and that slurs a word now and then."""


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
        voice = _loaded(file)
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
    engine = Piper(voice, wanted.speed, steady=wanted.steady)
    engine.warm()
    return engine


def _loaded(file: Path) -> PiperVoice:
    description = json.loads(Path(f"{file}.json").read_text("utf-8"))
    settings = onnxruntime.SessionOptions()
    # The arena would keep the memory of the longest piece for good, some hundred megabytes.
    settings.enable_cpu_mem_arena = False
    session = onnxruntime.InferenceSession(str(file), sess_options=settings, providers=["CPUExecutionProvider"])
    return PiperVoice(session=session, config=PiperConfig.from_dict(description))


class Piper:
    def __init__(self, voice: PiperVoice, speed: float, *, steady: bool) -> None:
        self._voice = voice
        chance = 0.0 if steady else None
        length = voice.config.length_scale / speed
        self._settings = SynthesisConfig(length_scale=length, noise_scale=chance, noise_w_scale=chance)
        self._format = AudioFormat(voice.config.sample_rate)
        language = voice.config.espeak_voice.partition("-")[0]
        self.capabilities = Capabilities(
            f"CPU: Piper needs no graphics card; {self._format.rate} Hz", voice=Voice(self._format, language)
        )

    def warm(self) -> None:
        """The first sentence costs several times as much as later ones; this is it."""
        for _ in self.synthesize("Ready.", CancelToken()):
            pass

    def synthesize(self, text: str, cancel: CancelToken) -> Iterator[AudioChunk]:
        for piece in pieces(text):
            cancel.raise_if_cancelled()
            for chunk in self._voice.synthesize(piece, self._settings):
                cancel.raise_if_cancelled()
                if chunk.audio_int16_bytes:
                    yield AudioChunk(self._format, chunk.audio_int16_bytes)

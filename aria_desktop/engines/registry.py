"""Engine name -> factory, one table per role. A factory's module, and with it a model library, is imported
when it is used: a process carries the one engine it was started for.

A factory is called with the model's absolute path and the engine's options and returns a loaded engine. It
raises ModelMissing, ModelDamaged or EngineFailed, with a text for people.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from aria_desktop.core.audio import AudioChunk
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import Message
from aria_desktop.core.errors import EngineFailed
from aria_desktop.core.interfaces import Capabilities, Generation, GenerationEnd, Recognised, RecognitionHints

Options = Mapping[str, str | int | float | bool]


class SpeechEngine(Protocol):
    """A loaded `core.interfaces.SpeechToText`."""

    @property
    def capabilities(self) -> Capabilities: ...

    def transcribe(self, audio: AudioChunk, hints: RecognitionHints, cancel: CancelToken) -> Iterator[Recognised]: ...


class LanguageEngine(Protocol):
    """A loaded `core.interfaces.LanguageModel`."""

    @property
    def capabilities(self) -> Capabilities: ...

    def complete(self, generation: Generation, cancel: CancelToken) -> Iterator[str | GenerationEnd]: ...

    def prefill(self, messages: Sequence[Message], cancel: CancelToken) -> None:
        """Evaluate the start that coming prompts share; blocks. Raises Cancelled; what was evaluated is kept."""


class VoiceEngine(Protocol):
    """A loaded `core.interfaces.TextToSpeech`."""

    @property
    def capabilities(self) -> Capabilities: ...

    def synthesize(self, text: str, cancel: CancelToken) -> Iterator[AudioChunk]: ...


SPEECH = {
    "faster-whisper": "aria_desktop.engines.speech.faster_whisper:load",
    "scripted": "aria_desktop.testing.scripted:load_speech",
}
LANGUAGE = {
    "llama.cpp": "aria_desktop.engines.language.llama_cpp:load",
    "scripted": "aria_desktop.testing.scripted:load_language",
}
VOICE = {
    "piper": "aria_desktop.engines.voice.piper:load",
    "scripted": "aria_desktop.testing.scripted:load_voice",
}


def load_speech(name: str, model_path: str, options: Options) -> SpeechEngine:
    engine: SpeechEngine = _load(SPEECH, name, model_path, options)
    return engine


def load_language(name: str, model_path: str, options: Options) -> LanguageEngine:
    engine: LanguageEngine = _load(LANGUAGE, name, model_path, options)
    return engine


def load_voice(name: str, model_path: str, options: Options) -> VoiceEngine:
    engine: VoiceEngine = _load(VOICE, name, model_path, options)
    return engine


def _load(factories: Mapping[str, str], name: str, model_path: str, options: Options) -> Any:
    if name not in factories:
        raise EngineFailed(f"There is no engine {name!r} for this role.", f"There are: {', '.join(factories)}.")
    module, _, function = factories[name].partition(":")
    try:
        factory = getattr(importlib.import_module(module), function)
    except ImportError as error:
        raise EngineFailed(
            f"The engine {name!r} can't be used: {error}.", "Install the program's packages again (`make setup`)."
        ) from error
    return factory(model_path, options)

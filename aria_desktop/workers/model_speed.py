"""How fast a model is on this machine: a short piece of its real work, in a process of its own that ends with it.

The model that is in use goes on; what it does meanwhile makes the other one slower.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from aria_desktop.audio.resampling import Resampler
from aria_desktop.catalog.catalog import ModelEntry
from aria_desktop.catalog.model_list import ENGINES
from aria_desktop.core.audio import SPEECH, AudioChunk, joined
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import Message, Role
from aria_desktop.core.errors import EngineFailed
from aria_desktop.core.events import EngineRole
from aria_desktop.core.interfaces import (
    Generation,
    GenerationEnd,
    RecognitionHints,
    SpeechToText,
    TextToSpeech,
)
from aria_desktop.workers.engines import Engines
from aria_desktop.workers.host import WorkerHost
from aria_desktop.workers.remote import RemoteLanguageModel, RemoteSpeechToText, RemoteTextToSpeech

TOKENS = 48
_SAID = "The quick brown fox jumps over the lazy dog, and then it sleeps in the sun until the evening."
_ASKED = "Tell me about the sea in a few sentences."


def measure(engines: Engines, entry: ModelEntry, cancel: CancelToken) -> float:
    """See `core.models.MeasuredSpeed`. Raises AriaError for a model that is not here, damaged or too big; Cancelled."""
    measures: dict[EngineRole, Callable[[WorkerHost], float]] = {
        EngineRole.LANGUAGE: lambda host: tokens_per_s(RemoteLanguageModel(host), cancel),
        EngineRole.VOICE: lambda host: spoken_per_s(RemoteTextToSpeech(host), cancel),
        EngineRole.SPEECH: lambda host: heard_per_s(RemoteSpeechToText(host), engines.voice, cancel),
    }
    with _own_process(engines, entry) as host:
        host.loaded(cancel)
        return measures[entry.role](host)


@contextmanager
def _own_process(engines: Engines, entry: ModelEntry) -> Iterator[WorkerHost]:
    name = f"{ENGINES[entry.role]}:{entry.id}"
    host = WorkerHost(entry.role, lambda: engines.spec_of(entry.role, name), lambda _state, _detail: None)
    try:
        yield host
    finally:
        host.close()


def tokens_per_s(model: RemoteLanguageModel, cancel: CancelToken) -> float:
    """Without the time until the first one."""
    generation = Generation((Message(Role.USER, _ASKED),), max_tokens=TOKENS)
    ends = [part for part in model.complete(generation, cancel) if isinstance(part, GenerationEnd)]
    end = ends[-1]
    seconds = end.seconds - end.seconds_to_first
    if end.tokens < 2 or seconds <= 0:
        raise EngineFailed("The model wrote too little to be measured.", "Try again.")
    return (end.tokens - 1) / seconds


def spoken_per_s(voice: TextToSpeech, cancel: CancelToken) -> float:
    """The second time: the first one warms the graph up."""
    _spoken(voice, cancel)
    began = time.monotonic()
    return _spoken(voice, cancel).seconds / (time.monotonic() - began)


def heard_per_s(ear: SpeechToText, voice: TextToSpeech, cancel: CancelToken) -> float:
    """Of a sentence that the voice in use speaks; the second time."""
    sound = _spoken(voice, cancel)
    resampler = Resampler(sound.format, SPEECH)
    speech = AudioChunk(SPEECH, resampler.push(sound.pcm) + resampler.end())
    _heard(ear, speech, cancel)
    began = time.monotonic()
    _heard(ear, speech, cancel)
    return speech.seconds / (time.monotonic() - began)


def _spoken(voice: TextToSpeech, cancel: CancelToken) -> AudioChunk:
    return joined(list(voice.synthesize(_SAID, cancel)))


def _heard(ear: SpeechToText, speech: AudioChunk, cancel: CancelToken) -> None:
    for _ in ear.transcribe(speech, RecognitionHints(), cancel):
        continue

"""Engines in other processes, seen as the protocols of `core.interfaces`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from aria_desktop.core.audio import SPEECH, AudioChunk
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import Message
from aria_desktop.core.interfaces import Generation, GenerationEnd, Recognised, RecognitionHints
from aria_desktop.workers.host import WorkerHost
from aria_desktop.workers.messages import (
    Complete,
    HearingEnd,
    LanguageFound,
    SegmentHeard,
    SpeechChunk,
    Synthesize,
    TextEnd,
    TextPiece,
    Transcribe,
    Warm,
)


class RemoteSpeechToText:
    def __init__(self, host: WorkerHost) -> None:
        self._host = host

    def prepare(self) -> None:
        """Load the engine in the background."""
        self._host.start()

    def transcribe(self, audio: AudioChunk, hints: RecognitionHints, cancel: CancelToken) -> Iterator[Recognised]:
        if audio.format != SPEECH:
            raise ValueError(f"the recogniser takes {SPEECH}, not {audio.format}")
        for part in self._host.run(lambda job: Transcribe(job, hints, audio.pcm), cancel):
            match part:
                case LanguageFound(_, language):
                    yield language
                case SegmentHeard(_, segment):
                    yield segment
                case HearingEnd(_, end):
                    yield end


class RemoteLanguageModel:
    def __init__(self, host: WorkerHost) -> None:
        self._host = host

    def prepare(self) -> None:
        """Load the engine in the background."""
        self._host.start()

    def complete(self, generation: Generation, cancel: CancelToken) -> Iterator[str | GenerationEnd]:
        clean = replace(generation, messages=_clean(generation.messages))
        for part in self._host.run(lambda job: Complete(job, clean), cancel):
            match part:
                case TextPiece(_, text):
                    yield text
                case TextEnd(_, end):
                    yield end

    def warm(self, messages: Sequence[Message]) -> None:
        clean = _clean(messages)
        self._host.run_behind(lambda job: Warm(job, clean))

    @property
    def context_tokens(self) -> int:
        capabilities = self._host.capabilities
        return capabilities.context_tokens if capabilities else 0


class RemoteTextToSpeech:
    def __init__(self, host: WorkerHost) -> None:
        self._host = host

    def prepare(self) -> None:
        """Load the engine in the background."""
        self._host.start()

    def language(self, cancel: CancelToken) -> str:
        """ISO 639-1 code of what the voice speaks, as soon as it is loaded. Raises like `synthesize`."""
        voice = self._host.loaded(cancel).voice
        return voice.language if voice is not None else ""

    def synthesize(self, text: str, cancel: CancelToken) -> Iterator[AudioChunk]:
        for part in self._host.run(lambda job: Synthesize(job, _encodable(text)), cancel):
            if isinstance(part, SpeechChunk):
                yield AudioChunk(part.format, part.pcm)


def _clean(messages: Sequence[Message]) -> tuple[Message, ...]:
    return tuple(Message(message.role, _encodable(message.text)) for message in messages)


def _encodable(text: str) -> str:
    """Half surrogate pairs, which file names and foreign data may hold, become question marks: no model has them."""
    return text.encode("utf-8", "replace").decode("utf-8")

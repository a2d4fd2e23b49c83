"""Who recognises in a benchmark: the program's engine in its process, and plain faster-whisper in another."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from aria_desktop.core.audio import AudioChunk
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import EngineFailed
from aria_desktop.core.events import EngineRole
from aria_desktop.core.interfaces import RecognitionHints
from aria_desktop.core.transcript import RecognitionEnd, Segment
from aria_desktop.evaluation.line_process import LineProcess
from aria_desktop.evaluation.whisper_peer import Do
from aria_desktop.workers.host import LoadSpec, WorkerHost
from aria_desktop.workers.remote import RemoteSpeechToText

_NAME = "faster-whisper"


class OurEars:
    """Runs while it is entered."""

    def __init__(self, spec: LoadSpec, hints: RecognitionHints = RecognitionHints()) -> None:  # noqa: B008 (a frozen value)
        self._host = WorkerHost(EngineRole.SPEECH, spec, lambda _state, _detail: None)
        self._speech = RemoteSpeechToText(self._host)
        self._hints = hints

    def __enter__(self) -> Self:
        self._host.loaded(CancelToken())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._host.close()

    def transcribed(self, sound: AudioChunk) -> Mapping[str, Any]:
        """The words, the seconds they took, and the work that was done for them."""
        started = time.perf_counter()
        parts = list(self._speech.transcribe(sound, self._hints, CancelToken()))
        seconds = time.perf_counter() - started
        segments = [part for part in parts if isinstance(part, Segment)]
        (end,) = (part for part in parts if isinstance(part, RecognitionEnd))
        return {
            "text": " ".join(segment.text for segment in segments),
            "seconds": seconds,
            "words": [(word.text, round(word.probability, 3)) for segment in segments for word in segment.words],
            "passes": end.passes,
            "encoder_frames": end.encoder_frames,
            "tokens": end.tokens,
            "nothing": end.nothing.value,
        }


class WhisperPeer:
    """Runs while it is entered, and sleeps while nothing is asked."""

    def __init__(self, spec: LoadSpec) -> None:
        threads = str(spec.options["threads"])
        self._process = LineProcess(_NAME, "aria_desktop.evaluation.whisper_peer", spec.model_path, threads)

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory(prefix="aria-stt-")
        try:
            self._process.__enter__()
        except BaseException:
            self._folder.cleanup()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.__exit__(kind, error, trace)
        self._folder.cleanup()

    def speech(self, sound: AudioChunk) -> Sequence[tuple[float, float]]:
        """Where the library's own detector hears speech, in seconds."""
        return [(start, end) for start, end in self._ask(Do.SPEECH, sound)["spans"]]

    def transcribed(self, sound: AudioChunk, *, vad_filter: bool = False) -> Mapping[str, Any]:
        """The words, and the seconds they took."""
        return self._ask(Do.TRANSCRIBE, sound, vad_filter=vad_filter)

    def _ask(self, what: Do, sound: AudioChunk, **more: object) -> Mapping[str, Any]:
        path = Path(self._folder.name) / "sound.pcm"
        path.write_bytes(sound.pcm)
        answer = self._process.ask(json.dumps({"do": what, "pcm": str(path), **more}))
        if "error" in answer:
            raise EngineFailed(f"{_NAME} can't do this: {answer['error']}.")
        return answer

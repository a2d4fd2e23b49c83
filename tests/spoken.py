"""Speech made by the real voice and understood by the real recogniser, for tests that speak and listen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from aria_desktop.audio.wav import write_wav
from aria_desktop.core.audio import AudioChunk, joined
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.events import EngineRole
from aria_desktop.core.interfaces import RecognitionHints
from aria_desktop.core.transcript import Segment
from aria_desktop.workers.host import LoadSpec, WorkerHost
from aria_desktop.workers.remote import RemoteSpeechToText, RemoteTextToSpeech


@contextmanager
def _host(role: EngineRole, engine: str, path: Path, **options: bool) -> Iterator[WorkerHost]:
    host = WorkerHost(role, LoadSpec(engine, str(path), options), lambda _state, _detail: None)
    try:
        yield host
    finally:
        host.close()


def speak_into(path: Path, words: str, models: Path) -> Path:
    """The starter voice says `words` into a WAV file, with half a second of silence on both sides. The same words
    sound the same every time: left to chance, the voice slurs "eggs and" in one of six."""
    with _host(EngineRole.VOICE, "piper", models / "en_US-joe-medium" / "en_US-joe-medium.onnx", steady=True) as host:
        speech = joined(list(RemoteTextToSpeech(host).synthesize(words, CancelToken())))
    silence = bytes(speech.format.frames_in(0.5) * speech.format.frame_bytes)
    write_wav(path, AudioChunk(speech.format, silence + speech.pcm + silence))
    return path


def words_in(sound: AudioChunk, models: Path) -> list[str]:
    """What the starter recogniser hears, as plain lower-case words."""
    with _host(EngineRole.SPEECH, "faster-whisper", models / "faster-whisper-base") as host:
        heard = list(RemoteSpeechToText(host).transcribe(sound, RecognitionHints("en"), CancelToken()))
    return plain_words(" ".join(part.text for part in heard if isinstance(part, Segment)))


def plain_words(text: str) -> list[str]:
    """Lower-case words and numbers; "dot" and a point inside a name are the same word, and so are "t x t" and txt."""
    spelled = re.sub(r"(?<=\w)\.(?=\w)", " dot ", text.lower())
    together = re.sub(r"\b[a-z](?:[ -][a-z])+\b", lambda found: re.sub(r"\W", "", found[0]), spelled)
    return re.findall(r"[a-z0-9']+", together)


def share_found(wanted: list[str], heard: list[str]) -> float:
    """Which part of the wanted words was heard at all, 0 to 1."""
    left = list(heard)
    found = 0
    for word in wanted:
        if word in left:
            left.remove(word)
            found += 1
    return found / len(wanted)

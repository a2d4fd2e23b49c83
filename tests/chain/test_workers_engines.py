"""The three real engines in their processes: killed, cancelled, unloaded; nothing of them in this process."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
from soxr import resample

from aria_desktop.audio.files import read_audio
from aria_desktop.core.audio import SPEECH, AudioChunk, joined
from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.chat import Message, Role
from aria_desktop.core.errors import EngineDied
from aria_desktop.core.events import EngineRole, EngineState
from aria_desktop.core.interfaces import Generation, GenerationEnd, RecognitionHints
from aria_desktop.core.transcript import Segment
from aria_desktop.workers.host import LoadSpec, WorkerHost
from aria_desktop.workers.remote import RemoteLanguageModel, RemoteSpeechToText, RemoteTextToSpeech
from tests.conftest import REPOSITORY

PATIENCE = 60.0
ENGINES = {
    EngineRole.SPEECH: ("faster-whisper", "faster-whisper-tiny.en"),
    EngineRole.LANGUAGE: ("llama.cpp", "qwen2.5-coder-0.5b-instruct"),
    EngineRole.VOICE: ("piper", "en_US-joe-medium"),
}
COUNT = Generation((Message(Role.USER, "Count from one to five hundred, in words."),), max_tokens=400)


class Stage:
    def __init__(self, role: EngineRole, models: Path, unload_after_s: float) -> None:
        engine, model = ENGINES[role]
        self.changes: queue.Queue[tuple[EngineState, str]] = queue.Queue()
        self.host = WorkerHost(
            role,
            LoadSpec(engine, str(models / model)),
            lambda state, detail: self.changes.put((state, detail)),
            unload_after_s,
        )

    def becomes(self, state: EngineState) -> str:
        while True:
            seen, detail = self.changes.get(timeout=PATIENCE)
            if seen is state:
                return detail

    def process(self) -> psutil.Process:
        self.host.loaded(CancelToken())
        assert self.host.pid is not None
        return psutil.Process(self.host.pid)


@contextmanager
def stage(role: EngineRole, models: Path, unload_after_s: float = 0.0) -> Iterator[Stage]:
    made = Stage(role, models, unload_after_s)
    try:
        yield made
    finally:
        made.host.close()


@pytest.fixture(scope="module")
def speech() -> AudioChunk:
    clip = read_audio(REPOSITORY / "tests" / "data" / "read" / "jfk_inaugural_en.flac", CancelToken())
    return joined([clip] * 6)


def jobs(host: WorkerHost, speech: AudioChunk) -> dict[EngineRole, Callable[[CancelToken], Iterator[Any]]]:
    """A job for each role that goes on for long and yields something soon."""
    return {
        EngineRole.SPEECH: lambda cancel: RemoteSpeechToText(host).transcribe(speech, RecognitionHints(), cancel),
        EngineRole.LANGUAGE: lambda cancel: RemoteLanguageModel(host).complete(COUNT, cancel),
        EngineRole.VOICE: lambda cancel: RemoteTextToSpeech(host).synthesize("This is a sentence. " * 500, cancel),
    }


@pytest.mark.parametrize("role", EngineRole)
def test_killed_in_the_middle_and_the_next_job_works(role: EngineRole, models_dir: Path, speech: AudioChunk) -> None:
    with stage(role, models_dir) as s:
        job = jobs(s.host, speech)[role]
        answers = job(CancelToken())
        next(answers)
        victim = s.process()
        victim.kill()
        with pytest.raises(EngineDied, match="SIGKILL"):
            list(answers)
        assert not victim.is_running()
        again = job(CancelToken())
        assert next(again) is not None
        assert s.process().pid != victim.pid


@pytest.mark.parametrize("role", EngineRole)
def test_cancelled_in_the_middle_and_the_same_process_goes_on(
    role: EngineRole, models_dir: Path, speech: AudioChunk
) -> None:
    with stage(role, models_dir) as s:
        before = s.process().pid
        cancel = CancelToken()
        answers = jobs(s.host, speech)[role](cancel)
        next(answers)
        cancel.cancel()
        with pytest.raises(Cancelled):
            next(answers)
        assert next(jobs(s.host, speech)[role](CancelToken())) is not None
        assert s.process().pid == before


def test_a_long_prefill_is_cancelled_and_what_it_did_is_not_done_again(models_dir: Path) -> None:
    long = Generation((Message(Role.USER, "Say yes. " + "alpha beta gamma " * 300),), max_tokens=2)
    with stage(EngineRole.LANGUAGE, models_dir) as s:
        model = RemoteLanguageModel(s.host)
        before = s.process().pid
        model.warm(long.messages)
        *_, end = model.complete(long, CancelToken())
        assert isinstance(end, GenerationEnd)
        assert end.prompt_tokens > 900
        *_, again = model.complete(long, CancelToken())
        assert isinstance(again, GenerationEnd)
        assert again.reused_tokens == again.prompt_tokens - 1
        assert s.process().pid == before


def test_an_unloaded_model_gives_its_memory_back(models_dir: Path) -> None:
    with stage(EngineRole.LANGUAGE, models_dir, unload_after_s=0.5) as s:
        process = s.process()
        assert process.memory_info().rss > 400e6
        s.becomes(EngineState.OFF)
        assert not process.is_running()
        assert RemoteLanguageModel(s.host).context_tokens == 0
        *_, end = RemoteLanguageModel(s.host).complete(Generation(COUNT.messages, max_tokens=3), CancelToken())
        assert isinstance(end, GenerationEnd)
        assert end.tokens == 3


def test_what_is_spoken_is_heard(models_dir: Path) -> None:
    with stage(EngineRole.VOICE, models_dir) as s:
        chunks = list(RemoteTextToSpeech(s.host).synthesize("The weather in London is good.", CancelToken()))
        rate = chunks[0].format.rate
    samples = np.frombuffer(joined(chunks).pcm, dtype=np.int16)
    sound = AudioChunk(SPEECH, resample(samples, rate, SPEECH.rate).astype(np.int16).tobytes())
    with stage(EngineRole.SPEECH, models_dir) as s:
        language, *segments = RemoteSpeechToText(s.host).transcribe(sound, RecognitionHints(), CancelToken())
    assert language == "en"
    text = " ".join(segment.text for segment in segments if isinstance(segment, Segment)).lower()
    assert {"weather", "london", "good."} <= set(text.split())

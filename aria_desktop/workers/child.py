"""Runs in the child process: loads one engine and carries out jobs until the program is gone.

Standard output carries frames and nothing else, so it is moved away before any engine is imported and what
native libraries print goes to standard error. The process has no life of its own: when its standard input
ends, it ends in the same moment, in the middle of whatever it does. It can open no socket of any kind: its pipes are
open when it starts, and the door is shut before the first message is read.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO, NoReturn

from aria_desktop.core.audio import SPEECH, AudioChunk
from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.errors import AriaError, EngineFailed, EngineOutOfMemory
from aria_desktop.core.events import EngineRole
from aria_desktop.core.interfaces import Capabilities, GenerationEnd
from aria_desktop.core.seal import Door
from aria_desktop.core.transcript import RecognitionEnd, Segment
from aria_desktop.engines import registry
from aria_desktop.safety import airgap
from aria_desktop.safety.models import memory_limit
from aria_desktop.workers import messages
from aria_desktop.workers.messages import Message, from_wire, to_wire
from aria_desktop.workers.wire import WireError, encode, read_frame

SURROUNDINGS = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    # From 1.29 on onnxruntime reports to its maker on Linux too, as soon as it is loaded, unless this stands here.
    "ORT_DISABLE_TELEMETRY": "1",
    "TOKENIZERS_PARALLELISM": "false",
    # A failed assertion in llama.cpp would start a debugger to print its stack.
    "GGML_NO_BACKTRACE": "1",
    # Threads that wait for each other sleep instead of turning in circles: beside any other busy program, a core
    # that turns in circles is one that the slower thread doesn't get.
    "OMP_WAIT_POLICY": "PASSIVE",
}
"""Environment of the engines, set before any of them is imported: no library asks a hub for anything."""
OUT_OF_MEMORY = "Try it with a shorter text or recording, or choose a smaller model."
_PROTOCOL_BROKEN = 70
_PR_SET_PDEATHSIG = 1

Answer = Callable[[Message, CancelToken], Iterator[Message]]
"""Carries out one job with the engine that was loaded."""


def serve(role: str) -> int:
    """The whole life of the process. Returns only when the engine can't be loaded."""
    source, sink = _take_pipes()
    os.environ.update(SURROUNDINGS)
    _die_with_parent()
    _shut_door()
    memory_limit.confine()
    return _Worker(EngineRole(role), source, sink).work()


def _take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Standard input and output for frames alone; in their places stand nothing and standard error."""
    source = os.fdopen(os.dup(0), "rb")
    sink = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return source, sink


def _die_with_parent() -> None:
    """On Linux, have the kernel kill us with the thread that started us: native code may hold up the thread
    that watches standard input."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _shut_door() -> None:
    """Raises SealFailed: then there is no engine. Where the system knows no such door, there is one without."""
    with contextlib.suppress(airgap.SealUnsupported):
        airgap.close(Door.SHUT)


class _Worker:
    def __init__(self, role: EngineRole, source: BinaryIO, sink: BinaryIO) -> None:
        self._role = role
        self._source = source
        self._sink = sink
        self._inbox: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._tokens: dict[int, CancelToken] = {}
        """Of jobs that came and have not ended; made by the reading thread, dropped by the working one."""

    def work(self) -> int:
        threading.Thread(target=self._read, name="frames", daemon=True).start()
        load = self._inbox.get()
        if not isinstance(load, messages.Load):
            _break_off(f"the first message was {type(load).__name__}, not Load")
        loaded = self._load(load)
        if loaded is None:
            return 0
        capabilities, answer = loaded
        self._send(messages.Greeting(capabilities))
        while True:
            self._carry_out(answer, self._inbox.get())

    def _read(self) -> None:
        try:
            while frame := read_frame(self._source):
                message = from_wire(frame)
                if isinstance(message, messages.Cancel):
                    if token := self._tokens.get(message.job):
                        token.cancel()
                    continue
                if job := getattr(message, "job", None):
                    self._tokens[job] = CancelToken()
                self._inbox.put(message)
        except WireError as error:
            _break_off(str(error))
        os._exit(0)

    def _load(self, load: messages.Load) -> tuple[Capabilities, Answer] | None:
        try:
            return _load_engine(self._role, load)
        except AriaError as error:
            self._send(messages.LoadFailed(error.code, error.text, error.hint))
        except Exception as error:
            told = _unexpected(load.engine, error)
            self._send(messages.LoadFailed(told.code, told.text, told.hint))
        return None

    def _carry_out(self, answer: Answer, job: Message) -> None:
        number: int = getattr(job, "job", 0)
        final: Message
        try:
            cancel = self._tokens[number]
            for part in answer(job, cancel):
                cancel.raise_if_cancelled()
                self._send(part)
            final = messages.Done(number)
        except Cancelled:
            final = messages.Stopped(number)
        except AriaError as error:
            final = messages.Failed(number, error.code, error.text, error.hint)
        except Exception as error:
            told = _unexpected(str(self._role), error)
            final = messages.Failed(number, told.code, told.text, told.hint)
        self._tokens.pop(number, None)
        self._send(final)

    def _send(self, message: Message) -> None:
        try:
            self._sink.write(encode(to_wire(message)))
            self._sink.flush()
        except OSError:
            os._exit(0)


def _load_engine(role: EngineRole, load: messages.Load) -> tuple[Capabilities, Answer]:
    if not Path(load.model_path).is_absolute():
        raise EngineFailed(f"The model path {load.model_path!r} is not absolute.")
    arguments = (load.engine, load.model_path, load.options)
    match role:
        case EngineRole.SPEECH:
            recogniser = registry.load_speech(*arguments)
            return recogniser.capabilities, partial(_hear, recogniser)
        case EngineRole.LANGUAGE:
            model = registry.load_language(*arguments)
            return model.capabilities, partial(_write, model)
        case EngineRole.VOICE:
            voice = registry.load_voice(*arguments)
            return voice.capabilities, partial(_speak, voice)


def _hear(engine: registry.SpeechEngine, job: Message, cancel: CancelToken) -> Iterator[Message]:
    match job:
        case messages.Transcribe(number, hints, pcm):
            for heard in engine.transcribe(AudioChunk(SPEECH, pcm), hints, cancel):
                match heard:
                    case str():
                        yield messages.LanguageFound(number, heard)
                    case Segment():
                        yield messages.SegmentHeard(number, heard)
                    case RecognitionEnd():
                        yield messages.HearingEnd(number, heard)
        case _:
            raise _wrong_job(job)


def _write(engine: registry.LanguageEngine, job: Message, cancel: CancelToken) -> Iterator[Message]:
    match job:
        case messages.Complete(number, generation):
            for piece in engine.complete(generation, cancel):
                if isinstance(piece, GenerationEnd):
                    yield messages.TextEnd(number, piece)
                else:
                    yield messages.TextPiece(number, piece)
        case messages.Warm(_, prompt):
            engine.prefill(prompt, cancel)
        case _:
            raise _wrong_job(job)


def _speak(engine: registry.VoiceEngine, job: Message, cancel: CancelToken) -> Iterator[Message]:
    match job:
        case messages.Synthesize(number, text):
            for chunk in engine.synthesize(text, cancel):
                yield messages.SpeechChunk(number, chunk.format, chunk.pcm)
        case _:
            raise _wrong_job(job)


def _wrong_job(job: Message) -> EngineFailed:
    return EngineFailed(f"An engine of this role knows no {type(job).__name__}.")


def _unexpected(what: str, error: Exception) -> AriaError:
    """What comes of an error that no engine has named. It is written down for the log."""
    traceback.print_exception(error)
    if isinstance(error, MemoryError) or memory_limit.ran_out(str(error)):
        limit = memory_limit.limit()
        most = f"the {limit / 10**9:.1f} GB that its model is reckoned to need" if limit else "what this machine has"
        return EngineOutOfMemory(f"The engine {what} asked for more memory than {most}.", OUT_OF_MEMORY)
    return EngineFailed(f"The engine {what} failed: {type(error).__name__}: {error}")


def _break_off(reason: str) -> NoReturn:
    print(f"worker: {reason}", file=sys.stderr, flush=True)
    os._exit(_PROTOCOL_BROKEN)

"""Engines that follow a script, for the three roles, and an approver that does.

In one process they are built from steps and stand for the protocols of `core.interfaces`. As the engine
`scripted` they are loaded by a worker's child process from a script file (see `testing.script`). They record
what they were asked, complain about calls that the script does not have and, when asked, about steps that
were not used.
"""

from __future__ import annotations

import os
import re
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest
from aria_desktop.core.audio import AudioChunk, AudioFormat
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import Message
from aria_desktop.core.interfaces import Capabilities, Generation, GenerationEnd, Recognised, RecognitionHints, Voice
from aria_desktop.core.transcript import Nothing, RecognitionEnd, Segment, Word
from aria_desktop.testing.script import Ending, Script, ScriptFile, Step
from aria_desktop.testing.sounds import silence, tone

VOICE_FORMAT = AudioFormat(22_050)
_SECONDS_PER_LETTER = 0.06
_DETAIL = "a script, no model"
_REPLY_WORDS = 4
"""Prompt tokens are counted as words; these stand for what a template adds to each message."""


class ScriptedSpeechToText:
    def __init__(self, script: Script | Sequence[Step | str]) -> None:
        """Each step is one transcript; each of its pieces one segment, spread evenly over the audio."""
        self.script = script if isinstance(script, Script) else Script(script)
        self.heard: list[tuple[AudioChunk, RecognitionHints]] = []
        self.capabilities = Capabilities(_DETAIL, languages=("en", "es"))

    def transcribe(self, audio: AudioChunk, hints: RecognitionHints, cancel: CancelToken) -> Iterator[Recognised]:
        cancel.raise_if_cancelled()
        self.heard.append((audio, hints))
        step = self.script.take("", {"call": "transcribe", "seconds": audio.seconds, "language": hints.language})
        pieces = [piece for piece in step.pieces if piece]
        yield (hints.language or step.language) if pieces else ""
        length = audio.seconds / max(1, len(pieces))
        for number, text in enumerate(pieces):
            _wait(step.delay_s, cancel)
            yield _segment(text, number * length, length)
        self.script.end(step, cancel)
        yield RecognitionEnd(Nothing.NONE if pieces else Nothing.UNCLEAR, audio.seconds if pieces else 0.0, passes=1)


class ScriptedLanguageModel:
    def __init__(self, script: Script | Sequence[Step | str], context_tokens: int = 4096) -> None:
        """Each step is one reply."""
        self.script = script if isinstance(script, Script) else Script(script)
        self.asked: list[Generation] = []
        self.warmed: list[tuple[Message, ...]] = []
        self.capabilities = Capabilities(_DETAIL, context_tokens=context_tokens)

    @property
    def context_tokens(self) -> int:
        return self.capabilities.context_tokens

    def warm(self, messages: Sequence[Message]) -> None:
        self.warmed.append(tuple(messages))

    def prefill(self, messages: Sequence[Message], cancel: CancelToken) -> None:
        cancel.raise_if_cancelled()
        self.warm(messages)

    def complete(self, generation: Generation, cancel: CancelToken) -> Iterator[str | GenerationEnd]:
        cancel.raise_if_cancelled()
        self.asked.append(generation)
        said = [message.text for message in generation.messages]
        step = self.script.take("\n".join(said), {"call": "complete", "messages": said})
        for piece in step.pieces:
            _wait(step.delay_s, cancel)
            yield piece
        self.script.end(step, cancel)
        words = sum(len(text.split()) + _REPLY_WORDS for text in said)
        count = len(step.pieces)
        yield GenerationEnd(True, words, 0, count, count, 0, step.delay_s, step.delay_s * count)


class ScriptedTextToSpeech:
    def __init__(
        self,
        script: Script | Sequence[Step | str] | None = None,
        sound: Callable[[float, AudioFormat], AudioChunk] = tone,
    ) -> None:
        """Makes `sound`, a chunk for each sentence, as long as it would take to say. Without a script any text
        is spoken; with one, a step's only piece is what the next text must be."""
        self.script = script if isinstance(script, Script) or script is None else Script(script)
        self.spoken: list[str] = []
        self._sound = sound
        self.capabilities = Capabilities(_DETAIL, voice=Voice(VOICE_FORMAT, "en"))

    def synthesize(self, text: str, cancel: CancelToken) -> Iterator[AudioChunk]:
        cancel.raise_if_cancelled()
        self.spoken.append(text)
        step = self.script.take(text, {"call": "synthesize", "text": text}) if self.script else Step()
        expected = step.pieces[0] if step.pieces else text
        assert text == expected, f"to be spoken was {text!r}, the script has {expected!r}"
        for sentence in re.split(r"(?<=[.!?])\s+", text):
            letters = sum(map(str.isalnum, sentence))
            if letters:
                _wait(step.delay_s, cancel)
                yield self._sound(letters * _SECONDS_PER_LETTER, VOICE_FORMAT)
        if self.script:
            self.script.end(step, cancel)


class ScriptedApprover:
    def __init__(self, decisions: Sequence[bool | Ending] = (), otherwise: bool | None = None) -> None:
        """
        Args:
            decisions: the answers in order; `Ending.HANG`: no answer until the question is cancelled.
            otherwise: the answer to every further question; None: there must be none.
        """
        self._decisions = list(decisions)
        self._otherwise = otherwise
        self._lock = threading.Lock()
        self.requests: list[ApprovalRequest] = []

    def ask(self, request: ApprovalRequest, cancel: CancelToken) -> ApprovalDecision:
        with self._lock:
            self.requests.append(request)
            decision = self._decisions.pop(0) if self._decisions else self._otherwise
        if decision is None:
            raise AssertionError(f"the script has no answer to {request.question!r}")
        if not isinstance(decision, bool):
            while not cancel.wait(60):
                continue
        cancel.raise_if_cancelled()
        return ApprovalDecision(decision is True, "scripted approver")

    def assert_used_up(self) -> None:
        assert not self._decisions, f"{len(self._decisions)} answers were never asked for"


def load_speech(model_path: str, options: Mapping[str, object]) -> ScriptedSpeechToText:
    del options
    file = _started(model_path, "speech")
    return ScriptedSpeechToText(_rest_of(file, "transcribe"))


def load_language(model_path: str, options: Mapping[str, object]) -> ScriptedLanguageModel:
    file = _started(model_path, "language")
    context = options.get("context_tokens")
    return ScriptedLanguageModel(_rest_of(file, "complete"), context if isinstance(context, int) else 4096)


def load_voice(model_path: str, options: Mapping[str, object]) -> ScriptedTextToSpeech:
    del options
    file = _started(model_path, "voice")
    match file.read().get("voice", "tone"):
        case "tone":
            return ScriptedTextToSpeech()
        case "silence":
            return ScriptedTextToSpeech(sound=silence)
        case _:
            return ScriptedTextToSpeech(_rest_of(file, "synthesize"))


def _started(path: str, role: str) -> ScriptFile:
    """Note that an engine starts and do what the script has for this start."""
    file = ScriptFile(Path(path), role)
    endings = file.read().get("load", [])
    starts = len(file.noted("load"))
    file.note({"call": "load"})
    if starts < len(endings):
        Script((), crash=_die).end(Step(then=Ending(endings[starts])), CancelToken())
    return file


def _rest_of(file: ScriptFile, kind: str) -> Script:
    """The steps that no engine before this one has done."""
    return Script(file.steps(), used=len(file.noted(kind)), note=file.note, crash=_die)


def _die() -> NoReturn:
    os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
    raise AssertionError("cannot happen: the process was killed")


def _wait(seconds: float, cancel: CancelToken) -> None:
    if seconds > 0:
        cancel.wait(seconds)
    cancel.raise_if_cancelled()


def _segment(text: str, start: float, seconds: float) -> Segment:
    spoken = text.split()
    each = seconds / max(1, len(spoken))
    words = tuple(Word(word, start + i * each, start + (i + 1) * each, 1.0) for i, word in enumerate(spoken))
    return Segment(text, start, start + seconds, words)

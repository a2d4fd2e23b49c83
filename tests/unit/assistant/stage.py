"""A session on a stage: everything around it is scripted, its store is real, and every event is written down.

Doubles complain about what they were not told to expect, and about what was never used.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TypeVar

from aria_desktop.assistant.agent import AgentResult, AgentTask
from aria_desktop.assistant.earlier import Earlier
from aria_desktop.assistant.parts import SessionParts
from aria_desktop.assistant.retelling import Retelling
from aria_desktop.assistant.session import Session
from aria_desktop.core.audio import SPEECH, AudioChunk
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.earlier import EarlierSummary
from aria_desktop.core.errors import AriaError, AudioUnreadable, MicrophoneMissing, SpeakerMissing
from aria_desktop.core.events import AnswerGiven, AnswerPiece, Event, TurnEnded
from aria_desktop.core.interfaces import Approver
from aria_desktop.core.records import TurnRecord
from aria_desktop.core.requests import Request
from aria_desktop.safety.paths import Workspace
from aria_desktop.storage.archive import Archive
from aria_desktop.storage.conversations import Conversations
from aria_desktop.storage.database import Database
from aria_desktop.storage.lock import DatabaseLock
from aria_desktop.storage.transcripts import Transcripts
from aria_desktop.testing.script import Step
from aria_desktop.testing.scripted import ScriptedLanguageModel, ScriptedSpeechToText, ScriptedTextToSpeech
from aria_desktop.testing.sounds import silence, tone
from aria_desktop.tools.memory import MemoryFacts
from aria_desktop.tools.prompts import PromptFiles
from tests.conftest import REPOSITORY

PROMPTS = PromptFiles.read(REPOSITORY / "resources" / "prompts")
WAIT_S = 60.0
"""Longer than anything here takes; only a failing test waits for it."""

Found = TypeVar("Found", bound=Event)
Events = Generator[Event, None, AgentResult]
Behaviour = Callable[[AgentTask, Approver, CancelToken], Events]


def answering(text: str, *, pieces: Sequence[str] = ()) -> Behaviour:
    """An agent's turn that only answers."""

    def run(task: AgentTask, _approver: Approver, _cancel: CancelToken) -> Events:
        for piece in pieces:
            yield AnswerPiece(task.turn_id, piece)
        yield AnswerGiven(task.turn_id, text)
        return AgentResult(TurnOutcome.ANSWERED, text, ())

    return run


class ScriptedAgent:
    def __init__(self, behaviours: Sequence[Behaviour]) -> None:
        self._behaviours = list(behaviours)
        self.tasks: list[AgentTask] = []

    def run(self, task: AgentTask, approver: Approver, cancel: CancelToken) -> Events:
        assert self._behaviours, f"unexpected turn: {task.words!r}"
        self.tasks.append(task)
        return self._behaviours.pop(0)(task, approver, cancel)

    def assert_used_up(self) -> None:
        assert not self._behaviours, f"{len(self._behaviours)} turns never happened"


class EventLog:
    """All events in order; can be waited on."""

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._changed = threading.Condition()

    def __call__(self, event: Event) -> None:
        with self._changed:
            self._events.append(event)
            self._changed.notify_all()

    @property
    def all(self) -> list[Event]:
        with self._changed:
            return list(self._events)

    def of(self, kind: type[Found]) -> list[Found]:
        return [event for event in self.all if isinstance(event, kind)]

    def wait(self, kind: type[Found], number: int = 1, **fields: Any) -> Found:
        """The `number`-th event of that kind with those fields, as soon as it is there."""

        def found() -> list[Found]:
            return [
                event
                for event in self._events
                if isinstance(event, kind) and all(getattr(event, name) == value for name, value in fields.items())
            ]

        with self._changed:
            there = self._changed.wait_for(lambda: len(found()) >= number, WAIT_S)
            assert there, f"no {kind.__name__} {fields} number {number} in {self._events}"
            return found()[number - 1]


class FakeMicrophone:
    """Delivers what the test feeds, as fast as it is taken; from `idle` on, silence, faster than a real one."""

    name = "fake microphone"
    lost = 0

    def __init__(self) -> None:
        self._chunks: SimpleQueue[AudioChunk | AriaError | None] = SimpleQueue()
        self.closed = threading.Event()
        self._idle = threading.Event()

    def idle(self) -> None:
        self._idle.set()
        self.feed(quiet(0.02))

    def feed(self, *chunks: AudioChunk) -> None:
        for chunk in chunks:
            self._chunks.put(chunk)

    def unplug(self) -> None:
        self._chunks.put(MicrophoneMissing("The fake microphone is gone.", "Plug it in."))

    def __iter__(self) -> Iterator[AudioChunk]:
        while (chunk := self._chunks.get()) is not None:
            if isinstance(chunk, AriaError):
                raise chunk
            yield chunk
            while self._idle.is_set() and not self.closed.wait(0.002):
                yield quiet(0.02)

    def close(self) -> None:
        self.closed.set()
        self._chunks.put(None)


class FakeSpeaker:
    """Takes speech at once, or holds it like a real device until it is let go or silenced."""

    name = "fake speaker"

    def __init__(self, *, holding: bool = False, broken: bool = False) -> None:
        self.played: list[AudioChunk] = []
        self.stopped = threading.Event()
        self._heard_by: FakeMicrophone | None = None
        self._go_on = threading.Event()
        self._broken = broken
        if not holding:
            self._go_on.set()

    def let_go(self) -> None:
        self._go_on.set()

    def heard_by(self, microphone: FakeMicrophone) -> None:
        """What is played from now on reaches that microphone too, in the form that microphones have."""
        self._heard_by = microphone

    def play(self, chunk: AudioChunk) -> None:
        if self._broken:
            raise SpeakerMissing("The fake speaker is gone.", "Plug it in.")
        if not self.stopped.is_set():
            self.played.append(chunk)
            if self._heard_by is not None:
                self._heard_by.feed(speech(chunk.seconds))

    def finish(self) -> float:
        assert self._go_on.wait(WAIT_S)
        return 0.0 if self.stopped.is_set() else sum(chunk.seconds for chunk in self.played)

    def stop_now(self) -> float:
        self.stopped.set()
        self._go_on.set()
        return 0.5


class LoudnessDetector:
    """Everything but zeros is speech."""

    frame_samples = 320

    def speech_probability(self, frame: bytes) -> float:
        assert len(frame) == 640
        return 1.0 if any(frame) else 0.0

    def reset(self) -> None:
        pass


class WrittenDownStore(Conversations):
    """The real store; what it is told is written into the same log as the events."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.transcripts = Transcripts(database)
        self.told: list[tuple[str, object]] = []
        self.fails_on: type[Event] | None = None
        self.turn_ended = threading.Event()
        self.summaries: SimpleQueue[EarlierSummary] = SimpleQueue()

    def begin_turn(self, *arguments: Any, **named: Any) -> None:
        super().begin_turn(*arguments, **named)
        self.told.append(("begun", arguments[3]))

    def keep_summary(self, session_id: str, summary: EarlierSummary) -> None:
        super().keep_summary(session_id, summary)
        self.summaries.put(summary)

    def record(self, event: Event) -> None:
        if self.fails_on is not None and isinstance(event, self.fails_on):
            raise AriaError("The disk is full.", "Make room.")
        super().record(event)
        self.told.append(("stored", event))
        if isinstance(event, TurnEnded):
            self.turn_ended.set()


@dataclass
class Stage:
    folder: Path
    store: WrittenDownStore
    agent: ScriptedAgent = field(default_factory=lambda: ScriptedAgent(()))
    speech: ScriptedSpeechToText = field(default_factory=lambda: ScriptedSpeechToText(()))
    language: ScriptedLanguageModel = field(default_factory=lambda: ScriptedLanguageModel(()))
    voice: ScriptedTextToSpeech = field(default_factory=ScriptedTextToSpeech)
    microphone: FakeMicrophone = field(default_factory=FakeMicrophone)
    speaker: FakeSpeaker = field(default_factory=FakeSpeaker)
    facts: MemoryFacts = field(default_factory=MemoryFacts)
    files: dict[str, AudioChunk] = field(default_factory=dict)
    log: EventLog = field(default_factory=EventLog)
    engines_closed: int = 0
    unsubscribe: Callable[[], None] = lambda: None
    """Leaves the running session without any front end."""

    def parts(self, **changes: Any) -> SessionParts:
        parts = SessionParts(
            speech=self.speech,
            voice=self.voice,
            agent=self.agent,
            store=self.store,
            archive=Archive(self.store._database),
            facts=self.facts,
            make_vad=LoudnessDetector,
            open_microphone=lambda: self.microphone,
            microphones=lambda: (),
            open_speaker=lambda: self.speaker,
            read_audio=self._read_audio,
            stream_audio=self._stream_audio,
            identify_audio=self._identify_audio,
            transcripts=self.store.transcripts,
            earlier=Earlier(self.store, self.language, PROMPTS),
            retell=Retelling(self.language, PROMPTS, 200),
            open_workspace=lambda path: Workspace(Path(path) if path else self.folder),
            close_engines=self._close_engines,
        )
        return replace(parts, **changes)

    def will(self, *behaviours: Behaviour) -> None:
        """What the agent does in the coming turns."""
        self.agent = ScriptedAgent(behaviours)

    def will_hear(self, *steps: Step | str) -> None:
        self.speech = ScriptedSpeechToText(steps)

    @contextmanager
    def session(self, **changes: Any) -> Iterator[Session]:
        session = Session(self.parts(**changes))
        self.unsubscribe = session.subscribe(self._write_down)
        try:
            yield session
        finally:
            session.close()
            self.unsubscribe()
        self.agent.assert_used_up()
        self.speech.script.assert_used_up()
        self.language.script.assert_used_up()

    def ended(self, request_id: str = "r1") -> TurnEnded:
        return self.log.wait(TurnEnded, request_id=request_id)

    def wait_in_store(self) -> TurnRecord:
        """The only turn there is, as soon as its end is stored; for a session that nobody listens to."""
        assert self.store.turn_ended.wait(WAIT_S)
        (record,) = self.store.sessions()
        (turn,) = self.store.turns(record.session_id)
        return turn

    def _write_down(self, event: Event) -> None:
        self.store.told.append(("told", event))
        self.log(event)

    def _read_audio(self, path: str, cancel: CancelToken) -> AudioChunk:
        cancel.raise_if_cancelled()
        if path not in self.files:
            raise AudioUnreadable(f"{path} can't be read.", "Copy it again.")
        return self.files[path]

    def _stream_audio(
        self, path: str, cancel: CancelToken, on_progress: Callable[[float, float | None], None]
    ) -> Iterator[bytes]:
        whole = self._read_audio(path, cancel)
        step = SPEECH.frames_in(0.5) * SPEECH.frame_bytes
        for at in range(0, len(whole.pcm), step):
            cancel.raise_if_cancelled()
            on_progress(min(at + step, len(whole.pcm)) / 32_000, whole.seconds)
            yield whole.pcm[at : at + step]

    def _identify_audio(self, path: str) -> str:
        return str(hash(self._read_audio(path, CancelToken()).pcm))

    def _close_engines(self) -> None:
        self.engines_closed += 1


def speech(seconds: float) -> AudioChunk:
    return tone(seconds, SPEECH)


def quiet(seconds: float) -> AudioChunk:
    return silence(seconds, SPEECH)


def submit_all(session: Session, requests: Sequence[Request]) -> None:
    for request in requests:
        session.submit(request)


@contextmanager
def open_store(folder: Path) -> Iterator[WrittenDownStore]:
    with (
        DatabaseLock.take(folder / "aria.lock", "test") as lock,
        Database.open(folder / "aria.db", lock) as database,
    ):
        yield WrittenDownStore(database)

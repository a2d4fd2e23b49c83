"""The protocols between the parts. Whoever implements one says nothing of it; mypy checks at the seams."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest
from aria_desktop.core.audio import AudioChunk, AudioFormat
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import Message, ToolChoice
from aria_desktop.core.events import Event
from aria_desktop.core.history import Place, SearchResult
from aria_desktop.core.records import AuditRecord, Fact, RunRecord, SessionRecord, Source, TurnRecord
from aria_desktop.core.requests import Request
from aria_desktop.core.transcript import RecognitionEnd, Segment


class Assistant(Protocol):
    """What a front end holds: requests in, events out. All methods may be called from any thread."""

    def submit(self, request: Request) -> None:
        """Returns at once."""

    def subscribe(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        """Call `listener` for every event, in order, on the assistant's own threads; it must not block.

        Returns a function that ends the subscription.
        """

    def close(self) -> None:
        """Stop what runs, close devices, end the engines' processes. Blocks until done; later calls do nothing."""


class VoiceActivityDetector(Protocol):
    @property
    def frame_samples(self) -> int:
        """Samples of 16 kHz mono audio that `speech_probability` wants."""

    def speech_probability(self, frame: bytes) -> float:
        """0 to 1. `frame` is exactly `frame_samples` samples, 16-bit."""

    def reset(self) -> None:
        """Forget the past; call between recordings."""


@dataclass(frozen=True, slots=True)
class RecognitionHints:
    language: str = ""
    """ISO 639-1 code; empty: recognise it."""
    phrases: tuple[str, ...] = ()
    """Names and words that are likely."""


Recognised = str | Segment | RecognitionEnd
"""What a recognition yields."""


class SpeechToText(Protocol):
    def transcribe(self, audio: AudioChunk, hints: RecognitionHints, cancel: CancelToken) -> Iterator[Recognised]:
        """`audio` has the format `core.audio.SPEECH`. First yields the language's code as a str, then segments
        as they are ready, in order, then exactly one RecognitionEnd. No segment when there is no speech.

        Raises Cancelled within 300 ms of `cancel`, EngineDied, EngineFailed, ModelMissing.
        """


@dataclass(frozen=True, slots=True)
class Generation:
    """What is asked of a language model."""

    messages: tuple[Message, ...]
    reply_schema: Mapping[str, object] | None = None
    """A JSON schema the reply must satisfy, exactly as `assistant.reply` makes it; None: free text."""
    max_tokens: int = 512
    temperature: float = 0.0
    """0 takes the likeliest token each time."""
    seed: int = 0
    stop: tuple[str, ...] = ()
    """Free text ends before any of these."""
    stable_messages: int = 0
    """So many of the first messages are the same in every prompt, also after a restart, and hold nothing that
    anybody said: an engine may keep what it made of them on disk."""


@dataclass(frozen=True, slots=True)
class GenerationEnd:
    """The last thing a generation yields."""

    complete: bool
    """False when the token limit cut it off."""
    prompt_tokens: int
    reused_tokens: int
    """Prompt tokens found in the cache."""
    tokens: int
    decode_steps: int
    """Calls of the model for generated tokens."""
    grammar_checks: int
    """Full-vocabulary grammar passes."""
    seconds_to_first: float
    seconds: float
    tool_choices: tuple[ToolChoice, ...] = ()
    """One for each call of the reply, in order; or the one that chose to answer."""
    answer_probability: float = 0.0
    """Of an answer instead of the calls that came, where both were legal."""
    stable_tokens: int = 0
    """Prompt tokens of the messages that never change; with a cache that works, `reused_tokens` is no less."""


class LanguageModel(Protocol):
    def complete(self, generation: Generation, cancel: CancelToken) -> Iterator[str | GenerationEnd]:
        """Yields pieces of text as they are made, then exactly one GenerationEnd.

        Raises Cancelled within 300 ms of `cancel`, EngineDied, EngineFailed (the schema gives no usable grammar,
        the prompt does not fit), ModelMissing. Closing the iterator stops the generation.
        """

    def warm(self, messages: Sequence[Message]) -> None:
        """Evaluate the unchanging start of coming prompts now. Returns at once; never raises."""

    @property
    def context_tokens(self) -> int:
        """Prompt and reply together; 0 while the model is not loaded."""


class TextToSpeech(Protocol):
    def synthesize(self, text: str, cancel: CancelToken) -> Iterator[AudioChunk]:
        """Yields speech piece by piece, at least once per sentence; nothing when there is nothing to say.

        Raises Cancelled within 300 ms of `cancel`, EngineDied, EngineFailed, ModelMissing.
        """


class AudioSource(Protocol):
    @property
    def name(self) -> str:
        """The device as people know it."""

    @property
    def lost(self) -> int:
        """Stretches of sound that are missing in what was delivered."""

    def __iter__(self) -> Iterator[AudioChunk]:
        """Chunks of 16 kHz mono as they are recorded; ends after `close`. Raises MicrophoneMissing when the
        device goes away."""

    def close(self) -> None:
        """From any thread, any number of times."""


class AudioSink(Protocol):
    @property
    def name(self) -> str:
        """The device as people know it, or the file's path."""

    def play(self, chunk: AudioChunk) -> None:
        """Blocks no longer than the chunk lasts. Chunks of one reply have one format."""

    def finish(self) -> float:
        """Wait until all is heard; returns the seconds that were played since the last `finish` or `stop_now`."""

    def stop_now(self) -> float:
        """Silence at once, from any thread; returns like `finish`."""


class Approver(Protocol):
    def ask(self, request: ApprovalRequest, cancel: CancelToken) -> ApprovalDecision:
        """Blocks the turn's thread until there is an answer. Every odd ending is a refusal; raises Cancelled."""


class ConversationStore(Protocol):
    """What is kept of conversations. Any thread.

    What a call stores survives a kill when it returns, and a power cut some milliseconds later; before a change that
    was asked about begins, all that came before it does.
    """

    def new_session(self) -> str: ...

    def has_session(self, session_id: str) -> bool: ...

    def begin_turn(self, session_id: str, turn_id: str, source: Source, words: str, workspace: str) -> None: ...

    def record(self, event: Event) -> None:
        """Store what an event of a turn says; events that hold nothing to keep are passed over."""

    def turns(self, session_id: str, last: int | None = None) -> tuple[TurnRecord, ...]: ...

    def sessions(self) -> tuple[SessionRecord, ...]: ...

    def run(self, turn_id: str) -> RunRecord | None:
        """How a turn went; None when there is none of that id."""

    def delete_session(self, session_id: str) -> bool:
        """False when there is none of that id."""

    def waiting(self, session_id: str = "") -> tuple[WaitingTurn, ...]:
        """Turns with a question that was never answered; of all sessions when `session_id` is empty."""

    def audited(self, last: int, turn_id: str = "", tool: str = "") -> tuple[AuditRecord, ...]:
        """The newest `last` lines of the audit that fit, oldest first; an empty filter lets everything through."""

    def close_orphans(self) -> int:
        """At start: calls that were running become unknown, their turns end as failed. Returns how many calls."""


class ConversationArchive(Protocol):
    """What is done with stored conversations as a whole. Any thread."""

    def search(
        self, text: str, places: Sequence[Place], since: float, most: int, *, newest_first: bool
    ) -> SearchResult: ...

    def rename(self, session_id: str, title: str) -> None:
        """Raises UsageError for an empty title."""

    def pin(self, session_id: str, pinned: bool) -> None: ...

    def branch(self, session_id: str, turn_id: str) -> str:
        """The id of a new conversation with copies of the turns up to that one. Raises UsageError when there is no
        such turn, or one of them has not ended."""

    def add(self, title: str, turns: Sequence[TurnRecord]) -> str:
        """The id of a new conversation with these turns, all of them untrusted. Raises UsageError for no turns."""


@dataclass(frozen=True, slots=True)
class WaitingTurn:
    """Enough to ask again and go on after a restart."""

    session_id: str
    turn: TurnRecord
    workspace: str
    request: ApprovalRequest


class FactStore(Protocol):
    """What is remembered: a plain list. Each change is on disk when the call returns. Any thread.

    It stores what it is given; what may be remembered is decided by `tools.memory`.
    """

    def facts(self) -> tuple[Fact, ...]:
        """All of them, newest first."""

    def keep(self, text: str, turn_id: str) -> Fact: ...

    def forget(self, number: int) -> bool:
        """False when there is none of that number."""

    def clear(self) -> int:
        """Forget all; returns how many."""


@dataclass(frozen=True, slots=True)
class StoredTranscript:
    """How far a sound file was written down."""

    number: int
    done: float
    """Seconds of audio."""
    language: str
    """ISO 639-1 code of what was heard; empty as long as nothing was."""
    segments: tuple[Segment, ...]


class TranscriptStore(Protocol):
    """Transcripts that are not finished. What a call stores survives a kill when it returns. Any thread."""

    def begin(self, identity: str) -> StoredTranscript:
        """What there is of it; a new one when there is nothing."""

    def keep(self, number: int, done: float, language: str, segments: Sequence[Segment]) -> None:
        """All up to `done` was heard, and `segments` come after those that are kept already."""

    def finish(self, number: int) -> None:
        """The transcript was handed over: nothing of it is kept."""


@dataclass(frozen=True, slots=True)
class Voice:
    """What a voice can do, as data."""

    format: AudioFormat
    language: str


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a loaded engine says of itself, as data."""

    detail: str
    """The device and why it was chosen, in words: "CPU, 2 threads: no graphics card was found"."""
    context_tokens: int = 0
    """Language models: prompt and reply together."""
    languages: tuple[str, ...] = ()
    """Recognisers: ISO 639-1 codes that `RecognitionHints.language` may name."""
    voice: Voice | None = None
    """Voices: what their chunks are."""

"""All that the assistant tells a front end, one frozen type each.

A front end (window, command line, another process over the local socket) sees nothing else of the
assistant. Events of one turn carry its `turn_id` and come in the order in which things happened; the last
one of every turn is `TurnEnded`, on every path.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest
from aria_desktop.core.chat import Message, ToolCall, ToolChoice, ToolResult, TurnOutcome
from aria_desktop.core.records import Source
from aria_desktop.core.transcript import Transcript, Word


class Event:
    """The common parent; only subclasses are ever sent."""

    __slots__ = ()


class EngineRole(StrEnum):
    SPEECH = "speech"
    LANGUAGE = "language"
    VOICE = "voice"


class EngineState(StrEnum):
    OFF = "off"
    """Not started, or unloaded after being idle; starts with the next job."""
    LOADING = "loading"
    READY = "ready"
    RESTARTING = "restarting"
    FAILED = "failed"
    """Not started again by itself."""


class Activity(StrEnum):
    IDLE = "idle"
    LISTENING = "listening"
    THINKING = "thinking"
    CONFIRMING = "confirming"
    SPEAKING = "speaking"


@dataclass(frozen=True, slots=True)
class EngineChanged(Event):
    role: EngineRole
    state: EngineState
    model: str
    detail: str = ""
    """In words: the device and why it was chosen, or what went wrong and what to do."""


@dataclass(frozen=True, slots=True)
class ActivityChanged(Event):
    activity: Activity


@dataclass(frozen=True, slots=True)
class ListeningStarted(Event):
    device: str
    """The microphone's name as the system gives it."""


class TalkAct(StrEnum):
    """What a move of the talk key came to."""

    LISTEN = "listen"
    SEND = "send"
    DROP = "drop"
    HANDS_FREE = "hands_free"
    """From now on it listens whenever nothing else goes on."""
    HANDS_OFF = "hands_off"
    """That is over, and what was being said is forgotten."""
    STOP_TURN = "stop_turn"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class TalkKeyMoved(Event):
    request_id: str
    act: TalkAct


@dataclass(frozen=True, slots=True)
class TalkKeyChanged(Event):
    """How the key is heard from now on."""

    key: str
    """For instance "ctrl+alt+space"."""
    way: str
    """In words; empty when it is not heard."""
    detail: str = ""
    """Why not, or why not in a better way; a sentence for each way that was tried."""


@dataclass(frozen=True, slots=True)
class LevelMeasured(Event):
    """About 25 times a second while the microphone is open, never otherwise."""

    level: float
    """Peak of the last stretch, 0 to 1 of full scale."""
    speech: bool


@dataclass(frozen=True, slots=True)
class ListeningDoubted(Event):
    """The microphone is open, and something seems wrong with it."""

    reason: str
    """In words."""


@dataclass(frozen=True, slots=True)
class ListeningEnded(Event):
    seconds: float
    """Audio recorded since `ListeningStarted`."""
    reason: str
    """"released", "silence", "limit", "dropped", or what is wrong with the device in words."""


@dataclass(frozen=True, slots=True)
class WordsSoFar(Event):
    """While the microphone is open: what was recognised of it yet. To be shown, and replaced by what comes later."""

    request_id: str
    """Of the `StartListening`."""
    text: str
    seconds: float
    """Of the sound it comes from."""
    pausing: bool
    """The speaker has paused; these may be all the words."""


@dataclass(frozen=True, slots=True)
class TurnStarted(Event):
    turn_id: str
    session_id: str
    request_id: str
    """Of the request that asked for it, so that its sender knows its own turn."""
    source: Source
    words: str
    """Empty as long as they have to be recognised; then `Heard` follows."""


@dataclass(frozen=True, slots=True)
class RecognitionProgress(Event):
    job_id: str
    """A turn's id, or the id of a `TranscribeFile` request."""
    done: float
    """Seconds of audio."""
    total: float
    """Seconds of audio; 0 where a file does not say how long it is."""
    text: str
    """What was recognised so far; of a long file, the end of it."""
    remaining: float | None
    """Estimated seconds until the end; None while unknown."""


@dataclass(frozen=True, slots=True)
class Heard(Event):
    turn_id: str
    text: str
    language: str
    words: tuple[Word, ...]
    audio_seconds: float


@dataclass(frozen=True, slots=True)
class TranscriptOffered(Event):
    """What was heard waits to be taken, corrected or dropped by an `AnswerTranscript`; nothing is done before."""

    turn_id: str
    text: str
    confidence: float
    """Mean of the words' probabilities, 0 to 1."""
    unsure: tuple[str, ...]
    """Words that may well be others."""


@dataclass(frozen=True, slots=True)
class TranscriptSettled(Event):
    turn_id: str
    text: str
    """As it is carried out; empty when it was dropped."""
    by: str


@dataclass(frozen=True, slots=True)
class StepStarted(Event):
    """The model is asked for its next reply."""

    turn_id: str
    step: int
    """1 for the first."""


@dataclass(frozen=True, slots=True)
class AnswerPiece(Event):
    turn_id: str
    text: str


@dataclass(frozen=True, slots=True)
class DraftPiece(Event):
    """A piece of the code or text that a tool has the model write; nothing is saved yet."""

    turn_id: str
    call_id: str
    text: str


@dataclass(frozen=True, slots=True)
class PromptSent(Event):
    """What the model is asked with; for records and traces."""

    turn_id: str
    step: int
    attempt: int
    """1 for the first; more after replies that could not be used."""
    attempts: int
    """At most, in one step."""
    messages: tuple[Message, ...]
    """Without those that are the same in every prompt."""
    unchanging: int
    """So many messages come before these and are the same in every prompt: instructions, tools, examples."""


@dataclass(frozen=True, slots=True)
class ReplyReceived(Event):
    """The model's whole reply of a step, as it came; for records and traces, never shown as an answer."""

    turn_id: str
    step: int
    raw: str
    prompt_tokens: int
    reused_tokens: int
    """Prompt tokens that were not evaluated again."""
    tokens: int
    seconds: float
    choices: tuple[ToolChoice, ...] = ()
    """How sure the model was of each call, in order; or of answering."""
    seconds_to_first: float = 0.0
    """From the question to the first token; 0 when there was no model to ask."""


@dataclass(frozen=True, slots=True)
class UntrustedTextRead(Event):
    """Text that nobody vouches for is in the conversation from here on. Comes before the end of the call that
    brings it, and at the beginning of a turn that is told of turns which had it."""

    turn_id: str
    source: str
    """For instance "the file notes.txt"."""


@dataclass(frozen=True, slots=True)
class CallWithheld(Event):
    """The model wanted this call, and code did not let it come to a decision: for records, traces and reports."""

    turn_id: str
    step: int
    call: ToolCall
    reason: str


@dataclass(frozen=True, slots=True)
class CallProposed(Event):
    turn_id: str
    step: int
    call: ToolCall


@dataclass(frozen=True, slots=True)
class ApprovalRequested(Event):
    request: ApprovalRequest
    granted: str = ""
    """The leave that answers it, as the answer's `by` will name it; then nobody is asked."""


@dataclass(frozen=True, slots=True)
class ApprovalDecided(Event):
    turn_id: str
    request_id: str
    decision: ApprovalDecision
    seconds: float
    """How long the answer took."""


@dataclass(frozen=True, slots=True)
class CallStarted(Event):
    """All checks are passed and the tool acts now. After a crash, a call with this and no end is unknown."""

    turn_id: str
    call_id: str


@dataclass(frozen=True, slots=True)
class CallProgress(Event):
    turn_id: str
    call_id: str
    text: str
    done: float | None = None
    """0 to 1; None when it can't be told."""


@dataclass(frozen=True, slots=True)
class CallEnded(Event):
    turn_id: str
    call: ToolCall
    result: ToolResult


@dataclass(frozen=True, slots=True)
class AnswerGiven(Event):
    """The whole answer, also when it came in pieces."""

    turn_id: str
    text: str


@dataclass(frozen=True, slots=True)
class SpeakingStarted(Event):
    """The first sample of the answer was handed to the loudspeaker or the file."""

    turn_id: str
    sink: str
    """Where it goes: a device's name, or a file's path."""


@dataclass(frozen=True, slots=True)
class SpeakingEnded(Event):
    turn_id: str
    seconds: float
    """Of speech that was really played."""
    interrupted: bool
    heard: str = ""
    """When it was interrupted: so much of the answer was heard."""


@dataclass(frozen=True, slots=True)
class AnswerUnspoken(Event):
    """The answer was to be spoken, and the voice speaks another language: it is text only. Once in a turn."""

    turn_id: str
    language: str
    """ISO 639-1 code of the answer."""
    text: str
    """Says so, in that language where ARIA knows how."""


@dataclass(frozen=True, slots=True)
class TurnEnded(Event):
    turn_id: str
    """Empty when nothing was heard: then no turn was made."""
    session_id: str
    request_id: str
    outcome: TurnOutcome
    answer: str
    tools: tuple[str, ...]
    """Names of the tools called, in order, refused and failed ones included."""
    timings: Mapping[str, float] = field(default_factory=dict)
    """Seconds: listen, recognise, think, approve (time the user took), act, speak, total, and first_audio,
    which runs from the end of speech (of typing) to the first sample of the answer without approve."""
    error: str = ""
    """The error's code; empty unless failed."""
    text: str = ""
    """What went wrong, or why nothing was heard, in words."""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class TranscriptionPaused(Event):
    """It waits after the stretch that it was at."""

    request_id: str


@dataclass(frozen=True, slots=True)
class TranscriptionContinued(Event):
    request_id: str


@dataclass(frozen=True, slots=True)
class FileTranscribed(Event):
    request_id: str
    path: str
    transcript: Transcript


@dataclass(frozen=True, slots=True)
class FileRejected(Event):
    request_id: str
    path: str
    error: str
    text: str
    hint: str


@dataclass(frozen=True, slots=True)
class WindowWanted(Event):
    """Somebody started the program a second time: the window comes to the front."""


@dataclass(frozen=True, slots=True)
class Problem(Event):
    """Something outside a turn went wrong, or a request can't be carried out now."""

    request_id: str
    """Empty when no request caused it."""
    error: str
    text: str
    hint: str

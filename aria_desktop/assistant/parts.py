"""All that a session is handed. Nothing here is looked up: the composition root builds it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from aria_desktop.assistant.agent import AgentResult, AgentTask
from aria_desktop.assistant.by_code import Retell
from aria_desktop.assistant.earlier import Earlier
from aria_desktop.assistant.early import Early
from aria_desktop.assistant.offering import Confirm
from aria_desktop.assistant.talk_key import TalkMode
from aria_desktop.core.audio import AudioChunk
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.errors import UsageError
from aria_desktop.core.events import EngineChanged, Event
from aria_desktop.core.interfaces import (
    Approver,
    AudioSink,
    AudioSource,
    ConversationArchive,
    ConversationStore,
    FactStore,
    SpeechToText,
    TextToSpeech,
    TranscriptStore,
    VoiceActivityDetector,
)
from aria_desktop.core.requests import ListModels, StopModelWork, WorkOnModel
from aria_desktop.safety.paths import Workspace


class TurnAgent(Protocol):
    """What decides and acts; `assistant.agent.Agent`, or a scripted one."""

    def run(self, task: AgentTask, approver: Approver, cancel: CancelToken) -> Generator[Event, None, AgentResult]: ...


class KeepUtterance(Protocol):
    """`storage.last_utterance.LastUtterance`."""

    def keep(self, turn_id: str, sound: AudioChunk) -> None: ...

    def accepted(self, turn_id: str) -> None: ...


class ReadAudio(Protocol):
    """`audio.files.read_audio`."""

    def __call__(self, path: str, cancel: CancelToken) -> AudioChunk: ...


class StreamAudio(Protocol):
    """`audio.files.decoded`."""

    def __call__(
        self, path: str, cancel: CancelToken, on_progress: Callable[[float, float | None], None]
    ) -> Iterator[bytes]: ...


@dataclass(frozen=True, slots=True)
class Preferences:
    """What the user may change while the session lives; asked for each time that it matters."""

    silence_s: float = 0.8
    """So much silence ends a recording that listens for it."""
    max_s: float = 30.0
    """No recording is longer."""
    language: str = ""
    """ISO 639-1 code of what is spoken; empty: recognise it."""
    own_words: tuple[str, ...] = ()
    """Names and words that are likely to be said."""
    level: str = "intermediate"
    """Whom answers are written for: "beginner", "intermediate" or "advanced"."""
    hear_early: Early = Early.NOT
    """What of a recording is recognised before it ends."""
    confirm_words: Confirm = "never"
    """When what was heard is put before the user before anything is done about it."""
    speak: bool = True
    """Whether turns that are resumed, or that the talk key began, are answered aloud; all others say so themselves."""
    pace: float = 1.0
    """Of the voice; 2 is twice as fast as it is by itself."""
    talk_mode: TalkMode = TalkMode.AUTO
    """What a press of the talk key means."""


def _no_settings(name: str, _value: object) -> None:
    raise UsageError(f"{name} can't be changed here.", "`aria settings set` changes it.")


ModelRequest = ListModels | WorkOnModel | StopModelWork


def _no_models(_: ModelRequest) -> None:
    raise UsageError("Models can't be looked after here.", "`aria models` does.")


@dataclass(frozen=True, slots=True)
class SessionParts:
    speech: SpeechToText
    voice: TextToSpeech
    agent: TurnAgent
    store: ConversationStore
    archive: ConversationArchive
    facts: FactStore
    make_vad: Callable[[], VoiceActivityDetector]
    """For what was surely meant to be heard: a held key, a file. Lets whispering through, and much noise."""
    open_microphone: Callable[[], AudioSource]
    """Raises MicrophoneMissing."""
    microphones: Callable[[], tuple[str, ...]]
    """The names of those that are there, the default first. Raises MicrophoneMissing."""
    open_speaker: Callable[[], AudioSink]
    """One for each turn that speaks. Raises SpeakerMissing."""
    read_audio: ReadAudio
    stream_audio: StreamAudio
    identify_audio: Callable[[str], str]
    """`audio.files.identity`."""
    transcripts: TranscriptStore
    earlier: Earlier
    """Earlier turns, as a new one is told of them."""
    retell: Retell
    """Tells an answer again, simpler or in more depth."""
    open_workspace: Callable[[str], Workspace]
    """An absolute folder, or empty for the default workspace. Raises AriaError."""
    make_strict_vad: Callable[[], VoiceActivityDetector] | None = None
    """For recordings that find the beginning and end of speech by themselves: no noise may pass. None: `make_vad`."""
    language_of_voice: Callable[[CancelToken], str] = lambda _: ""
    """ISO 639-1 code of what the voice speaks; empty when it does not say. Waits until the voice is loaded, and raises
    like `TextToSpeech.synthesize`."""
    preferences: Callable[[], Preferences] = Preferences
    change_setting: Callable[[str, bool | int | float | str], None] = _no_settings
    """Write a setting ("section.name") and have everybody go by it. Raises SettingsError, StorageError."""
    models: Callable[[ModelRequest], None] = _no_models
    """Takes what concerns models, and publishes the answers by itself. Returns at once."""
    last_utterance: KeepUtterance | None = None
    """Keeps the sound of what was said until its words are stored."""
    engines: tuple[EngineChanged, ...] = field(default=())
    """The engines' states at the start; later ones come through `Session.publish`."""
    close_engines: Callable[[], None] = lambda: None
    """Called once, when nothing uses the engines any more."""

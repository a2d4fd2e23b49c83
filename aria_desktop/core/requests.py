"""All that a front end may ask of the assistant, one frozen type each. None of them waits for an answer:
answers are events. `request_id` is chosen by the sender, unique among its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from aria_desktop.core.approval import Extent
from aria_desktop.core.history import EVERYWHERE, Place
from aria_desktop.core.models import ModelWork
from aria_desktop.core.records import TurnRecord


class Request:
    """The common parent; only subclasses are ever sent."""

    __slots__ = ()


class ListenMode(StrEnum):
    HOLD = "hold"
    """Until `StopListening`."""
    UNTIL_SILENCE = "until_silence"
    """Until the speaker was silent for the time set, or `StopListening`."""
    HANDS_FREE = "hands_free"
    """The same, and it waits for the first word without end."""


@dataclass(frozen=True, slots=True)
class SubmitText(Request):
    request_id: str
    words: str
    session_id: str = ""
    """Empty: the current session."""
    workspace: str = ""
    """Absolute folder for this turn; empty: the default workspace."""
    speak: bool = True
    foreign: str = ""
    """Where the words come from when they are not the user's own, for instance "text that was pasted"; empty when
    they are."""


@dataclass(frozen=True, slots=True)
class SubmitFile(Request):
    """Recognise a sound file and carry out what is said in it."""

    request_id: str
    path: str
    """Absolute."""
    session_id: str = ""
    workspace: str = ""
    speak: bool = True


@dataclass(frozen=True, slots=True)
class StartListening(Request):
    """Open the microphone; what is said until it closes becomes a turn."""

    request_id: str
    mode: ListenMode
    session_id: str = ""
    workspace: str = ""
    speak: bool = True


@dataclass(frozen=True, slots=True)
class StopListening(Request):
    """Close the microphone and send what was said."""


@dataclass(frozen=True, slots=True)
class DropRecording(Request):
    """Close the microphone and forget what was said."""


class KeyMove(StrEnum):
    """What a talk key does, or who acts for one."""

    PRESS = "press"
    RELEASE = "release"
    START = "start"
    """Listen, when the microphone is closed."""
    STOP = "stop"
    """Send what was said, when it is open."""
    TOGGLE = "toggle"
    """The one or the other."""
    CANCEL = "cancel"
    """Forget what is being said; when nothing is, stop the turn."""


@dataclass(frozen=True, slots=True)
class MoveTalkKey(Request):
    """The assistant decides what it means, by its mode and by what goes on; `TalkKeyMoved` tells."""

    request_id: str
    """Also of the recording that it begins."""
    move: KeyMove
    held_s: float = 0.0
    """Of a release: how long the key was down."""


@dataclass(frozen=True, slots=True)
class CancelTurn(Request):
    """Stop the running turn: thinking, tools that only read, the waiting question, the voice."""

    turn_id: str = ""
    """Empty: whatever runs."""
    request_id: str = ""
    """Of the request whose turn or recording is meant, also while it waits for others; then nothing else stops."""


@dataclass(frozen=True, slots=True)
class SilenceVoice(Request):
    """Stop speaking; the turn's text stays."""


@dataclass(frozen=True, slots=True)
class AnswerApproval(Request):
    approval_id: str
    allowed: bool
    by: str
    """Who decided, in words; see `core.approval.ApprovalDecision`."""
    extent: Extent = Extent.ONCE
    """How far a yes is to reach: as one of the question's offers says, or only once."""


@dataclass(frozen=True, slots=True)
class AnswerTranscript(Request):
    """What a `TranscriptOffered` waits for."""

    turn_id: str
    words: str
    """As they are to be carried out, corrected or not; empty: nothing is to be done."""
    by: str


@dataclass(frozen=True, slots=True)
class TranscribeFile(Request):
    """Only write down what is said in a sound file."""

    request_id: str
    path: str
    language: str = ""
    """ISO 639-1 code of what is spoken in it; empty: as the settings say."""


@dataclass(frozen=True, slots=True)
class CancelTranscription(Request):
    """What was written down is kept for a while: asked for again, it goes on from there."""

    request_id: str
    """Of the `TranscribeFile` that is to stop."""


@dataclass(frozen=True, slots=True)
class PauseTranscription(Request):
    """It waits, and so do the files after it."""

    request_id: str


@dataclass(frozen=True, slots=True)
class ContinueTranscription(Request):
    request_id: str


@dataclass(frozen=True, slots=True)
class NewSession(Request):
    request_id: str


@dataclass(frozen=True, slots=True)
class OpenSession(Request):
    """Make a stored session the current one; a question that still waits in it is asked again."""

    request_id: str
    session_id: str


@dataclass(frozen=True, slots=True)
class ListSessions(Request):
    request_id: str


@dataclass(frozen=True, slots=True)
class ShowSession(Request):
    request_id: str
    session_id: str


@dataclass(frozen=True, slots=True)
class ShowRun(Request):
    """How a stored turn went, step by step and with its times."""

    request_id: str
    turn_id: str


@dataclass(frozen=True, slots=True)
class DeleteSession(Request):
    request_id: str
    session_id: str


@dataclass(frozen=True, slots=True)
class SearchSessions(Request):
    """Find turns of all conversations that have every word of a text, each at least as a beginning."""

    request_id: str
    text: str
    places: tuple[Place, ...] = EVERYWHERE
    since: float = 0.0
    """Unix time."""
    newest_first: bool = False
    """Else the best match comes first."""
    most: int = 200


@dataclass(frozen=True, slots=True)
class RenameSession(Request):
    request_id: str
    session_id: str
    title: str


@dataclass(frozen=True, slots=True)
class PinSession(Request):
    request_id: str
    session_id: str
    pinned: bool


@dataclass(frozen=True, slots=True)
class BranchSession(Request):
    """A new conversation that begins with a copy of this one's turns up to one of them."""

    request_id: str
    session_id: str
    turn_id: str


@dataclass(frozen=True, slots=True)
class ImportSession(Request):
    """Store a conversation that comes from outside. Nothing of it is carried out, and none of it is trusted."""

    request_id: str
    title: str
    turns: tuple[TurnRecord, ...]


@dataclass(frozen=True, slots=True)
class ListFiles(Request):
    """What lies directly in a workspace."""

    request_id: str
    workspace: str = ""
    """Absolute folder; empty: the default workspace."""


@dataclass(frozen=True, slots=True)
class ShowFile(Request):
    """The start of a text file of a workspace."""

    request_id: str
    name: str
    workspace: str = ""


@dataclass(frozen=True, slots=True)
class ListFacts(Request):
    """What is remembered."""

    request_id: str


@dataclass(frozen=True, slots=True)
class ForgetFacts(Request):
    request_id: str
    numbers: tuple[int, ...]
    """Of facts as they were listed; what was remembered since stays. A number that is gone is passed over."""


@dataclass(frozen=True, slots=True)
class ListAudit(Request):
    """What was called, asked, decided and done."""

    request_id: str
    last: int = 200
    """So many of the newest that fit."""
    turn_id: str = ""
    """Empty: of all turns."""
    tool: str = ""
    """Empty: of all tools."""


@dataclass(frozen=True, slots=True)
class ChangeSetting(Request):
    """Write a setting and go by it from now on."""

    request_id: str
    name: str
    """"section.name"."""
    value: bool | int | float | str


@dataclass(frozen=True, slots=True)
class ListMicrophones(Request):
    """Those that are plugged in now."""

    request_id: str


@dataclass(frozen=True, slots=True)
class ListModels(Request):
    """The catalogue, and what is here beside it."""

    request_id: str


@dataclass(frozen=True, slots=True)
class WorkOnModel(Request):
    """It may take its time: `listings.ModelWorkMoved` tells how far it is, `ModelWorkDone` that it is done. One after
    the other."""

    request_id: str
    work: ModelWork
    model_id: str = ""
    """Empty for `ModelWork.ADD`."""
    path: str = ""
    """Of `ModelWork.ADD`: an absolute file or folder that holds models."""


@dataclass(frozen=True, slots=True)
class StopModelWork(Request):
    """What was done stays as it is."""

    request_id: str
    """Of the `WorkOnModel`."""


@dataclass(frozen=True, slots=True)
class ShowWindow(Request):
    """From a second start of the program."""

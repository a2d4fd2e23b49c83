"""One turn as the conversation shows it: frozen values, ready to be painted."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from aria_desktop.core.records import Source
from aria_desktop.gui.state.run_view import NO_RUN, RunView
from aria_desktop.gui.state.verbs import Verbs


class Mark(StrEnum):
    """The sign in front of a step."""

    QUEUED = "queued"
    ACTIVE = "active"
    WAITING = "waiting"
    DONE = "done"
    ALLOWED = "allowed"
    REFUSED = "refused"
    FAILED = "failed"
    STOPPED = "stopped"
    UNKNOWN = "unknown"
    """It may or may not have happened."""


@dataclass(frozen=True, slots=True)
class Step:
    mark: Mark
    verb: str
    object: str = ""
    """A file or folder, set in the code font."""
    figure: str = ""
    """At the right: a size, a time, or why not."""


class CardState(StrEnum):
    WRITING = "writing"
    WAITING = "waiting"
    """Written, and nothing is decided or saved yet."""
    SAVED = "saved"
    NOT_SAVED = "not_saved"


@dataclass(frozen=True, slots=True)
class Card:
    """A text that a tool writes, or wrote."""

    call_id: str
    name: str
    text: str
    state: CardState
    footer: str


class Speech(StrEnum):
    SILENT = "silent"
    SPEAKING = "speaking"
    SPOKEN = "spoken"
    INTERRUPTED = "interrupted"
    UNSPOKEN = "unspoken"
    """No voice speaks the answer's language."""


@dataclass(frozen=True, slots=True)
class HeardWord:
    text: str
    """With the blanks before it."""
    unsure: bool = False


class Tone(StrEnum):
    QUIET = "quiet"
    DOUBT = "doubt"
    LOSS = "loss"


@dataclass(frozen=True, slots=True)
class Note:
    """How a turn ended when it was not with an answer, or why its answer is not spoken."""

    tone: Tone
    text: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class TurnView:
    turn_id: str
    source: Source
    words: tuple[HeardWord, ...]
    """Empty while they are still to be recognised."""
    tentative: str = ""
    """What is recognised so far; may still change."""
    badges: tuple[Verbs, ...] = ()
    figure: str = ""
    """Total time, once the turn has ended."""
    steps: tuple[Step, ...] = ()
    cards: tuple[Card, ...] = ()
    answer: str = ""
    speech: Speech = Speech.SILENT
    note: Note | None = None
    ended: bool = False
    run: RunView = NO_RUN
    """Empty of a turn that was stored: it is fetched when somebody wants to see it again."""

    @property
    def text(self) -> str:
        return "".join(word.text for word in self.words).strip()

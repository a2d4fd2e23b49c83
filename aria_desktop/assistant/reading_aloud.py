"""Reading a file aloud: by code, from the file itself, never written again by the model.

What was heard is kept with the turn (`TurnRecord.heard`), so the place is remembered in the database without another
line: "go on" reads what was not heard of the newest reading, also after a question in between, in another conversation
or after a restart. A reading that was heard to its end leaves nothing to go on with; then the words are the model's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from aria_desktop.assistant.agent import AgentResult
from aria_desktop.assistant.said_alone import phrases_in
from aria_desktop.assistant.so_far import Events
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.errors import ModelFault
from aria_desktop.core.events import AnswerGiven, AnswerPiece, UntrustedTextRead
from aria_desktop.core.records import SessionRecord, TurnRecord
from aria_desktop.core.visible import visible_line
from aria_desktop.safety.paths import EntryKind, Workspace
from aria_desktop.tools.languages.wording import wording_in
from aria_desktop.tools.near_names import near

SESSIONS_LOOKED_AT = 5
TURNS_LOOKED_AT = 100
PACE_ANSWERS = ("faster", "slower", "no_faster", "no_slower")
_LONGEST = 200
"""Characters; what asks to be read to is shorter."""

_READ = (
    ("en", re.compile(r"read (?:me |out )(?:the file )?(?P<name>.+?)(?: (?:aloud|out loud))?", re.IGNORECASE)),
    ("en", re.compile(r"read (?:the file )?(?P<name>.+?) (?:aloud|out loud|out|to me)", re.IGNORECASE)),
    ("es", re.compile(r"l[eé]eme (?:el (?:archivo|fichero) )?(?P<name>.+?)(?: en voz alta)?", re.IGNORECASE)),
    ("es", re.compile(r"lee (?:el (?:archivo|fichero) )?(?P<name>.+?) en voz alta", re.IGNORECASE)),
)
_POLITE = re.compile(
    r"^\W*(?:(?:aria|hey|please|can you|could you|would you|por favor|oye|puedes)\b\W*)*"
    r"|(?:\W+(?:please|thanks|thank you|por favor|gracias))*[\s.!?]*$",
    re.IGNORECASE,
)
_GO_ON = {
    "en": ("go on", "go on reading", "continue", "continue reading", "keep reading", "read on", "resume reading"),
    "es": ("sigue", "sigue leyendo", "continua", "continua leyendo", "continua la lectura"),
}
_SKIP = {
    "en": ("skip", "skip it", "skip this", "skip that", "skip this paragraph", "skip a paragraph", "next paragraph"),
    "es": ("salta", "salta esto", "saltalo", "salta este parrafo", "siguiente parrafo", "el siguiente parrafo"),
}
_FASTER = {
    "en": ("faster", "read faster", "speak faster", "talk faster", "a bit faster", "a little faster", "speed up"),
    "es": ("mas rapido", "lee mas rapido", "habla mas rapido", "un poco mas rapido", "mas deprisa"),
}
_SLOWER = {
    "en": ("slower", "read slower", "speak slower", "more slowly", "a bit slower", "a little slower", "slow down"),
    "es": ("mas lento", "mas despacio", "lee mas despacio", "habla mas despacio", "un poco mas despacio"),
}
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_PIECE = re.compile(r"[\s\S]{1,1500}?(?:\n[ \t]*\n\s*|(?<=[.!?…])\s+|\Z)|[\s\S]{1,1500}")
_SENTENCE = re.compile(r"[.!?…][\"'”’»)\]]*\s+|\n[ \t]*\n\s*")


class Wish(StrEnum):
    READ = "read"
    GO_ON = "go_on"
    SKIP = "skip"
    """Go on behind the paragraph that was being read."""
    FASTER = "faster"
    SLOWER = "slower"
    """The voice at another speed; a reading that this broke off goes on."""


PACES = frozenset({Wish.FASTER, Wish.SLOWER})
_PHRASES = ((Wish.GO_ON, _GO_ON), (Wish.SKIP, _SKIP), (Wish.FASTER, _FASTER), (Wish.SLOWER, _SLOWER))


@dataclass(frozen=True, slots=True)
class Asked:
    wish: Wish
    language: str
    """"en" or "es"."""
    name: str = ""
    """Of the file, as it was said."""


@dataclass(frozen=True, slots=True)
class Passage:
    """What is to be read now."""

    text: str
    source: str
    """As it is named where it is said that nobody vouches for it."""


class Readings(Protocol):
    """What is kept; `core.interfaces.ConversationStore`."""

    def turns(self, session_id: str, last: int | None = None) -> tuple[TurnRecord, ...]: ...

    def sessions(self) -> tuple[SessionRecord, ...]: ...


def asked(words: str) -> Asked | None:
    """What `words` ask to have read; None when they ask for anything else. Pure."""
    if len(words) > _LONGEST:
        return None
    for wish, ways in _PHRASES:
        for language, phrases in ways.items():
            if any(phrase in phrases for phrase in phrases_in(words)):
                return Asked(wish, language)
    plain = _POLITE.sub("", words)
    matches = ((language, form.fullmatch(plain)) for language, form in _READ)
    return next((Asked(Wish.READ, language, match["name"]) for language, match in matches if match), None)


def passage(wanted: Asked, workspace: Workspace, store: Readings, session_id: str) -> Passage | None:
    """What is read because of it; None when that is nothing that code could read, so that the model may answer."""
    if wanted.wish is Wish.READ:
        return _of_file(wanted.name, workspace)
    last = broken_off(store, session_id) if wanted.wish in PACES else newest_reading(store, session_id)
    rest = rest_of(last, skip=wanted.wish is Wish.SKIP) if last else ""
    return Passage(rest, "a file that is read aloud") if rest else None


def _of_file(said: str, workspace: Workspace) -> Passage | None:
    try:
        path = said if workspace.kind_of(said) is EntryKind.FILE else ""
        if not path:
            files = [entry.name for entry in workspace.entries() if entry.kind is EntryKind.FILE]
            path = near(said, files).only
        text = workspace.read_text(path).removeprefix("\ufeff") if path else ""
    except ModelFault:
        return None
    return Passage(text, f"the file {visible_line(path)}") if text.strip() else None


def newest_reading(store: Readings, session_id: str) -> TurnRecord | None:
    """Of this conversation, or else of the last ones."""
    others = [session.session_id for session in store.sessions() if session.session_id != session_id]
    for session in [session_id, *others][:SESSIONS_LOOKED_AT]:
        for turn in reversed(store.turns(session, TURNS_LOOKED_AT)):
            if is_reading(turn):
                return turn
    return None


def broken_off(store: Readings, session_id: str) -> TurnRecord | None:
    """The reading that was the last thing said in this conversation, if it was one."""
    said = [turn for turn in store.turns(session_id, TURNS_LOOKED_AT) if turn.answer]
    return said[-1] if said and is_reading(said[-1]) else None


def is_reading(turn: TurnRecord) -> bool:
    """Whether its answer is a file's text: who only asks for another speed is told that, in code's own words."""
    wanted = asked(turn.words) if turn.answer else None
    if wanted is None or wanted.wish not in PACES:
        return wanted is not None
    return turn.answer not in [wording_in(wanted.language).say(each) for each in PACE_ANSWERS]


def rest_of(turn: TurnRecord, *, skip: bool) -> str:
    """What was not heard of it, from the beginning of the sentence that was cut off. Pure."""
    if turn.heard is None and turn.outcome is TurnOutcome.ANSWERED:
        return ""
    text, place = turn.answer, len(turn.heard or "")
    if skip:
        next_one = _PARAGRAPH.search(text, place)
        return text[next_one.end() :].lstrip() if next_one else ""
    if place >= len(text.rstrip()):
        return ""
    ends = [match.end() for match in _SENTENCE.finditer(text, 0, place + 1)]
    return text[ends[-1] if ends else 0 :].lstrip()


def read_aloud(turn_id: str, found: Passage) -> Events[AgentResult]:
    """The turn that reads it, a paragraph at a time."""
    yield UntrustedTextRead(turn_id, found.source)
    for piece in pieces(found.text):
        yield AnswerPiece(turn_id, piece)
    yield AnswerGiven(turn_id, found.text)
    return AgentResult(TurnOutcome.ANSWERED, found.text, ())


def pieces(text: str) -> Iterator[str]:
    """Paragraphs, and where they are long, sentences; together they are the text. Pure."""
    for match in _PIECE.finditer(text):
        if match[0]:
            yield match[0]

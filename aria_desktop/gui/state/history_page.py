"""What the History page shows: conversations by day, or what a search found, and one of them in full. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from aria_desktop.core.history import Place, SearchHit, SearchResult
from aria_desktop.core.records import SessionRecord, Source, TurnRecord
from aria_desktop.core.visible import visible
from aria_desktop.gui.state import figures
from aria_desktop.gui.state.marked import Marked, marked
from aria_desktop.gui.state.shown import one_line
from aria_desktop.gui.state.translation import decimal, grouped, mark, tr

LEAST = 3
"""Letters from which on a search is made; with fewer all conversations are shown."""
PREVIEWED = 40
"""Turns of a conversation that are shown beside the list."""
_DAY_S = 86_400.0
PLACE_WORDS = {
    Place.WORDS: mark("What I said"),
    Place.REPLY: mark("Replies"),
    Place.CALLS: mark("Tool calls"),
    Place.FILES: mark("File names"),
}
_PLACE_ICONS = {Place.REPLY: "volume-2", Place.CALLS: "square-terminal", Place.FILES: "file-text"}
_SOURCE_ICONS = {Source.MICROPHONE: "mic", Source.TEXT: "keyboard", Source.FILE: "file-audio"}


class Since(Enum):
    """How far back a search goes; the value is its name."""

    ANY = mark("Any time")
    DAY = mark("The last day")
    WEEK = mark("The last week")
    MONTH = mark("The last month")

    def from_when(self, now: float) -> float:
        """Unix time; 0: from the beginning."""
        days = {Since.ANY: 0, Since.DAY: 1, Since.WEEK: 7, Since.MONTH: 31}[self]
        return now - days * _DAY_S if days else 0.0


@dataclass(frozen=True, slots=True)
class Heading:
    text: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A conversation, or one turn of it that a search has found."""

    session_id: str
    turn_id: str
    """Empty: the whole conversation."""
    title: str
    clock: str
    icon: str
    line: Marked
    badges: tuple[tuple[str, str], ...] = ()
    """Icon and word each."""

    @property
    def spoken(self) -> str:
        """For screen readers."""
        return ", ".join(filter(None, (self.title, self.clock, self.line.text, *(word for _, word in self.badges))))


Item = Heading | Entry


@dataclass(frozen=True, slots=True)
class PreviewTurn:
    turn_id: str
    words: Marked
    tools: tuple[str, ...]
    answer: Marked


@dataclass(frozen=True, slots=True)
class Preview:
    session_id: str
    title: str
    about: str
    pinned: bool
    turns: tuple[PreviewTurn, ...]
    more: str
    """What is said of turns that are not shown; empty when all are."""


def is_search(text: str) -> bool:
    return sum(sign.isalnum() for sign in text) >= LEAST


def all_items(sessions: Sequence[SessionRecord], now: float) -> tuple[Item, ...]:
    """Pinned ones first, then by day; `sessions` has the newest first."""
    pinned = [session for session in sessions if session.pinned]
    others = [session for session in sessions if not session.pinned]
    items: list[Item] = [Heading(tr("Pinned")), *(_of_session(session, now) for session in pinned)] if pinned else []
    return (*items, *_by_day([(session.updated, _of_session(session, now)) for session in others], now))


def found_items(result: SearchResult, now: float) -> tuple[Item, ...]:
    return tuple(_by_day([(hit.at, _of_hit(hit)) for hit in result.hits], now))


def found_words(result: SearchResult, query: str) -> str:
    """The line below the search field."""
    if not result.turns:
        nothing = tr("Nothing found for {query}.", query=f"'{one_line(query.strip())}'")
        return f"{nothing} {tr('Search looks at words, replies, tool calls and file names.')}"
    return tr(
        "{turns} in {conversations}, {seconds}",
        turns=figures.counted(result.turns, "turn", "turns"),
        conversations=figures.counted(result.sessions, "conversation", "conversations"),
        seconds=f"{decimal(f'{result.seconds:.2f}')}\N{NO-BREAK SPACE}s",
    )


def place_count(result: SearchResult | None, place: Place) -> str:
    return grouped(result.places[place.value]) if result is not None and place.value in result.places else ""


def preview(session: SessionRecord, turns: Sequence[TurnRecord], turn_id: str, query: str, now: float) -> Preview:
    """From the turn that was found, or from the last ones, so that what is looked for is on top."""
    ids = [turn.turn_id for turn in turns]
    first = ids.index(turn_id) if turn_id in ids else max(0, len(turns) - PREVIEWED)
    shown = turns[first : first + PREVIEWED]
    hidden = len(turns) - len(shown)
    return Preview(
        session_id=session.session_id,
        title=one_line(session.title) or tr("No words"),
        about=_about(session, now),
        pinned=session.pinned,
        turns=tuple(_previewed(turn, query if is_search(query) else "") for turn in shown),
        more=tr("{turns} more", turns=figures.counted(hidden, "turn", "turns")) if hidden else "",
    )


def deletion_words(session: SessionRecord) -> str:
    """What goes, before it goes."""
    turns = figures.counted(session.turns, "turn", "turns")
    return tr("{turns} are removed for good, also from search. Files that were made stay.", turns=turns)


def _about(session: SessionRecord, now: float) -> str:
    began, updated = figures.day_and_clock(session.began or session.updated, now), figures.clock(session.updated)
    if figures.day(session.began or session.updated, now) != figures.day(session.updated, now):
        updated = figures.day_and_clock(session.updated, now)
    when = tr("{began} to {ended}", began=began, ended=updated)
    return f"{when} · {figures.counted(session.turns, 'turn', 'turns')}"


def _previewed(turn: TurnRecord, query: str) -> PreviewTurn:
    return PreviewTurn(
        turn.turn_id,
        marked(visible(turn.words) or tr("No words"), query),
        tuple(dict.fromkeys(one_line(record.call.tool) for record in turn.calls)),
        marked(visible(turn.answer or turn.text), query),
    )


def _of_session(session: SessionRecord, now: float) -> Entry:
    waits = tr("A question waits") if session.waiting else ""
    line = Marked(" · ".join(filter(None, (figures.counted(session.turns, "turn", "turns"), waits))))
    clock = figures.day_and_clock(session.updated, now) if session.pinned else figures.clock(session.updated)
    icon = "pin" if session.pinned else "hand" if session.waiting else "message-square"
    return Entry(session.session_id, "", one_line(session.title) or tr("No words"), clock, icon, line)


def _of_hit(hit: SearchHit) -> Entry:
    icon = _SOURCE_ICONS[hit.source] if hit.place is Place.WORDS else _PLACE_ICONS[hit.place]
    files = tuple(("file-text", one_line(name)) for name in hit.files[:2])
    tools = tuple(("wrench", one_line(name)) for name in hit.tools[:2])
    title = one_line(hit.title) or tr("No words")
    return Entry(hit.session_id, hit.turn_id, title, figures.clock(hit.at), icon, _one_line(hit), (*files, *tools))


def _one_line(hit: SearchHit) -> Marked:
    """Line breaks become blanks, one for one, so that the marks stay right; what hides itself is left out of them."""
    line = "".join(" " if sign.isspace() else sign for sign in hit.line)
    shown = one_line(line)
    return Marked(shown, hit.marks, hits_all=True) if len(shown) == len(line) else Marked(shown)


def _by_day(entries: Sequence[tuple[float, Entry]], now: float) -> Iterator[Item]:
    """In the given order, with a heading wherever the day changes."""
    last = ""
    for at, entry in entries:
        day = figures.day(at, now)
        if day != last:
            last = day
            yield Heading(day if day == tr("Today") else f"{figures.weekday(at)}, {day}")
        yield entry

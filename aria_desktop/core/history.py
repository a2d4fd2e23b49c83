"""What a search over all conversations finds, as it is told to front ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from aria_desktop.core.records import Source


class Place(StrEnum):
    """Where in a turn something stands."""

    WORDS = "words"
    """What was said or typed."""
    REPLY = "reply"
    CALLS = "calls"
    """Tools with their arguments and results."""
    FILES = "files"
    """Names of files that tools were called with."""


EVERYWHERE = tuple(Place)


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One turn that has every word of the search."""

    session_id: str
    title: str
    """Of its conversation."""
    turn_id: str
    at: float
    """Unix time."""
    source: Source
    place: Place
    """The first one that has a hit."""
    line: str
    """What stands there, cut to what is around the hits; it may hold line breaks."""
    marks: tuple[tuple[int, int], ...]
    """Start and end of each hit in `line`, in characters."""
    files: tuple[str, ...]
    tools: tuple[str, ...]
    """Of the whole turn, each once."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    hits: tuple[SearchHit, ...]
    """No more than were asked for."""
    turns: int
    """All that have every word."""
    sessions: int
    places: Mapping[str, int]
    """Turns in which one place alone has every word, by `Place`."""
    seconds: float

"""A text with the places in it that a search has found. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Marked:
    text: str
    hits: tuple[tuple[int, int], ...] = ()
    """Start and end in characters, in order, not overlapping."""
    hits_all: bool = False
    """Each word of the search is in it."""

    def pieces(self) -> Iterator[tuple[str, bool]]:
        """The text in pieces, each with whether it is a hit."""
        at = 0
        for start, end in self.hits:
            if start > at:
                yield self.text[at:start], False
            yield self.text[start:end], True
            at = end
        if at < len(self.text):
            yield self.text[at:], False


def marked(text: str, query: str) -> Marked:
    """Wherever a word of the query stands in the text, whatever its case and its accents."""
    words = [_plain(word) for word in query.split()]
    plain = _plain(text)
    if not words or len(plain) != len(text):
        return Marked(text)
    places = [(m.start(), m.end()) for word in words for m in re.finditer(re.escape(word), plain)]
    return Marked(text, _joined(sorted(places)), all(word in plain for word in words))


def _plain(text: str) -> str:
    """Lower case without accents, a character for each character."""
    return "".join(_bare(character) for character in text)


def _bare(character: str) -> str:
    bare = unicodedata.normalize("NFD", character)[0].lower()
    return bare if len(bare) == 1 else character


def _joined(places: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Overlapping places become one."""
    joined: list[tuple[int, int]] = []
    for start, end in places:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)

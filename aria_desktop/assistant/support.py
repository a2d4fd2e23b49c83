"""Which files an utterance is about, as far as its words tell: names held against what was said. Pure.

A word of a name counts as said when it was said like that, in plural, misspelled or sounding alike; digits are
equal or don't count. Several words said one after the other may be one word of a name ("to do", todo).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from aria_desktop.tools.near_names import singular, word_fits
from aria_desktop.tools.spoken_names import folded, with_signs
from aria_desktop.tools.spoken_numbers import with_digits

_SMALL_WORDS = frozenset(
    {
        *(
            "a",
            "an",
            "and",
            "are",
            "at",
            "be",
            "by",
            "called",
            "create",
            "delete",
            "do",
            "file",
            "folder",
            "for",
            "from",
        ),
        *("i", "in", "into", "is", "it", "its", "make", "me", "move", "my", "named", "new", "of", "on", "one", "or"),
        *("please", "put", "rename", "should", "that", "the", "them", "then", "there", "this", "to", "up", "with"),
        *("you", "your", "al", "archivo", "carpeta", "con", "de", "del", "el", "en", "es", "la", "las", "los"),
        *("llamado", "mi", "para", "por", "que", "se", "su", "tu", "un", "una", "y"),
    }
)
"""Too small to tell one file from another, unless the name's ending follows at once ("y dot log")."""
_ALL_OF_THEM = frozenset(["all", "both", "each", "every", "everything", "todos", "todas", "ambos", "ambas", "cada"])
_PARTS_COMPARED = 40
"""Different words of a text that are compared by sound; of longer texts only equal words count."""
_TOGETHER = 3
"""Neighbouring words that may be one word of a name."""


@dataclass(frozen=True, slots=True)
class Support:
    """How an utterance speaks of one name."""

    whole: bool = False
    """The whole name was said, with or without its ending."""
    places: frozenset[int] = frozenset()
    """Which of the utterance's words speak of it."""

    def at_least(self, other: Support) -> bool:
        """Whether all that speaks of the other speaks of this one, too."""
        return self.places >= other.places and self.whole >= other.whole


@dataclass(frozen=True, slots=True)
class Utterance:
    text: str
    words: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", tuple(_words(self.text)))

    def support(self, path: str) -> Support:
        """`path`: of a file or folder, with /."""
        *folders, name = path.rstrip("/").split("/")
        stem, _, ending = name.rpartition(".") if "." in name[1:] else (name, "", "")
        parts = [part for text in (*folders, name) for part in _parts(text)]
        places = {place for part in parts for place in self._said(part, ending)}
        joined = set(self._said("".join(_parts(stem)), ending))
        every = all(set(self._said(part, ending)) for part in _parts(stem))
        return Support(bool(joined) or every, frozenset(places | joined))

    def speaks_of(self, text: str) -> bool:
        """Whether any word of `text` that tells something was said."""
        parts = list(dict.fromkeys(_parts(text)))
        if shares_a_word(self.text, text):
            return True
        return any(set(self._said(part)) for part in parts[:_PARTS_COMPARED])

    def says_all_of(self, text: str) -> bool:
        """Whether `text` tells nothing but what was said: all its words that tell something are here."""
        return all(set(self._said(part)) for part in _parts(text)[:_PARTS_COMPARED] if part not in _SMALL_WORDS)

    def means_several(self, path: str) -> bool:
        """Whether what speaks of `path` is a plural, or it was said that all are meant."""
        if not _ALL_OF_THEM.isdisjoint(self.words):
            return True
        parts = set(_parts(path))
        places = self.support(path).places
        return any(self.words[place] not in parts and self.words[place].endswith("s") for place in places)

    def _said(self, part: str, ending: str = "") -> Iterator[int]:
        for first in range(len(self.words)):
            together = ""
            for count, word in enumerate(self.words[first : first + _TOGETHER], start=1):
                together += word
                small = count == 1 and word in _SMALL_WORDS and self.words[first + 1 : first + 2] != (ending,)
                if not small and word_fits(together, part):
                    yield from range(first, first + count)


def _words(text: str) -> Iterator[str]:
    for reading in dict.fromkeys((text, with_signs(text), *with_digits(text))):
        yield from re.findall(r"[^\W\d_]+|\d+", folded(reading))


def _parts(name: str) -> list[str]:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return re.findall(r"[^\W\d_]+|\d+", folded(spaced))


def shares_a_word(one: str, other: str) -> bool:
    """Whether a word that tells something stands in both texts, in the singular or plural. Linear in their length."""
    first, second = ({singular(word) for word in _parts(text) if word not in _SMALL_WORDS} for text in (one, other))
    return not first.isdisjoint(second)

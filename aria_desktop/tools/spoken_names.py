"""A path as it was said, taken apart: folders, stem and ending, each as letters and runs of digits. Pure.

A recogniser writes "notes dot t x t" or "report two"; a name on disk says notes.txt or report2. Both become the same
parts. Where words can be read in two ways (a file may be called "dot product"), there is a reading for each.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from aria_desktop.tools.spoken_numbers import with_digits

_SAID_SIGNS = {
    "dot": ".", "point": ".", "period": ".", "punto": ".",
    "slash": "/", "barra": "/",
    "dash": "-", "hyphen": "-", "minus": "-", "guion": "-", "guión": "-",
    "underscore": "_",
}  # fmt: skip
_MONTHS_AND_DAYS = (
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec "
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun "
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre ene abr ago dic "
    "lunes martes miercoles jueves viernes sabado domingo"
)
_DATES = frozenset(_MONTHS_AND_DAYS.split())
_COUNTING = frozenset("bcdfghjklmpqrtuvwxz") | {"ii", "iii", "iv", "vi", "vii", "viii", "ix"}
"""Behind another word. Letters that are words of English or Spanish themselves are not among them: that "plan a" is not
"plan b" shows in the other one."""
_LONGEST_ENDING = 8
_BESIDE_THE_NAME = re.compile(r"^(?:the|el|la)\s+|\s+(?:file|folder|directory)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NamePart:
    letters: str
    """Letters and digits, lower case, without accents; nothing else of the name counts."""
    fixed: tuple[str, ...]
    """What has to be equal always: its runs of digits, number words too, the first letters of months and days, and what
    counts without digits ("plan b", "chapter ii")."""

    @property
    def plain(self) -> str:
        """Only the letters."""
        return re.sub(r"\d", "", self.letters)


@dataclass(frozen=True, slots=True)
class WrittenName:
    folders: tuple[NamePart, ...]
    stem: NamePart
    ending: str
    """Lower case, without its dot; empty when there is none."""
    whole: NamePart
    """Stem and ending together."""


def written_name(path: str) -> WrittenName:
    """The parts of a path with / and . in their places."""
    *folders, last = [part for part in path.split("/") if part.strip()] or [""]
    stem, dot, ending = last.strip().rpartition(".")
    if not dot or not stem or not ending.strip().isalnum() or len(ending) > _LONGEST_ENDING:
        stem, ending = last, ""
    return WrittenName(tuple(map(_part, folders)), _part(stem), _letters(ending), _part(f"{stem} {ending}"))


def numbered(path: str) -> tuple[WrittenName, ...]:
    """The parts of a path as it is written, and with digits for its number words."""
    return tuple(dict.fromkeys(written_name(text) for text in (path, *with_digits(path))))


def readings(said: str) -> tuple[WrittenName, ...]:
    """The ways in which `said` can be meant, the most literal first."""
    bare = _BESIDE_THE_NAME.sub("", said.strip())
    texts: list[str] = []
    for words in (said, bare):
        for text in (words, with_signs(words)):
            texts.append(text)
    return tuple(dict.fromkeys(name for text in texts for name in numbered(text)))


def as_written(said: str) -> str:
    """A name for something new, with signs for the words that stand for them: "list dot t x t" -> "list.txt".

    A name that has a dot, or none that is spoken, stays as it is.
    """
    spoken = "." not in said and re.search(r"\S\s+(?:dot|punto)\s+\S", said, re.IGNORECASE)
    return with_signs(said.strip()) if spoken else said


def _part(text: str) -> NamePart:
    return NamePart(_letters(text), tuple(_fixed(text)))


def _fixed(text: str) -> Iterator[str]:
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text.replace("'", "").replace("\u2019", ""))
    plain = folded(next(iter(with_digits(words)), words))
    for number, found in enumerate(re.findall(r"[0-9]+|[^\W\d_]+", plain)):
        if found.isdigit() or found in _DATES:
            yield found if found.isdigit() else found[:3]
        elif number and found in _COUNTING:
            yield found


def _letters(text: str) -> str:
    return "".join(character for character in folded(text) if character.isalnum())


def folded(text: str) -> str:
    """Lower case without accents, and with other scripts' digits as ours, so that none is overlooked."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(_digit(c) for c in decomposed if not unicodedata.combining(c))


def _digit(character: str) -> str:
    return str(unicodedata.decimal(character)) if character.isdecimal() else character


def with_signs(text: str) -> str:
    """Signs for the words that stand for them, and spelled letters as one word: "a dot t x t" -> "a.txt"."""
    words = text.replace("guion bajo", "underscore").replace("guión bajo", "underscore").split()
    signed = "".join(_spaced(_SAID_SIGNS.get(word.casefold(), word) for word in _unspelled(words)))
    return re.sub(r"\s*([./_-])\s*", r"\1", signed)


def _spaced(words: Iterator[str]) -> Iterator[str]:
    for number, word in enumerate(words):
        yield f" {word}" if number else word


def _unspelled(words: Sequence[str]) -> Iterator[str]:
    """Neighbouring single letters become one word."""
    spelled = ""
    for word in words:
        if len(word) == 1 and word.isalpha():
            spelled += word
            continue
        if spelled:
            yield spelled
            spelled = ""
        yield word
    if spelled:
        yield spelled

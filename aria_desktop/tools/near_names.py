"""Which of the names that there are was meant by one that there is not. Pure.

Names come from speech and from a small model: "notes dot t x t", "knotes", "budget.txt" for docs/budget.txt, "config
dot pie". They are compared in steps, from equal to about equal; the first step at which anything fits decides, and
whether one name fits or several is the caller's affair. What must stay true: digits and dates never match
approximately. The runs of digits of the two names are equal, whatever else differs, and so are the months and days
of the week in them; a number word counts as its digits, and "plan b" or "chapter ii" are as far from "plan a" and
"chapter iii" as 2 is from 1 and 3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from aria_desktop.tools.sounds import distance, sound, vowels
from aria_desktop.tools.spoken_names import NamePart, WrittenName, numbered, readings, written_name

SHORTEST_WRONG = 4
"""Characters that a name has to have before one of them may be wrong."""
SHORTEST_TWICE_WRONG = 8
LENGTHS_APART = 3
"""Single words that differ by more characters are not compared: every word of an utterance meets every name."""
TELLING_CONSONANTS = 3
"""With fewer of them in common, names sound alike only if their vowels are the same."""


@dataclass(frozen=True, slots=True)
class Near:
    names: tuple[str, ...]
    """Those that fit equally well, as they are on disk, in the order given; empty when none does."""

    @property
    def only(self) -> str:
        """The one good match; empty when there is none or more than one."""
        return self.names[0] if len(self.names) == 1 else ""


def near(said: str, there: Sequence[str]) -> Near:
    """
    Args:
        said: a path as it was said or written.
        there: paths that exist, with /.
    """
    if said in there:
        return Near((said,))
    candidates = [(path, numbered(path)) for path in there]
    meant = [reading for reading in readings(said) if reading.whole.letters]
    for fits in _STEPS:
        found = tuple(path for path, names in candidates if any(fits(one, name) for one in meant for name in names))
        if found:
            return Near(found)
    return Near(())


@lru_cache(maxsize=65_536)
def word_fits(said: str, part: str) -> bool:
    """Whether a spoken word is this word of a name: like that, in the plural, or nearly so; digits are equal.

    Both are lower case, without accents, and either letters or digits.
    """
    if said == part or not (said.isalpha() and part.isalpha()):
        return said == part
    if singular(said) == singular(part):
        return True
    if min(len(said), len(part)) < SHORTEST_WRONG or abs(len(said) - len(part)) > LENGTHS_APART:
        return False
    return _close(_whole(said), _whole(part))


@lru_cache(maxsize=4_096)
def _whole(word: str) -> NamePart:
    return written_name(word).whole


def singular(word: str) -> str:
    """The same for a word and its plural; need not be a word."""
    if word.endswith("ies") and len(word) > SHORTEST_WRONG:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and len(word) >= SHORTEST_WRONG else word


Fits = Callable[[WrittenName, WrittenName], bool]


def _same_letters(said: WrittenName, name: WrittenName) -> bool:
    """Case, accents, separators and spoken forms apart, it is this path."""
    return said.whole == name.whole and said.folders == name.folders


def _same_name_elsewhere(said: WrittenName, name: WrittenName) -> bool:
    return said.whole == name.whole and _in_folders(said, name, _equal)


def _without_ending(said: WrittenName, name: WrittenName) -> bool:
    return not said.ending and said.stem == name.stem and _in_folders(said, name, _equal)


def _sounds_alike_with_ending(said: WrittenName, name: WrittenName) -> bool:
    """Also a folder's name may be about right, when the file's is."""
    ending = bool(said.ending) and sound(said.ending) == sound(name.ending)
    return ending and _close(said.stem, name.stem) and _in_folders(said, name, _close)


def _sounds_alike(said: WrittenName, name: WrittenName) -> bool:
    return not said.ending and (
        (_close(said.stem, name.stem) or _close(said.whole, name.whole)) and _in_folders(said, name, _close)
    )


def _other_ending(said: WrittenName, name: WrittenName) -> bool:
    return bool(said.ending and name.ending) and said.stem == name.stem and _in_folders(said, name, _equal)


_STEPS: tuple[Fits, ...] = (
    _same_letters,
    _same_name_elsewhere,
    _without_ending,
    _sounds_alike_with_ending,
    _sounds_alike,
    _other_ending,
)


def _in_folders(said: WrittenName, name: WrittenName, alike: Callable[[NamePart, NamePart], bool]) -> bool:
    """The folders that were said are the last ones on the way to the file; none need be."""
    if len(said.folders) > len(name.folders):
        return False
    last = name.folders[len(name.folders) - len(said.folders) :]
    return all(alike(one, other) for one, other in zip(said.folders, last, strict=True))


def _equal(one: NamePart, other: NamePart) -> bool:
    return one == other


def _close(said: NamePart, name: NamePart) -> bool:
    """About the same letters or about the same sound, with the same digits and dates."""
    if said == name:
        return True
    if said.fixed != name.fixed or not said.letters or not name.letters:
        return False
    allowed = _allowed(said.letters, name.letters)
    # The lengths alone tell it for most names; to count the letters of long ones takes minutes.
    near_in_length = abs(len(said.letters) - len(name.letters)) <= allowed
    return (near_in_length and distance(said.letters, name.letters) <= allowed) or _alike(said, name)


def _allowed(one: str, other: str) -> int:
    shorter = min(len(one), len(other))
    return (shorter >= SHORTEST_WRONG) + (shorter >= SHORTEST_TWICE_WRONG)


def _alike(said: NamePart, name: NamePart) -> bool:
    key, heard, written = sound(said.plain), vowels(said.plain), vowels(name.plain)
    if key != sound(name.plain) or len(heard) != len(written):
        return False
    return len(key) >= TELLING_CONSONANTS or (len(key) > 1 and heard == written)

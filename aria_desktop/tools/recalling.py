"""Which facts a question is about: those that share words with it, whatever their case, accents or number. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from aria_desktop.core.records import Fact

_WORD = re.compile(r"\w+")
_SAYS_NOTHING = frozenset(
    # Words that most facts and most questions hold, so that sharing them means nothing.
    _WORD.findall(
        "a about am an and any are as at be been by can could did do does for from had has have he her his how i in is"
        " it its like me mine my of on or our please she so tell than that the their them they this to told us user"
        " users was we were what when where which who whom whose why will with would you your yours remember know"
        " al algo como con cual cuando de del donde dije el ella en era es esta este fue ha he la las le lo los me mi"
        " mis para por que quien se sobre son su sus te tiene tu un una usuario y yo recuerda recuerdas"
    )
)
_LETTERS_AND_MORE = 3
"""Shorter words are compared as they are; "bus" is no plural."""


def matching(query: str, facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """The facts that share words with `query`, in their order.

    One that shares less than half of what the best one shares is left out. Empty when none shares any.
    """
    asked = words(query)
    shared = {fact.number: len(asked & words(fact.text)) for fact in facts}
    best = max(shared.values(), default=0)
    return tuple(fact for fact in facts if best and shared[fact.number] * 2 >= best and shared[fact.number])


def same(one: str, other: str) -> bool:
    """Whether two facts say the same in the same words, up to case, accents and punctuation."""
    return _plain(one) == _plain(other)


def words(text: str) -> frozenset[str]:
    """Of a text, those that say something, each without accents and in its singular."""
    return frozenset(_singular(word) for word in _plain(text) if word not in _SAYS_NOTHING)


def _plain(text: str) -> list[str]:
    """ "Ada's caf\u00e9" -> ada, cafe: a possessive is no other word."""
    marked = unicodedata.normalize("NFKD", text.casefold().replace("\u2019", "'").replace("'s ", " "))
    return _WORD.findall("".join(character for character in marked if not unicodedata.combining(character)))


def _singular(word: str) -> str:
    """The same for a word and its plural, in English and Spanish; need not be a word."""
    if len(word) <= _LETTERS_AND_MORE or word.isdigit():
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    # "boxes", "flores": the e belongs to the plural there, and to the word in "shoes"; leaving it out of both fits.
    return word.removesuffix("e") if len(word) > _LETTERS_AND_MORE else word

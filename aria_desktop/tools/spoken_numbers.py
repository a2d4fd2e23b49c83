"""Number words of English and Spanish as digits: "report two" -> "report 2", "twenty twenty four" -> "2024". Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_UNITS = (
    ("zero", "cero"), ("one", "uno", "una"), ("two", "dos"), ("three", "tres"), ("four", "cuatro"), ("five", "cinco"),
    ("six", "seis"), ("seven", "siete"), ("eight", "ocho"), ("nine", "nueve"), ("ten", "diez"), ("eleven", "once"),
    ("twelve", "doce"), ("thirteen", "trece"), ("fourteen", "catorce"), ("fifteen", "quince"),
    ("sixteen", "dieciseis", "dieciséis"), ("seventeen", "diecisiete"), ("eighteen", "dieciocho"),
    ("nineteen", "diecinueve"), ("twenty", "veinte"), ("veintiuno",), ("veintidos", "veintidós"),
    ("veintitres", "veintitrés"), ("veinticuatro",), ("veinticinco",), ("veintiseis", "veintiséis"),
    ("veintisiete",), ("veintiocho",), ("veintinueve",),
)  # fmt: skip
_TENS = (
    ("thirty", "treinta"), ("forty", "cuarenta"), ("fifty", "cincuenta"), ("sixty", "sesenta"),
    ("seventy", "setenta"), ("eighty", "ochenta"), ("ninety", "noventa"),
)  # fmt: skip
_VALUES = {word: value for value, words in enumerate(_UNITS) for word in words} | {
    word: value for value, words in zip(range(30, 100, 10), _TENS, strict=True) for word in words
}
_THOUSAND = frozenset({"thousand", "mil"})


def with_digits(text: str) -> tuple[str, ...]:
    """`text` with its number words as digits: numbers said one after the other each for itself, and as one run.

    Empty when there is no number word in it.
    """
    pieces = _pieces(text)
    if not any(word.casefold() in _VALUES for word in pieces):
        return ()
    return tuple(dict.fromkeys("".join(_replaced(pieces, between)) for between in (" ", "")))


def _pieces(text: str) -> list[str]:
    """Words and what is between them, in turn; together they are the text."""
    return [piece for piece in re.split(r"([^\W\d_]+)", text) if piece]


def _replaced(pieces: Sequence[str], between: str) -> Iterator[str]:
    """
    Args:
        between: what stands between two numbers that were said one after the other.
    """
    at = 0
    while at < len(pieces):
        if pieces[at].casefold() not in _VALUES:
            yield pieces[at]
            at += 1
            continue
        words, at = _run(pieces, at)
        yield between.join(_numbers(words))


def _run(pieces: Sequence[str], at: int) -> tuple[list[str], int]:
    """The number words from `at` on with nothing but spaces (or the Spanish "y") between them, and where they end."""
    words: list[str] = []
    end = at
    while at < len(pieces):
        word = pieces[at].casefold()
        if word in _VALUES or (word in _THOUSAND and words):
            words.append(word)
            end = at + 1
        elif not (pieces[at].isspace() or pieces[at] in ("-", "y")):
            break
        at += 1
    return words, end


def _numbers(words: Sequence[str]) -> list[str]:
    """ "twenty", "one" -> 21; two such numbers in a row are a year; "two", "thousand", "five" -> 2005."""
    found: list[int] = []
    for word in words:
        if word in _THOUSAND:
            found[-1] *= 1000
        elif found and _goes_on(found[-1], _VALUES[word]):
            found[-1] += _VALUES[word]
        else:
            found.append(_VALUES[word])
    return _years(found)


def _goes_on(before: int, value: int) -> bool:
    """Whether a word belongs to the number before it: units to tens, anything below a hundred to thousands."""
    tens = before % 100 >= 20 and before % 10 == 0 and 0 < value < 10
    return tens or (before >= 1000 and before % 1000 == 0 and 0 < value < 100)


def _years(numbers: Sequence[int]) -> list[str]:
    texts: list[str] = []
    for number in numbers:
        if texts and 10 <= number < 100 and re.fullmatch(r"1\d|20", texts[-1]):
            texts[-1] += str(number)
        else:
            texts.append(str(number))
    return texts

"""Numbers as words and as digits: "forty-five" and "45" are the same answer. Pure.

Whole numbers from 0 to 999,999, in English and Spanish. A word that is no number stays as it is, and so does a
number that stands inside a word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

_ENGLISH_SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_ENGLISH_TENS = (
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
)  # fmt: skip
_SPANISH_SMALL = (
    "cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce",
    "trece", "catorce", "quince", "dieciséis", "diecisiete", "dieciocho", "diecinueve", "veinte", "veintiuno",
    "veintidós", "veintitrés", "veinticuatro", "veinticinco", "veintiséis", "veintisiete", "veintiocho",
    "veintinueve",
)  # fmt: skip
_SPANISH_TENS = (
    "treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa",
)  # fmt: skip
_SPANISH_HUNDREDS = (
    "ciento", "doscientos", "trescientos", "cuatrocientos", "quinientos", "seiscientos", "setecientos",
    "ochocientos", "novecientos",
)  # fmt: skip

_VALUES: Mapping[str, int] = (
    {word: value for value, word in enumerate(_ENGLISH_SMALL)}
    | {word: 10 * tens for tens, word in enumerate(_ENGLISH_TENS, start=2)}
    # "once" is eleven in Spanish and no number in English, where it is far more common.
    | {word: value for value, word in enumerate(_SPANISH_SMALL) if word != "once"}
    | {word: 10 * tens for tens, word in enumerate(_SPANISH_TENS, start=3)}
    | {word: 100 * hundreds for hundreds, word in enumerate(_SPANISH_HUNDREDS, start=1)}
    | {"cien": 100}
)
_FACTORS = {"hundred": 100, "thousand": 1000, "mil": 1000}
_JOINERS = {"and", "y"}
_TOKENS = re.compile(r"[^\W\d_]+|\W+|[\d_]+")
_DIGITS = re.compile(r"(?<![\w.,])(?:\d{1,3}(?:,\d{3})+|\d{1,6})(?![\w]|[.,]\d)")


def readings(text: str) -> tuple[str, ...]:
    """`text` as it is, with its numbers as digits, and with them as English and as Spanish words."""
    found = (text, with_digits(text), _in_words(text, english), _in_words(text, spanish))
    return tuple(dict.fromkeys(found))


def with_digits(text: str) -> str:
    """ "two hundred and five eggs" -> "205 eggs". Words that do not make one number together stay apart."""
    tokens = _TOKENS.findall(text)
    out, index = "", 0
    while index < len(tokens):
        value, end = _number_at(tokens, index)
        out += tokens[index] if value is None else str(value)
        index = index + 1 if value is None else end
    return out


def _number_at(tokens: Sequence[str], start: int) -> tuple[int | None, int]:
    """The number whose words begin at `start`, and where they end."""
    total, group, last, end = 0, None, 0, start
    for position, word in _number_words(tokens, start):
        if word in _VALUES:
            value = _VALUES[word]
            if group is not None and not _goes_on(group, last, value):
                break
            group, last = (group or 0) + value, value
        elif group is None and word != "mil":
            break
        elif word == "hundred" and 0 < (group or 0) < 100:
            group, last = (group or 0) * 100, 100
        elif _FACTORS[word] == 1000 and total == 0:
            total, group, last = (1 if group is None else group) * 1000, 0, 1000
        else:
            break
        end = position + 1
    return (None, start) if end == start else (total + (group or 0), end)


def _number_words(tokens: Sequence[str], start: int) -> Iterator[tuple[int, str]]:
    """Number words from `start` on, joined by nothing but a space, a hyphen or "and"."""
    for position in range(start, len(tokens)):
        word = tokens[position].casefold()
        if word in _VALUES or word in _FACTORS:
            yield position, word
        elif position == start or (word not in _JOINERS and word not in (" ", "-")):
            return


def _goes_on(group: int, last: int, value: int) -> bool:
    """Whether `value` can follow in the same number: units after tens, both after hundreds and thousands."""
    if group == 0 and last == 1000:
        return True
    return (20 <= last < 100 and 0 < value < 10) or (last >= 100 and last % 100 == 0 and 0 < value < 100)


def _in_words(text: str, words: Callable[[int], str]) -> str:
    return _DIGITS.sub(lambda found: words(int(found.group().replace(",", ""))), text)


def english(value: int) -> str:
    """0 to 999,999: "one hundred twenty-three"."""
    if value < 20:
        return _ENGLISH_SMALL[value]
    if value < 100:
        tens = _ENGLISH_TENS[value // 10 - 2]
        return tens if value % 10 == 0 else f"{tens}-{_ENGLISH_SMALL[value % 10]}"
    size, name = (1000, "thousand") if value >= 1000 else (100, "hundred")
    rest = f" {english(value % size)}" if value % size else ""
    return f"{english(value // size)} {name}{rest}"


def spanish(value: int) -> str:
    """0 to 999,999: "ciento veintitrés"."""
    if value < 30:
        return _SPANISH_SMALL[value]
    if value < 100:
        tens = _SPANISH_TENS[value // 10 - 3]
        return tens if value % 10 == 0 else f"{tens} y {_SPANISH_SMALL[value % 10]}"
    if value < 1000:
        rest = f" {spanish(value % 100)}" if value % 100 else ""
        return "cien" if value == 100 else _SPANISH_HUNDREDS[value // 100 - 1] + rest
    thousands = "mil" if value < 2000 else f"{spanish(value // 1000)} mil"
    return thousands + (f" {spanish(value % 1000)}" if value % 1000 else "")

"""Word errors and slots found: one normaliser for whoever is measured. Pure.

Case, punctuation and how a number is written never count: "Room 45." and "room forty-five" are the same words. Digits
may have been said as one number or one by one; the reading with the fewest errors counts, for everybody alike.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from aria_desktop.evaluation.spoken_numbers import english

_SPOKEN = {
    "&": " and ",
    "%": " percent ",
    "+": " plus ",
    "*": " star ",
    "#": " pound ",
}
_LONG = {"mr": "mister", "mrs": "missus", "dr": "doctor", "oz": "ounce", "ok": "okay", "vs": "versus"}
_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+|\d+")


@dataclass(frozen=True, slots=True)
class Scored:
    errors: int
    """Words inserted, left out or changed."""
    words: int
    """Of what was really said."""


def scored(said: str, heard: str) -> Scored:
    truth = min(readings(said), key=len)
    return Scored(min(distance(one, other) for one in readings(said) for other in readings(heard)), len(truth))


def slots_found(slots: Sequence[str], heard: str) -> int:
    """How many of the values were heard, each as its words in a row."""
    return sum(any(_within(value, words) for value in readings(slot) for words in readings(heard)) for slot in slots)


def readings(text: str) -> tuple[tuple[str, ...], ...]:
    """The words of `text`, with its numbers read as wholes, digit by digit, and as years; each that differs once."""
    return tuple(dict.fromkeys(_words(_spelled(text, say)) for say in (_whole, _single, _year)))


def _spelled(text: str, say: Callable[[str], str]) -> str:
    return _NUMBER.sub(lambda number: f" {say(number[0])} ", text)


def distance(said: Sequence[str], heard: Sequence[str]) -> int:
    """The fewest words to insert, leave out or change that make one of the other."""
    row = list(range(len(heard) + 1))
    for place, word in enumerate(said, start=1):
        before, row[0] = row[0], place
        for column, other in enumerate(heard, start=1):
            before, row[column] = row[column], min(before + (word != other), row[column] + 1, row[column - 1] + 1)
    return row[-1]


def _words(text: str) -> tuple[str, ...]:
    for sign, spoken in _SPOKEN.items():
        text = text.replace(sign, spoken)
    folded = unicodedata.normalize("NFKD", text.casefold().replace("\u2019", "'"))
    plain = "".join(letter for letter in folded if not unicodedata.combining(letter)).replace("'", "")
    return tuple(_LONG.get(word, word) for word in re.findall(r"[^\W_]+", plain) if word)


def _whole(digits: str) -> str:
    plain = digits.replace(",", "")
    spells_no_number = plain.startswith("0") and len(plain) > 1
    return _single(plain) if len(plain) > 6 or spells_no_number else english(int(plain))


def _single(digits: str) -> str:
    return " ".join(english(int(digit)) for digit in digits if digit != ",")


def _year(digits: str) -> str:
    """1996 is nineteen ninety-six, 1200 twelve hundred."""
    if len(digits) != 4 or digits.startswith("0"):
        return _whole(digits)
    first, last = int(digits[:2]), int(digits[2:])
    return f"{english(first)} {english(last) if last > 9 else 'hundred' if last == 0 else f'oh {english(last)}'}"


def _within(value: Sequence[str], words: Sequence[str]) -> bool:
    size = len(value)
    return any(tuple(words[start : start + size]) == tuple(value) for start in range(len(words) - size + 1))

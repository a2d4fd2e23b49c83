"""What reading numbers aloud needs to know of a language. Data and small functions; pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass


def named(table: str) -> tuple[str, ...]:
    """The words of a table, in order."""
    return tuple(table.split())


@dataclass(frozen=True, slots=True)
class Money:
    one: str
    many: str
    hundredth: str
    hundredths: str
    """The small coins; empty where there are none."""


@dataclass(frozen=True, slots=True)
class Tongue:
    cardinal: Callable[[int, str], str]
    """Of a whole number and the word that follows it, which may be empty."""
    ordinal: Callable[[int, str], str]
    year: Callable[[int], str]
    date: Callable[[int | None, int, int | None], str]
    """Of day, month (1 to 12) and year."""
    clock: Callable[[int, int], str]
    """Of an hour, 0 to 23, and a minute."""
    decimal_mark: str
    thousands_mark: str
    point: str
    minus: str
    percent: str
    to: str
    """Between the ends of a range."""
    dot: str
    """In versions and addresses."""
    at: str
    money_and: str
    of: str
    """Between "millions" and what there are millions of."""
    over: str
    link: str
    identifier: str
    times: str
    equals: str
    plus: str
    ampersand: str
    number: str
    """Before a figure that was marked with "No." or "#"."""
    months: tuple[str, ...]
    units: Mapping[str, tuple[str, str]]
    """By their signs: one, and any other number."""
    money: Mapping[str, Money]
    fractions: Mapping[tuple[int, int], str]
    scales: Mapping[str, tuple[str, str]]
    """Words and letters after an amount of money that multiply it: one, and several."""
    abbreviations: Mapping[str, str]
    """Lower-case, with their full stops."""
    ordinal_sign: str
    """A pattern for what follows the figure of an ordinal."""
    before_year: frozenset[str]
    """Words after which a number of four figures is a year."""
    half_of_day: Mapping[str, str]
    """How "am" and "pm" are said."""

"""A number as it is written in a language, as words: whole, with decimals, of money, of a unit. Pure."""

from __future__ import annotations

import re

from aria_desktop.assistant.verbalizing.tongue import Tongue

LARGEST = 10**15 - 1
"""Longer numbers are read digit by digit."""

_NEXT_WORD = re.compile(r"\s+([^\W\d_]+)")


def followed_by(text: str, at: int) -> str:
    """The word after the one that ends at `at`; empty when there is none."""
    match = _NEXT_WORD.match(text, at)
    return match[1] if match else ""


def digits(figures: str, tongue: Tongue) -> str:
    """Digit by digit, with a pause where the writer made one."""
    groups = [group for group in re.split(r"\D+", figures) if group]
    return ", ".join(" ".join(tongue.cardinal(int(digit), "") for digit in group) for group in groups)


def number(figures: str, following: str, tongue: Tongue) -> str:
    """
    Args:
        figures: digits with marks between them, as `1,234.5` in English and `1.234,5` in Spanish.
        following: the word that the number stands before; empty: none.
    """
    whole, decimals = _parts(figures, tongue)
    if whole is None:
        return ", ".join(number(part, "", tongue) for part in re.split(r"[.,]", figures))
    if (len(whole) > 1 and whole[0] == "0") or int(whole) > LARGEST:
        said = digits(whole, tongue)
    else:
        said = tongue.cardinal(int(whole), "" if decimals else following)
    return f"{said} {tongue.point} {_decimals(decimals, tongue)}" if decimals else said


def measured(figures: str, sign: str, tongue: Tongue) -> str:
    """An amount with its unit's name."""
    if sign == "%":
        return f"{number(figures, '', tongue)} {tongue.percent}"
    one, many = tongue.units[sign]
    name = one if figures == "1" else many
    return f"{number(figures, name.split()[0], tongue)} {name}"


def money(figures: str, scale: str | None, sign: str, tongue: Tongue, *, minus: bool) -> str:
    """`scale`: what the figures count, as "million"; None: single ones."""
    coins, before = tongue.money[sign], f"{tongue.minus} " if minus else ""
    if re.fullmatch(r"\d+[.,]\d\d", figures):
        figures = f"{figures[:-3]}{tongue.decimal_mark}{figures[-2:]}"
    whole, decimals = _parts(figures, tongue)
    if scale:
        one, many = tongue.scales[scale]
        name = one if figures == "1" else many
        joint = f" {tongue.of}" if tongue.of and name != "mil" else ""
        return f"{before}{number(figures, name, tongue)} {name}{joint} {coins.many}"
    if whole is None or len(decimals) not in (0, 2) or (decimals and not coins.hundredth):
        return f"{before}{number(figures, coins.many, tongue)} {coins.many}"
    said = _coins(int(whole), coins.one, coins.many, tongue)
    if not int(decimals or 0):
        return before + said
    small = _coins(int(decimals), coins.hundredth, coins.hundredths, tongue)
    return before + (small if whole == "0" else f"{said} {tongue.money_and} {small}")


def _coins(count: int, one: str, many: str, tongue: Tongue) -> str:
    name = one if count == 1 else many
    return f"{number(str(count), name, tongue)} {name}"


def _parts(figures: str, tongue: Tongue) -> tuple[str | None, str]:
    """The whole part and the decimals as digits; None for what is no number in this language, but several.

    A model that answers in Spanish may well write numbers the English way, so a mark that can't be the one of
    thousands is taken for the other.
    """
    if figures.isdigit():
        return figures, ""
    thousands, decimal = re.escape(tongue.thousands_mark), re.escape(tongue.decimal_mark)
    if match := re.fullmatch(rf"(\d{{1,3}}(?:{thousands}\d{{3}})+)(?:{decimal}(\d+))?", figures):
        return match[1].replace(tongue.thousands_mark, ""), match[2] or ""
    if match := re.fullmatch(rf"(\d+){decimal}(\d+)", figures):
        return match[1], match[2]
    foreign = tongue.thousands_mark == "."
    if foreign and (match := re.fullmatch(r"(\d+)\.(\d+)", figures)):
        return match[1], match[2]
    return None, ""


def _decimals(decimals: str, tongue: Tongue) -> str:
    """English reads them one by one; so does everybody where they are many or begin with a zero."""
    if tongue.decimal_mark == "," and len(decimals) <= 2 and decimals[0] != "0":
        return tongue.cardinal(int(decimals), "")
    return " ".join(tongue.cardinal(int(digit), "") for digit in decimals)

"""Numbers in running text as words: a row of rules, each of which takes what it knows. Pure.

What must stay true: a number that is part of a name, a word or a path stays as it is; no digit is lost; a rule never
makes a number of what another rule has put into words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from aria_desktop.assistant.verbalizing.amounts import digits, followed_by, measured, money, number
from aria_desktop.assistant.verbalizing.english import ENGLISH
from aria_desktop.assistant.verbalizing.spanish import SPANISH
from aria_desktop.assistant.verbalizing.tongue import Tongue

TONGUES: Mapping[str, Tongue] = {"en": ENGLISH, "es": SPANISH}
"""By ISO 639-1 code."""

_ALONE = r"(?<![\w.,:/@-])"
_END = r"(?![\w/@]|[.,:-]\w)"
"""Around a number that is no part of a name, an address or a longer number."""

_SIGNED = rf"(?:(?<![\w.,:/@-])[-−+](?=\d)|{_ALONE})"
_FIGURES = r"\d+(?:[.,]\d+)*"

_ISO_DATE = re.compile(rf"{_ALONE}(\d{{4}})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::\d\d)?Z?)?{_END}")
_SLASH_DATE = re.compile(rf"{_ALONE}(\d{{1,2}})/(\d{{1,2}})/(\d{{4}}){_END}")
_CLOCK = re.compile(rf"{_ALONE}([01]?\d|2[0-3]):([0-5]\d)(?:[ ]?([ap])(?:m\b|\.m\.))?{_END}", re.IGNORECASE)
_HALF_DAY = re.compile(rf"{_ALONE}(1[0-2]|[1-9])[ ]?([ap])(?:m\b|\.m\.)", re.IGNORECASE)
_SPAN = re.compile(rf"{_ALONE}(\d+):([0-5]\d):([0-5]\d){_END}")
_DOTTED = re.compile(rf"(?<![\w.,:/@-])[vV]?(\d+(?:\.\d+){{2,}}){_END}")
_VERSION = re.compile(rf"(?<![\w.,:/@-])[vV](\d+(?:\.\d+)?){_END}")
_PHONE = re.compile(rf"{_ALONE}\+\d{{1,3}}(?:[ -]?\d{{2,4}}){{2,5}}{_END}")
_RANGE = re.compile(rf"{_ALONE}(\d{{1,4}})[–-](\d{{1,4}})(?=\s*([^\W\d_]*|%)){_END}")
_FRACTION = re.compile(rf"{_ALONE}(\d{{1,3}})/(\d{{1,3}}){_END}")
_NUMBERED = re.compile(rf"(?:\b[Nn]o\.|\b[Nn]úm\.|[Nn]\.?º|#)\s?(\d+){_END}")
_PLAIN = re.compile(rf"{_SIGNED}({_FIGURES}){_END}")
_SUM = re.compile(r"(?<=[\w)])\s+([=+&])\s+(?=[\w(-])")
_VULGAR = {"½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4)}


def verbalized(text: str, language: str) -> str:
    """`text` with its numbers as words of `language` (ISO 639-1); unchanged in a language that has no rules."""
    tongue = TONGUES.get(language)
    if tongue is None:
        return text
    for rule in _RULES:
        text = rule(text, tongue)
    return text


def _dates(text: str, tongue: Tongue) -> str:
    def iso(match: re.Match[str]) -> str:
        year, month, day = (int(match[group]) for group in (1, 2, 3))
        if not _is_date(day, month):
            return match[0]
        clock = f" {tongue.clock(int(match[4]), int(match[5]))}" if match[4] and int(match[4]) < 24 else ""
        return tongue.date(day, month, year) + clock

    def slashed(match: re.Match[str]) -> str:
        day, month, year = (int(match[group]) for group in (1, 2, 3))
        if tongue is ENGLISH and day <= 12:
            # Which is the day is known only where the other can't be a month.
            day, month = month, day
            if day <= 12 and day != month:
                return " ".join([tongue.cardinal(month, ""), tongue.cardinal(day, ""), tongue.year(year)])
        return tongue.date(day, month, year) if _is_date(day, month) else match[0]

    return _SLASH_DATE.sub(slashed, _ISO_DATE.sub(iso, text))


def _named_dates(text: str, tongue: Tongue) -> str:
    """ "December 1, 2026", "1 December", "1 de diciembre de 2026"."""
    months = {month.lower(): at for at, month in enumerate(tongue.months, 1)}
    names = "|".join(tongue.months)
    month_first = rf"\b({names})\s+(\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+(\d{{4}}))?{_END}"
    day_first = rf"{_ALONE}(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:de\s+)?({names})(?:,?\s+(?:de\s+|del\s+)?(\d{{4}}))?{_END}"

    def said(whole: str, day: str, month: str, year: str | None) -> str:
        if not 1 <= int(day) <= 31:
            return whole
        return tongue.date(int(day), months[month.lower()], int(year) if year else None)

    flags = 0 if tongue is ENGLISH else re.IGNORECASE
    text = re.sub(day_first, lambda m: said(m[0], m[1], m[2], m[3]), text, flags=flags)
    if tongue is not ENGLISH:
        return text
    text = re.sub(month_first, lambda m: said(m[0], m[2], m[1], m[3]), text)
    return re.sub(rf"\b({names})\s+(\d{{4}}){_END}", lambda m: f"{m[1]} {tongue.year(int(m[2]))}", text)


def _clocks(text: str, tongue: Tongue) -> str:
    def span(match: re.Match[str]) -> str:
        parts = zip(match.groups(), ("h", "min", "s"), strict=True)
        return ", ".join(measured(str(int(part)), sign, tongue) for part, sign in parts if int(part) or sign == "s")

    def clock(match: re.Match[str]) -> str:
        hour, minute, half = int(match[1]), int(match[2]), match[3]
        if not half:
            return tongue.clock(hour, minute)
        said = tongue.cardinal(hour, "") if not minute else tongue.clock(hour, minute)
        return f"{said} {tongue.half_of_day[half.lower() + 'm']}{_full_stop(match)}"

    def hour(match: re.Match[str]) -> str:
        said = tongue.cardinal(int(match[1]), "horas")
        return f"{said} {tongue.half_of_day[match[2].lower() + 'm']}{_full_stop(match)}"

    return _HALF_DAY.sub(hour, _CLOCK.sub(clock, _SPAN.sub(span, text)))


def _full_stop(match: re.Match[str]) -> str:
    """The last full stop of "p.m." ends the sentence too where one begins after it."""
    return "." if match[0].endswith(".") and re.match(r"\s+[A-ZÁÉÍÓÚÑ¿¡]|\s*\Z", match.string[match.end() :]) else ""


def _dotted(text: str, tongue: Tongue) -> str:
    """Versions and network addresses."""

    def said(match: re.Match[str]) -> str:
        if tongue.thousands_mark == "." and re.fullmatch(r"\d{1,3}(?:\.\d{3})+", match[1]):
            return match[0]
        between = tongue.dot if match[1].count(".") > 2 else (tongue.point if tongue is ENGLISH else tongue.dot)
        parts = [
            tongue.cardinal(int(part), "") if len(part) < 7 else digits(part, tongue) for part in match[1].split(".")
        ]
        return f"{'v ' if match[0][0] in 'vV' else ''}{f' {between} '.join(parts)}"

    return _VERSION.sub(said, _DOTTED.sub(said, text))


def _money(text: str, tongue: Tongue) -> str:
    signs = "|".join(re.escape(sign) for sign in sorted(tongue.money, key=len, reverse=True))
    scales = "|".join(sorted(tongue.scales, key=len, reverse=True))
    before = rf"(?<!\w)(-?)({signs})\s?({_FIGURES})(?:\s?({scales})\b)?(?!\w)"
    after = rf"{_SIGNED}({_FIGURES})(?:\s?({scales}))?\s?({signs})(?!\w)"

    def is_minus(match: re.Match[str]) -> bool:
        return match[0][0] in "-−"

    text = re.sub(before, lambda m: money(m[3], m[4], m[2], tongue, minus=m[1] == "-"), text)
    return re.sub(after, lambda m: money(m[1], m[2], m[3], tongue, minus=is_minus(m)), text)


def _measures(text: str, tongue: Tongue) -> str:
    signs = "|".join(re.escape(sign) for sign in sorted([*tongue.units, "%"], key=len, reverse=True))
    between = rf"{_ALONE}({_FIGURES})\s?[–-]\s?({_FIGURES})\s?({signs})(?![\w/²³])"
    single = rf"{_SIGNED}({_FIGURES})\s?({signs})(?![\w/²³])"

    def said(match: re.Match[str]) -> str:
        return _sign(match[0], tongue) + measured(match[1], match[2], tongue)

    text = re.sub(between, lambda m: f"{number(m[1], '', tongue)} {tongue.to} {measured(m[2], m[3], tongue)}", text)
    return re.sub(single, said, text)


def _ordinals(text: str, tongue: Tongue) -> str:
    pattern = rf"{_ALONE}(\d{{1,6}}){tongue.ordinal_sign}(?!\w)"
    return re.sub(pattern, lambda m: tongue.ordinal(int(m[1]), followed_by(text, m.end())), text)


def _runs(text: str, tongue: Tongue) -> str:
    """Telephone numbers, ranges, fractions and numbered things."""

    def ranged(match: re.Match[str]) -> str:
        if len(match[1]) > len(match[2]) or int(match[1]) >= int(match[2]):
            return match[0]
        both = len(match[1]) == len(match[2]) == 4
        say = tongue.year if both else (lambda value: tongue.cardinal(value, match[3] or ""))
        return f"{say(int(match[1]))} {tongue.to} {say(int(match[2]))}"

    def fraction(match: re.Match[str]) -> str:
        upper, lower = int(match[1]), int(match[2])
        plain = f"{tongue.cardinal(upper, '')} {tongue.over} {tongue.cardinal(lower, '')}"
        return tongue.fractions.get((upper, lower), plain)

    text = _PHONE.sub(lambda m: f"{tongue.plus} {digits(m[0], tongue)}", text)
    text = _NUMBERED.sub(lambda m: f"{tongue.number} {number(m[1], '', tongue)}", text)
    text = _FRACTION.sub(fraction, _RANGE.sub(ranged, text))
    for sign, parts in _VULGAR.items():
        text = re.sub(rf"(?<=\d)\s?{sign}", f" {tongue.ampersand} {tongue.fractions[parts]}", text)
        text = text.replace(sign, tongue.fractions[parts])
    return text


def _numbers(text: str, tongue: Tongue) -> str:
    def said(match: re.Match[str]) -> str:
        figures, before = match[1], text[: match.start()].rsplit(None, 1)
        is_year = len(figures) == 4 and figures.isdigit() and 1100 <= int(figures) <= 2099
        if is_year and before and before[-1].lower() in tongue.before_year:
            return tongue.year(int(figures))
        return _sign(match[0], tongue) + number(figures, followed_by(text, match.end()), tongue)

    return _PLAIN.sub(said, text)


def _signs(text: str, tongue: Tongue) -> str:
    names = {"=": tongue.equals, "+": tongue.plus, "&": tongue.ampersand}
    return _SUM.sub(lambda match: f" {names[match[1]]} ", text)


def _abbreviations(text: str, tongue: Tongue) -> str:
    for short, long in tongue.abbreviations.items():
        text = re.sub(rf"(?<!\w){re.escape(short)}(?=\s|[,;:)]|\Z)", long, text, flags=re.IGNORECASE)
    return text


def _sign(matched: str, tongue: Tongue) -> str:
    return {"-": f"{tongue.minus} ", "−": f"{tongue.minus} ", "+": f"{tongue.plus} "}.get(matched[0], "")


def _is_date(day: int, month: int) -> bool:
    return 1 <= day <= 31 and 1 <= month <= 12


_RULES: tuple[Callable[[str, Tongue], str], ...] = (
    _abbreviations, _dates, _named_dates, _clocks, _dotted, _money, _measures, _ordinals, _runs, _signs, _numbers,
)  # fmt: skip

"""Spanish number words, with the gender of what is counted. Pure."""

from __future__ import annotations

from enum import StrEnum

from aria_desktop.assistant.verbalizing.tongue import named

_SMALL = named(
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete "
    "dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete "
    "veintiocho veintinueve"
)
_TENS = named("treinta cuarenta cincuenta sesenta setenta ochenta noventa")
_HUNDREDS = named(
    "ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos"
)
_MILLIONS = ((10**12, "billón", "billones"), (10**6, "millón", "millones"))
_ORDINALS = named("primero segundo tercero cuarto quinto sexto séptimo octavo noveno décimo undécimo duodécimo")


class Counted(StrEnum):
    """What a number stands before."""

    NOTHING = "nothing"
    MASCULINE = "masculine"
    FEMININE = "feminine"


def cardinal(number: int, counted: Counted = Counted.NOTHING) -> str:
    """`number`: 0 to `amounts.LARGEST`."""
    if number < 30:
        return _one(_SMALL[number], number, counted)
    if number < 100:
        tens, rest = divmod(number, 10)
        return _TENS[tens - 3] + (f" y {cardinal(rest, counted)}" if rest else "")
    if number < 1000:
        hundreds, rest = divmod(number, 100)
        word = _HUNDREDS[hundreds - 1]
        if counted is Counted.FEMININE and hundreds > 1:
            word = f"{word[:-2]}as"
        return "cien" if number == 100 else word + (f" {cardinal(rest, counted)}" if rest else "")
    return _large(number, counted)


def _large(number: int, counted: Counted) -> str:
    for size, one, many in _MILLIONS:
        if number >= size:
            count, rest = divmod(number, size)
            head = f"un {one}" if count == 1 else f"{cardinal(count, Counted.MASCULINE)} {many}"
            return head + (f" {cardinal(rest, counted)}" if rest else "")
    thousands, rest = divmod(number, 1000)
    of_thousands = Counted.FEMININE if counted is Counted.FEMININE else Counted.MASCULINE
    head = "mil" if thousands == 1 else f"{cardinal(thousands, of_thousands)} mil"
    return head + (f" {cardinal(rest, counted)}" if rest else "")


def _one(word: str, number: int, counted: Counted) -> str:
    """ "uno" bends to what it stands before."""
    if number not in (1, 21) or counted is Counted.NOTHING:
        return word
    if counted is Counted.FEMININE:
        return f"{word[:-1]}a"
    return "un" if number == 1 else "veintiún"


def ordinal(number: int, counted: Counted = Counted.NOTHING) -> str:
    """The words of everyday for the first twelve; beyond them Spanish counts on with cardinals."""
    if not 1 <= number <= len(_ORDINALS):
        return cardinal(number, counted)
    word = _ORDINALS[number - 1]
    if counted is Counted.FEMININE:
        return f"{word[:-1]}a"
    return word[:-1] if counted is Counted.MASCULINE and number in (1, 3) else word

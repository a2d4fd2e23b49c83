"""Spanish, as numbers, units, times, dates and money are read in it."""

from __future__ import annotations

import re

from aria_desktop.assistant.verbalizing import spanish_numbers as numbers
from aria_desktop.assistant.verbalizing.spanish_numbers import Counted
from aria_desktop.assistant.verbalizing.tongue import Money, Tongue, named

_MONTHS = (
    "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre",
    "diciembre",
)  # fmt: skip
_UNITS = {
    "mm": ("milímetro", "milímetros"), "cm": ("centímetro", "centímetros"), "m": ("metro", "metros"),
    "km": ("kilómetro", "kilómetros"), "mi": ("milla", "millas"), "m²": ("metro cuadrado", "metros cuadrados"),
    "km²": ("kilómetro cuadrado", "kilómetros cuadrados"), "m³": ("metro cúbico", "metros cúbicos"),
    "mg": ("miligramo", "miligramos"), "g": ("gramo", "gramos"), "kg": ("kilo", "kilos"),
    "lb": ("libra", "libras"), "oz": ("onza", "onzas"), "ml": ("mililitro", "mililitros"),
    "mL": ("mililitro", "mililitros"), "l": ("litro", "litros"), "L": ("litro", "litros"),
    "ms": ("milisegundo", "milisegundos"), "s": ("segundo", "segundos"), "seg": ("segundo", "segundos"),
    "min": ("minuto", "minutos"), "h": ("hora", "horas"), "km/h": ("kilómetro por hora", "kilómetros por hora"),
    "m/s": ("metro por segundo", "metros por segundo"), "B": ("byte", "bytes"), "kB": ("kilobyte", "kilobytes"),
    "KB": ("kilobyte", "kilobytes"), "MB": ("megabyte", "megabytes"), "GB": ("gigabyte", "gigabytes"),
    "TB": ("terabyte", "terabytes"), "KiB": ("kibibyte", "kibibytes"), "MiB": ("mebibyte", "mebibytes"),
    "GiB": ("gibibyte", "gibibytes"), "Mbit/s": ("megabit por segundo", "megabits por segundo"),
    "Hz": ("hercio", "hercios"), "kHz": ("kilohercio", "kilohercios"), "MHz": ("megahercio", "megahercios"),
    "GHz": ("gigahercio", "gigahercios"), "W": ("vatio", "vatios"), "kW": ("kilovatio", "kilovatios"),
    "kWh": ("kilovatio hora", "kilovatios hora"), "V": ("voltio", "voltios"), "dB": ("decibelio", "decibelios"),
    "px": ("píxel", "píxeles"), "fps": ("fotograma por segundo", "fotogramas por segundo"),
    "°C": ("grado centígrado", "grados centígrados"), "°F": ("grado Fahrenheit", "grados Fahrenheit"),
    "°": ("grado", "grados"),
}  # fmt: skip
_MONEY = {
    "$": Money("dólar", "dólares", "centavo", "centavos"), "US$": Money("dólar", "dólares", "centavo", "centavos"),
    "USD": Money("dólar", "dólares", "centavo", "centavos"), "€": Money("euro", "euros", "céntimo", "céntimos"),
    "EUR": Money("euro", "euros", "céntimo", "céntimos"), "£": Money("libra", "libras", "penique", "peniques"),
    "GBP": Money("libra", "libras", "penique", "peniques"), "¥": Money("yen", "yenes", "", ""),
}  # fmt: skip
_SCALES = {
    "mil": ("mil", "mil"), "millón": ("millón", "millones"), "millones": ("millón", "millones"),
    "M": ("millón", "millones"),
}  # fmt: skip
_NO_NOUN = frozenset(
    named(
        "y o u e de del a al en por para que con sin es son era fue está están hay más menos entre como si no ni pero"
    )
)
_FEMININE_ENDINGS = re.compile(r"(?:as?|ión|iones|dad|dades|tud|tudes)\Z")
_MASCULINE = frozenset(named("día días mapa mapas problema problemas programa programas sistema sistemas")) | frozenset(
    named("tema temas idioma idiomas diagrama diagramas dilema dilemas byte bytes")
)


def counted_by(following: str) -> Counted:
    """The gender of what a number counts, by the word that follows it."""
    word = following.lower()
    if not word or not word[0].isalpha() or word in _NO_NOUN:
        return Counted.NOTHING
    return Counted.FEMININE if word not in _MASCULINE and _FEMININE_ENDINGS.search(word) else Counted.MASCULINE


def _date(day: int | None, month: int, year: int | None) -> str:
    said_day = ("uno de " if day == 1 else f"{numbers.cardinal(day)} de ") if day else ""
    return f"{said_day}{_MONTHS[month - 1]}" + (f" de {numbers.cardinal(year)}" if year is not None else "")


def _clock(hour: int, minute: int) -> str:
    said = numbers.cardinal(hour, Counted.FEMININE)
    if not minute:
        return f"{said} en punto"
    return f"{said} y {numbers.cardinal(minute)}" if minute < 30 else f"{said} {numbers.cardinal(minute)}"


SPANISH = Tongue(
    cardinal=lambda number, following: numbers.cardinal(number, counted_by(following)),
    ordinal=lambda number, following: numbers.ordinal(number, counted_by(following)),
    year=numbers.cardinal,
    date=_date,
    clock=_clock,
    decimal_mark=",",
    thousands_mark=".",
    point="coma",
    minus="menos",
    percent="por ciento",
    to="a",
    dot="punto",
    at="arroba",
    money_and="con",
    of="de",
    over="sobre",
    link="un enlace",
    identifier="un identificador",
    times="por",
    equals="es igual a",
    plus="más",
    ampersand="y",
    number="número",
    months=_MONTHS,
    units=_UNITS,
    money=_MONEY,
    fractions={
        (1, 2): "un medio", (1, 3): "un tercio", (2, 3): "dos tercios", (1, 4): "un cuarto", (3, 4): "tres cuartos",
    },
    scales=_SCALES,
    abbreviations={
        "p. ej.": "por ejemplo", "p.ej.": "por ejemplo", "etc.": "etcétera", "aprox.": "aproximadamente",
        "ee. uu.": "Estados Unidos",
    },
    ordinal_sign="(?:\\.?[ºª]|er|ero|era)",
    before_year=frozenset(),
    half_of_day={"am": "de la mañana", "pm": "de la tarde"},
)  # fmt: skip

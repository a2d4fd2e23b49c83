"""English, as numbers, units, times, dates and money are read in it."""

from __future__ import annotations

from aria_desktop.assistant.verbalizing import english_numbers as numbers
from aria_desktop.assistant.verbalizing.tongue import Money, Tongue, named

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_UNITS = {
    "mm": ("millimeter", "millimeters"), "cm": ("centimeter", "centimeters"), "m": ("meter", "meters"),
    "km": ("kilometer", "kilometers"), "ft": ("foot", "feet"), "mi": ("mile", "miles"),
    "m²": ("square meter", "square meters"), "km²": ("square kilometer", "square kilometers"),
    "m³": ("cubic meter", "cubic meters"), "mg": ("milligram", "milligrams"), "g": ("gram", "grams"),
    "kg": ("kilogram", "kilograms"), "lb": ("pound", "pounds"), "lbs": ("pound", "pounds"),
    "oz": ("ounce", "ounces"), "ml": ("milliliter", "milliliters"), "mL": ("milliliter", "milliliters"),
    "l": ("liter", "liters"), "L": ("liter", "liters"), "ms": ("millisecond", "milliseconds"),
    "s": ("second", "seconds"), "sec": ("second", "seconds"), "min": ("minute", "minutes"), "h": ("hour", "hours"),
    "km/h": ("kilometer per hour", "kilometers per hour"), "mph": ("mile per hour", "miles per hour"),
    "m/s": ("meter per second", "meters per second"), "B": ("byte", "bytes"), "kB": ("kilobyte", "kilobytes"),
    "KB": ("kilobyte", "kilobytes"), "MB": ("megabyte", "megabytes"), "GB": ("gigabyte", "gigabytes"),
    "TB": ("terabyte", "terabytes"), "KiB": ("kibibyte", "kibibytes"), "MiB": ("mebibyte", "mebibytes"),
    "GiB": ("gibibyte", "gibibytes"), "Mbit/s": ("megabit per second", "megabits per second"),
    "Hz": ("hertz", "hertz"), "kHz": ("kilohertz", "kilohertz"), "MHz": ("megahertz", "megahertz"),
    "GHz": ("gigahertz", "gigahertz"), "W": ("watt", "watts"), "kW": ("kilowatt", "kilowatts"),
    "kWh": ("kilowatt hour", "kilowatt hours"), "V": ("volt", "volts"), "mAh": ("milliamp hour", "milliamp hours"),
    "dB": ("decibel", "decibels"), "px": ("pixel", "pixels"), "fps": ("frame per second", "frames per second"),
    "°C": ("degree Celsius", "degrees Celsius"), "°F": ("degree Fahrenheit", "degrees Fahrenheit"),
    "°": ("degree", "degrees"),
}  # fmt: skip
_MONEY = {
    "$": Money("dollar", "dollars", "cent", "cents"), "US$": Money("dollar", "dollars", "cent", "cents"),
    "USD": Money("dollar", "dollars", "cent", "cents"), "€": Money("euro", "euros", "cent", "cents"),
    "EUR": Money("euro", "euros", "cent", "cents"), "£": Money("pound", "pounds", "penny", "pence"),
    "GBP": Money("pound", "pounds", "penny", "pence"), "¥": Money("yen", "yen", "", ""),
}  # fmt: skip
_SCALES = {
    "thousand": ("thousand", "thousand"), "million": ("million", "million"), "billion": ("billion", "billion"),
    "k": ("thousand", "thousand"), "M": ("million", "million"), "bn": ("billion", "billion"),
}  # fmt: skip
_BEFORE_YEAR = named("in since by until till of from before after during year circa around early late mid")


def _date(day: int | None, month: int, year: int | None) -> str:
    said_day = f" {numbers.ordinal(day)}" if day else ""
    said_year = f"{',' if day else ''} {numbers.year(year)}" if year is not None else ""
    return f"{_MONTHS[month - 1]}{said_day}{said_year}"


def _clock(hour: int, minute: int) -> str:
    if not minute:
        return f"{numbers.cardinal(hour)} o'clock" if 0 < hour <= 12 else f"{numbers.cardinal(hour)} hundred hours"
    return f"{numbers.cardinal(hour)} {'oh ' if minute < 10 else ''}{numbers.cardinal(minute)}"


ENGLISH = Tongue(
    cardinal=lambda number, _next: numbers.cardinal(number),
    ordinal=lambda number, _next: numbers.ordinal(number),
    year=numbers.year,
    date=_date,
    clock=_clock,
    decimal_mark=".",
    thousands_mark=",",
    point="point",
    minus="minus",
    percent="percent",
    to="to",
    dot="dot",
    at="at",
    money_and="and",
    of="",
    over="over",
    link="a link",
    identifier="an identifier",
    times="times",
    equals="equals",
    plus="plus",
    ampersand="and",
    number="number",
    months=_MONTHS,
    units=_UNITS,
    money=_MONEY,
    fractions={
        (1, 2): "one half", (1, 3): "one third", (2, 3): "two thirds", (1, 4): "one quarter", (3, 4): "three quarters",
    },
    scales=_SCALES,
    abbreviations={
        "e.g.": "for example", "i.e.": "that is", "etc.": "et cetera", "vs.": "versus", "approx.": "approximately",
    },
    ordinal_sign="(?:st|nd|rd|th)",
    before_year=frozenset(_BEFORE_YEAR),
    half_of_day={"am": "a m", "pm": "p m"},
)  # fmt: skip

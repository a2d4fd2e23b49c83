"""English number words. Pure."""

from __future__ import annotations

from aria_desktop.assistant.verbalizing.tongue import named

_SMALL = named(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = named("twenty thirty forty fifty sixty seventy eighty ninety")
_GROUPS = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred"))
_ORDINALS = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}  # fmt: skip


def cardinal(number: int) -> str:
    """`number`: 0 to `amounts.LARGEST`."""
    if number < 20:
        return _SMALL[number]
    if number < 100:
        tens, rest = divmod(number, 10)
        return _TENS[tens - 2] + (f"-{_SMALL[rest]}" if rest else "")
    size, name = next(group for group in _GROUPS if number >= group[0])
    many, rest = divmod(number, size)
    joint = " and " if rest < 100 else " "
    return f"{cardinal(many)} {name}" + (f"{joint}{cardinal(rest)}" if rest else "")


def ordinal(number: int) -> str:
    """`number`: 0 to `amounts.LARGEST`."""
    words = cardinal(number)
    at = max(words.rfind(" "), words.rfind("-")) + 1
    last = words[at:]
    return words[:at] + (_ORDINALS.get(last) or (f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th"))


def year(number: int) -> str:
    """As years are read: nineteen eighty-four, two thousand and six, twenty twenty-six."""
    century, rest = divmod(number, 100)
    if not 1100 <= number <= 2099 or 2000 <= number <= 2009:
        return cardinal(number)
    if not rest:
        return f"{cardinal(century)} hundred"
    return f"{cardinal(century)} {'oh ' if rest < 10 else ''}{cardinal(rest)}"

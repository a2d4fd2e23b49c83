"""The words of the window in the language that it speaks: English in the source, every other language in a file.

`tr("Microphone is closed")` is the English text, or what `resources/words/CODE.json` says in its place. The English
text is the key, so the source reads as the window does. What counts things goes through `counted`, which knows the
plural rule of the language. Text from outside (names, what was said, errors of the system) is a value in `{braces}`
and never a key.

The language is chosen once, when the window is made, on the Qt main thread. tests/unit/gui/test_translation.py
walks the source and fails for a key that a language lacks, for one that nothing uses, and for other braces.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

_GAP = "\N{NO-BREAK SPACE}"
PluralRule = Callable[[int], int]
"""How many -> which of the language's forms."""


def _one_other(count: int) -> int:
    return 0 if count == 1 else 1


def _always_the_same(_count: int) -> int:
    return 0


def _one_few_many(count: int) -> int:
    if count % 10 == 1 and count % 100 != 11:
        return 0
    return 1 if 2 <= count % 10 <= 4 and not 12 <= count % 100 <= 14 else 2


def _six(count: int) -> int:
    if count <= 2:
        return count
    return 3 if 3 <= count % 100 <= 10 else 4 if count % 100 >= 11 else 5


RULES: Mapping[str, tuple[int, PluralRule]] = {
    "one_other": (2, _one_other),
    "same": (1, _always_the_same),
    "one_few_many": (3, _one_few_many),
    "six": (6, _six),
}
"""The kinds of plural, each with how many forms it has: English and Spanish, Japanese, Russian, Arabic."""


@dataclass(frozen=True, slots=True)
class Language:
    code: str = "en"
    name: str = "English"
    """As its speakers call it."""
    right_to_left: bool = False
    decimal: str = "."
    thousands: str = ","
    plural: str = "one_other"
    """A key of `RULES`."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """English -> this language."""
    plurals: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """English singular -> the forms of this language."""


ENGLISH = Language()
_speaks = ENGLISH


def use(language: Language) -> None:
    """From here on every text is in this language. Texts that are on the screen already stay."""
    global _speaks
    _speaks = language


def spoken() -> Language:
    return _speaks


def tr(text: str, **values: object) -> str:
    """`text` in the window's language, with `{name}` replaced by its value; values are put in as they are."""
    return filled(_speaks.texts.get(text, text), values)


def mark(text: str) -> str:
    """The text itself: it is a key that a `tr(variable)` elsewhere translates when it is shown."""
    return text


def marks(*texts: str) -> tuple[str, ...]:
    return texts


def counted(count: int, one: str, many: str) -> str:
    """ "1 line", "3 lines", "3 líneas"; `one` and `many` are English."""
    forms = _speaks.plurals.get(one, (one, many))
    rule = RULES[_speaks.plural][1] if one in _speaks.plurals else _one_other
    return f"{grouped(count)}{_GAP}{forms[min(rule(count), len(forms) - 1)]}"


def grouped(count: int) -> str:
    return f"{count:,}".replace(",", _speaks.thousands)


def decimal(figure: str) -> str:
    """A figure that was written with a point, as this language writes it."""
    return figure.replace(".", _speaks.decimal)


def filled(text: str, values: Mapping[str, object]) -> str:
    """Unlike str.format it reads no attributes, and braces in a value stay what they are."""
    parts = text.split("{")
    result = [parts[0]]
    for part in parts[1:]:
        name, closed, rest = part.partition("}")
        result.append(f"{values[name]}{rest}" if closed and name in values else "{" + part)
    return "".join(result)


def best(wanted: str, system: str, available: tuple[str, ...]) -> str:
    """The code to speak: `wanted`, or with "auto" the system's ("es_MX.UTF-8") where there are words for it."""
    code = system[:2].lower() if wanted == "auto" else wanted
    return code if code in available else "en"

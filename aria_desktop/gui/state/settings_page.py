"""What the Settings page shows, from the one declaration of each setting: categories, rows, search, and why a value
does not fit. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from aria_desktop.core.plain import well_formed
from aria_desktop.gui.state.marked import Marked, marked
from aria_desktop.gui.state.shown import one_line
from aria_desktop.gui.state.translation import decimal, mark, spoken, tr
from aria_desktop.storage.declarations import Settings, declared, sections
from aria_desktop.storage.rules import Number, OneOf, Rule, Switch, Whole, default_of, rule_of

Value = bool | int | float | str


class Category(Enum):
    """In the order of the page; the value is its name."""

    HEARING = mark("Hearing")
    KEYS = mark("Keys")
    VOICE = mark("Voice")
    THINKING = mark("Thinking")
    PERMISSIONS = mark("Permissions")
    LEAVE = mark("What can leave")
    KEEPING = mark("Keeping and deleting")
    WORKSPACE = mark("Workspace")
    APPEARANCE = mark("Appearance")
    TROUBLE = mark("Troubleshooting")


ICONS = {
    Category.HEARING: "ear",
    Category.KEYS: "keyboard",
    Category.VOICE: "volume-2",
    Category.THINKING: "brain",
    Category.PERMISSIONS: "shield-check",
    Category.LEAVE: "lock",
    Category.KEEPING: "database",
    Category.WORKSPACE: "folder",
    Category.APPEARANCE: "sun-moon",
    Category.TROUBLE: "wrench",
}
_SECTIONS = {
    "microphone": Category.HEARING,
    "talk_key": Category.KEYS,
    "voice": Category.VOICE,
    "language_model": Category.THINKING,
    "answers": Category.THINKING,
    "limits": Category.THINKING,
    "engines": Category.THINKING,
    "undo": Category.KEEPING,
    "history": Category.KEEPING,
    "window": Category.APPEARANCE,
}
_ELSEWHERE = {"engines.speech": Category.HEARING, "engines.voice": Category.VOICE}
"""Settings that stand with another category than their section."""
_CHOICES = {
    "window.theme=system": mark("As the system"),
    "window.theme=light": mark("Light"),
    "window.theme=dark": mark("Dark"),
    "window.theme=contrast": mark("High contrast"),
    "window.language=auto": mark("As the system"),
    "window.language=en": "English",
    "window.language=es": "Español",
    "answers.level=beginner": mark("Beginners"),
    "answers.level=intermediate": mark("Everybody"),
    "answers.level=advanced": mark("Experts"),
    "microphone.confirm_words=never": mark("Never"),
    "microphone.confirm_words=unsure": mark("When a word is unsure"),
    "microphone.confirm_words=always": mark("Always"),
    "talk_key.way=auto": mark("What works here"),
    "talk_key.way=portal": mark("The desktop's portal"),
    "talk_key.way=x11": "X11",
    "talk_key.way=evdev": "evdev",
    "talk_key.way=pynput": "pynput",
    "talk_key.way=off": mark("Not at all"),
    "talk_key.mode=auto": mark("Hold or tap"),
    "talk_key.mode=hold": mark("Hold"),
    "talk_key.mode=toggle": mark("Tap"),
    "talk_key.mode=hands_free": mark("Hands free"),
    "voice.earcons=off": mark("Never"),
    "voice.earcons=end": mark("When it closes"),
    "voice.earcons=all": mark("When it opens and closes"),
    "engines.gpu=auto": mark("When it fits"),
    "engines.gpu=off": mark("Never"),
}
"""Languages are called as their speakers call them."""


@dataclass(frozen=True, slots=True)
class SettingRow:
    name: str
    """"section.name"."""
    category: Category
    rule: Rule
    title: Marked
    words: Marked
    """What it does, in a sentence or two."""
    unit: str
    value: Value
    default: Value

    @property
    def changed(self) -> bool:
        return self.value != self.default

    @property
    def default_words(self) -> str:
        return tr("Back to {value}", value=self.in_words(self.default))

    def in_words(self, value: Value) -> str:
        shown = choice_words(self.name, value) if isinstance(self.rule, OneOf) else one_line(shown_value(value))
        return f"{shown or tr('nothing')}{unit_words(self.unit)}"


@dataclass(frozen=True, slots=True)
class Judged:
    """What becomes of a text in a field."""

    value: Value | None
    """None: it does not fit."""
    complaint: str = ""


def rows(settings: Settings, query: str = "") -> tuple[SettingRow, ...]:
    """Every setting, in the order of the categories; with a query those that have each of its words."""
    found = [row for row in _all(settings, query) if _fits(row, query)]
    order = list(Category)
    return tuple(sorted(found, key=lambda row: order.index(row.category)))


def categories_with(text: str) -> tuple[Category, ...]:
    """Those whose own name has each word of the query."""
    return tuple(category for category in Category if text.strip() and marked(tr(category.value), text).hits_all)


def judged(row: SettingRow, text: str) -> Judged:
    """Judge what was typed. Figures may be written as the language writes them."""
    given = well_formed(text.strip())
    if isinstance(row.rule, Number | Whole):
        given = given.replace(spoken().decimal, ".")
    value = row.rule.parse(given)
    if row.rule.fits(value) and isinstance(value, Value):
        return Judged(value)
    still = row.in_words(row.value)
    if isinstance(row.rule, Number | Whole):
        low, high = (shown_value(limit) for limit in (row.rule.low, row.rule.high))
        what = tr("Use {low} to {high}{unit}.", low=low, high=high, unit=unit_words(row.unit))
    else:
        what = tr("Use {what}.", what=tr(row.rule.allowed))
    return Judged(None, f"{what} {tr('Still using {value}.', value=still)}")


def choice_words(name: str, value: object) -> str:
    return tr(_CHOICES.get(f"{name}={value}", str(value)))


def shown_value(value: object) -> str:
    """As it stands in a field."""
    if isinstance(value, bool):
        return tr("on") if value else tr("off")
    return decimal(f"{value:g}") if isinstance(value, float) else str(value)


def unit_words(unit: str) -> str:
    """With the gap before it; "%" and the like need no translation."""
    return f"\N{NO-BREAK SPACE}{tr(unit)}" if unit else ""


def is_long(row: SettingRow) -> bool:
    """Its field needs more room than a figure."""
    return not isinstance(row.rule, Number | Whole | Switch | OneOf)


def _all(settings: Settings, query: str) -> Iterator[SettingRow]:
    for section, kind in sections().items():
        for key, entry in declared(kind).items():
            name = f"{section}.{key}"
            words = tr(entry.metadata["words"])
            if entry.metadata["at_start"]:
                words = f"{words} {tr('Holds from the next start on.')}"
            yield SettingRow(
                name=name,
                category=_ELSEWHERE.get(name, _SECTIONS[section]),
                rule=rule_of(entry),
                title=marked(tr(entry.metadata["title"]), query),
                words=marked(words, query),
                unit=entry.metadata["unit"],
                value=getattr(getattr(settings, section), key),
                default=default_of(entry),  # type: ignore[arg-type]
            )


def _fits(row: SettingRow, query: str) -> bool:
    """Each word of the query is in the title, the sentence, the name, or the category."""
    line = f"{row.title.text} {row.words.text} {row.name} {tr(row.category.value)}"
    return all(word in line.casefold() for word in query.casefold().split())

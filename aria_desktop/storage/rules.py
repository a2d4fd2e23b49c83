"""What the value of one setting may be: a kind of rule per kind of value.

A rule is data beside the declaration of its setting (`storage.declarations`); the reader of the settings file,
`aria settings set` and the guide's table all go by it, so that they cannot disagree.
"""

from __future__ import annotations

import json
import re
from dataclasses import MISSING, Field, dataclass, field
from typing import Any, Protocol


class Rule(Protocol):
    @property
    def allowed(self) -> str:
        """What fits, in words that end a sentence."""

    def fits(self, value: object) -> bool: ...

    def parse(self, text: str) -> object:
        """The value that `text` from a command line means; the text itself when it means none."""


@dataclass(frozen=True, slots=True)
class Whole:
    low: int
    high: int

    @property
    def allowed(self) -> str:
        return f"a whole number from {self.low} to {self.high}"

    def fits(self, value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and self.low <= value <= self.high

    def parse(self, text: str) -> object:
        return int(text) if re.fullmatch(r"-?[0-9]{1,18}", text, re.ASCII) else text


@dataclass(frozen=True, slots=True)
class Number:
    low: float
    high: float

    @property
    def allowed(self) -> str:
        return f"a number from {self.low:g} to {self.high:g}"

    def fits(self, value: object) -> bool:
        """Not a number (nan) is in no range."""
        return isinstance(value, int | float) and not isinstance(value, bool) and self.low <= value <= self.high

    def parse(self, text: str) -> object:
        return float(text) if re.fullmatch(r"-?[0-9]{1,18}(\.[0-9]{1,18})?", text, re.ASCII) else text


@dataclass(frozen=True, slots=True)
class Switch:
    allowed: str = "true or false"

    def fits(self, value: object) -> bool:
        return isinstance(value, bool)

    def parse(self, text: str) -> object:
        return {"true": True, "false": False}.get(text.lower(), text)


@dataclass(frozen=True, slots=True)
class OneOf:
    choices: tuple[str, ...]

    @property
    def allowed(self) -> str:
        quoted = [f'"{choice}"' for choice in self.choices]
        return f"{', '.join(quoted[:-1])} or {quoted[-1]}"

    def fits(self, value: object) -> bool:
        return isinstance(value, str) and value in self.choices

    def parse(self, text: str) -> object:
        return text


@dataclass(frozen=True, slots=True)
class Text:
    pattern: str
    """What the whole text must match."""
    allowed: str

    def fits(self, value: object) -> bool:
        return isinstance(value, str) and re.fullmatch(self.pattern, value) is not None

    def parse(self, text: str) -> object:
        return text


def setting(title: str, default: object, rule: Rule, words: str, *, unit: str = "", at_start: bool = False) -> Any:
    """Declare a field of a section: its default, what it may be, and what it does, in a sentence or two.

    Args:
        title: what it is, in a few words, for a row of the window.
        unit: of a number, behind it.
        at_start: it is read when the program starts, and a change holds from the next start on.
    """
    if not rule.fits(default):
        raise ValueError(f"{default!r} is not {rule.allowed}")
    return field(
        default=default, metadata={"title": title, "rule": rule, "words": words, "unit": unit, "at_start": at_start}
    )


def rule_of(declared: Field[Any]) -> Rule:
    rule: Rule = declared.metadata["rule"]
    return rule


def default_of(declared: Field[Any]) -> object:
    if declared.default is MISSING:
        raise TypeError(f"{declared.name} has no default")
    return declared.default


def as_toml(value: object) -> str:
    """A setting's value as it stands in the file."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)

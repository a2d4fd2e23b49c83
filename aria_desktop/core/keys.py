"""Names of keys and of combinations of them, the same on every system: "ctrl+alt+space", "f9", "ctrl_right".

Each way of hearing a key has its own table from these names to its own codes; a test holds the tables against these.
"""

from __future__ import annotations

import string
from dataclasses import dataclass

MODIFIERS = ("ctrl", "alt", "shift", "super")
"""In the order in which a combination is written."""

KEYS = (
    *string.ascii_lowercase,
    *string.digits,
    *(f"f{number}" for number in range(1, 25)),
    *("space", "tab", "enter", "escape", "backspace", "insert", "delete", "home", "end", "page_up", "page_down"),
    *("up", "down", "left", "right", "pause", "print", "scroll_lock", "caps_lock", "menu"),
    *(f"{modifier}_{side}" for modifier in MODIFIERS for side in ("left", "right")),
    *("minus", "equal", "comma", "period", "slash", "backslash", "semicolon", "apostrophe", "grave"),
)

PATTERN = rf"(?:(?:{'|'.join(MODIFIERS)})\+)*(?:{'|'.join(sorted(KEYS, key=len, reverse=True))})"
"""What `combination` reads, as a regular expression."""


@dataclass(frozen=True, slots=True)
class Combination:
    """A key that is pressed while modifiers are held."""

    key: str
    """One of `KEYS`."""
    modifiers: frozenset[str] = frozenset()
    """Of `MODIFIERS`."""

    def __str__(self) -> str:
        return "+".join([*(name for name in MODIFIERS if name in self.modifiers), self.key])


def combination(text: str) -> Combination:
    """Raises ValueError, naming what is no key."""
    *modifiers, key = text.strip().lower().split("+")
    for name in modifiers:
        if name not in MODIFIERS:
            raise ValueError(f"{name!r} can't be held: it is none of {', '.join(MODIFIERS)}")
    if key not in KEYS:
        raise ValueError(f"there is no key called {key!r}")
    return Combination(key, frozenset(modifiers))

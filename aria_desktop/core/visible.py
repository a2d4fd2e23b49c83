"""Text from models and files, made safe to look at: what would hide or reorder itself is spelled out.

Terminals obey escape sequences, and every renderer obeys direction marks; a question that a person has to
answer must show what is really there.
"""

from __future__ import annotations

import unicodedata

_KEPT = frozenset("\n\t")
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def visible(text: str) -> str:
    """Control, format (zero-width and direction) and unassigned characters as `<U+202E>`; line breaks and
    tabs stay."""
    return "".join(_shown(character) for character in text)


def visible_line(text: str) -> str:
    """The same for a text that has to stay on one line: line breaks and tabs are spelled out too."""
    return "".join(f"<U+{ord(c):04X}>" if c in _KEPT else _shown(c) for c in text)


def _shown(character: str) -> str:
    if character in _KEPT or unicodedata.category(character) not in _HIDDEN_CATEGORIES:
        return character
    return f"<U+{ord(character):04X}>"

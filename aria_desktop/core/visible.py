"""Text from models and files, made safe to look at: what would hide or reorder itself is spelled out.

Terminals obey escape sequences, and every renderer obeys direction marks; a question that a person has to
answer must show what is really there.
"""

from __future__ import annotations

import json
import re
import unicodedata

LOOKS_EMPTY = re.compile(
    # Fillers, joiners and variation selectors, which Unicode counts as letters and marks but no font draws.
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef"
    # Every blank but the space.
    "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]"
)
"""One character that looks like an ordinary blank or like nothing at all."""
_KEPT = frozenset("\n\t")
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def visible(text: str) -> str:
    """Control, format (zero-width and direction) and unassigned characters as `<U+202E>`; line breaks and
    tabs stay."""
    return "".join(_shown(character) for character in text)


def visible_line(text: str) -> str:
    """The same for a text that has to stay on one line: line breaks and tabs are spelled out too."""
    return "".join(f"<U+{ord(c):04X}>" if c in _KEPT else _shown(c) for c in text)


def spelled_out(text: str) -> str:
    """`visible`, and what looks empty too: for questions, whose answer must not rest on what can't be seen."""
    return LOOKS_EMPTY.sub(lambda found: f"<U+{ord(found.group()):04X}>", visible(text))


def visible_json(text: str) -> str:
    """The same for JSON that is printed: what hides becomes JSON's own escape, so that it is the same value still."""
    return "".join(c if _shown(c) == c else json.dumps(c)[1:-1] for c in text)


def _shown(character: str) -> str:
    if character in _KEPT or unicodedata.category(character) not in _HIDDEN_CATEGORIES:
        return character
    return f"<U+{ord(character):04X}>"

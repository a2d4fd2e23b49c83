"""Written text as it is said. Pure.

Marks that steer the eye (Markdown, tables, code) are left out or turned into words; what stays is what a person
would read aloud. Code blocks are not read: `sentences` has dropped them before.
"""

from __future__ import annotations

import re
import unicodedata

_LINK = re.compile(r"!?\[([^\]]*)\]\([^)\s]*(?:\s+\"[^\"]*\")?\)")
_ADDRESS = re.compile(r"\b(?:https?|ftp|file)://[^\s<>\"')\]]+|\bwww\.[^\s<>\"')\]]+", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
_LINE_START = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]+|>[ \t]*|[-*+•◦▪‣][ \t]+|\d{1,3}[.)][ \t]+|\[[ xX]\][ \t]+)+", re.MULTILINE
)
_RULE = re.compile(r"^[ \t]*(?:[-*_=][ \t]*){3,}$|^[ \t]*\|?(?:[ \t]*:?-{2,}:?[ \t]*\|?)+[ \t]*$", re.MULTILINE)
_EMPHASIS = re.compile(r"(\*\*\*|\*\*|\*|___|__|~~)(?=\S)(.+?)(?<=\S)\1", re.DOTALL)
_UNDERLINED = re.compile(r"(?<!\w)_(?=\S)(.+?)(?<=\S)_(?!\w)", re.DOTALL)
_PATH = re.compile(r"(?<![\w/\\])(?:~|\.{1,2}|[A-Za-z]:)?[/\\](?:[\w.@+-]+[/\\])*([\w.@+-]+)[/\\]?")
_INNER_PATH = re.compile(r"\b(?:[\w.@+-]+[/\\]){2,}([\w.@+-]+\.\w{1,8})\b")
_SNAKE = re.compile(r"(?<=[^\W_])_+(?=[^\W_])")
_CELLS = re.compile(r"[ \t]*\|[ \t]*")
_TIMES = re.compile(r"(?<=\d)[ \t]*[*×][ \t]*(?=\d)")
_LEFTOVERS = re.compile(r"[`*#|~^<>{}\[\]\\_]+")
_COMMAS = re.compile(r"\s*,(?:\s*,)+")
_BEFORE_MARK = re.compile(r"\s+([,.;:!?])")
_SPACE = re.compile(r"\s+")

_SILENT_CATEGORIES = frozenset({"So", "Sk", "Cs", "Co", "Cn", "Cc", "Cf"})
_SILENT = frozenset("\ufe0e\ufe0f\u20e3")
"""Marks that make the character before them a picture."""
_SAID = frozenset("°©®™")


def speakable(text: str) -> str:
    """`text` as words on one line; empty when nothing in it can be said."""
    text = _LINK.sub(r"\1", unicodedata.normalize("NFC", text))
    text = _ADDRESS.sub("a link", text)
    text = _TAG.sub(" ", text)
    text = _RULE.sub("", text)
    text = _LINE_START.sub("", text)
    text = _UNDERLINED.sub(r"\1", _EMPHASIS.sub(r"\2", text))
    text = _SNAKE.sub(" ", _INNER_PATH.sub(r"\1", _PATH.sub(r"\1", text)))
    text = _LEFTOVERS.sub(" ", _TIMES.sub(" times ", _CELLS.sub(", ", text)))
    text = "".join(char for char in text if _is_said(char))
    text = _BEFORE_MARK.sub(r"\1", _COMMAS.sub(",", _SPACE.sub(" ", text))).strip(" ,;")
    return text if any(char.isalnum() for char in text) else ""


def _is_said(char: str) -> bool:
    if char.isspace() or char in _SAID:
        return True
    return char not in _SILENT and unicodedata.category(char) not in _SILENT_CATEGORIES

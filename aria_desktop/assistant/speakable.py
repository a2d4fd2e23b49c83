"""Written text as it is said. Pure.

Marks that steer the eye (Markdown, tables, code) are left out or turned into words, identifiers and addresses are
named instead of spelt, and numbers become words where the language has rules for them; what stays is what a person
would read aloud. Code blocks are not read: `sentences` has dropped them before.
"""

from __future__ import annotations

import re
import unicodedata

from aria_desktop.assistant.verbalizing.english import ENGLISH
from aria_desktop.assistant.verbalizing.rules import TONGUES, verbalized
from aria_desktop.assistant.verbalizing.tongue import Tongue

_LINK = re.compile(r"!?\[([^\]]*)\]\([^)\s]*(?:\s+\"[^\"]*\")?\)")
_ADDRESS = re.compile(
    r"\b(?:(?:https?|ftp|file)://|www\.)[^\s<>\"')\]]*[^\s<>\"')\].,;:!?]",
    re.IGNORECASE,
)
_MAIL = re.compile(r"(?<![\w.@])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_IDENTIFIER = re.compile(
    r"\b(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
    r"|(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,}"
    r"|(?=[A-Za-z0-9]*\d)(?=[A-Za-z0-9]*[a-z])(?=[A-Za-z0-9]*[A-Z])[A-Za-z0-9]{20,})\b(?!\.\w)"
)
"""Made by machines: nobody says them. With an ending it is a file's name, which may have to be said."""
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


def speakable(text: str, language: str = "") -> str:
    """`text` as words on one line; empty when nothing in it can be said.

    Args:
        language: ISO 639-1 code; numbers stay figures, for the voice, where it is empty or has no rules.
    """
    tongue = TONGUES.get(language, ENGLISH)
    text = _LINK.sub(r"\1", unicodedata.normalize("NFC", text))
    text = _IDENTIFIER.sub(tongue.identifier, _ADDRESS.sub(tongue.link, text))
    text = _MAIL.sub(lambda match: _spelt(match[0], tongue), text)
    text = _TAG.sub(" ", text)
    text = _RULE.sub("", text)
    text = _LINE_START.sub("", text)
    text = _UNDERLINED.sub(r"\1", _EMPHASIS.sub(r"\2", text))
    text = _SNAKE.sub(" ", _INNER_PATH.sub(r"\1", _PATH.sub(r"\1", text)))
    text = _LEFTOVERS.sub(" ", _TIMES.sub(f" {tongue.times} ", _CELLS.sub(", ", text)))
    text = "".join(char for char in text if _is_said(char))
    text = _BEFORE_MARK.sub(r"\1", _COMMAS.sub(",", _SPACE.sub(" ", text))).strip(" ,;")
    return verbalized(text, language) if any(char.isalnum() for char in text) else ""


def _spelt(address: str, tongue: Tongue) -> str:
    return address.replace("@", f" {tongue.at} ").replace(".", f" {tongue.dot} ")


def _is_said(char: str) -> bool:
    if char.isspace() or char in _SAID:
        return True
    return char not in _SILENT and unicodedata.category(char) not in _SILENT_CATEGORIES

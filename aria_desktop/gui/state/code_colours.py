"""Which stretches of a text are keywords, strings, calls, numbers and comments, told by the name of its file. Pure.

Colours are a courtesy: a text that is too long for them, or that no language is known for, is plain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import PurePath
from typing import Any

MOST_LINES = 2_000
MOST_IN_A_LINE = 500
"""Characters. The patterns of a language are tried at every place of a line: a longer one could hold up the window."""

_SHOWN_AS = {"Text only": "Text", "TOML": "TOML", "Bash": "Shell"}


@dataclass(frozen=True, slots=True)
class Stretch:
    start: int
    """Characters from the start of the line."""
    length: int
    token: str
    """A field of `theme.Tokens`."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Of a line of a change."""

    text: str
    token: str
    changed: bool


Lines = tuple[tuple[Stretch, ...], ...]


def language_of(name: str) -> str:
    """ "Python" for "retry.py"; empty when the ending says nothing."""
    found = _lexer_for(name)
    return _SHOWN_AS.get(found.name, str(found.name)) if found is not None else ""


def colour_lines(text: str, name: str) -> Lines:
    """The coloured stretches of each line; empty when the text is shown plain."""
    lines = text.split("\n")
    if len(lines) > MOST_LINES or max(map(len, lines)) > MOST_IN_A_LINE:
        return ()
    lexer = _lexer_for(name)
    if lexer is None or lexer.name == "Text only":
        return ()
    coloured: list[list[Stretch]] = [[]]
    place = 0
    # The lexer would take these away, or break the line at them.
    plain = text.replace("\r", " ").replace("\ufeff", " ")
    for kind, piece in lexer(stripnl=False, ensurenl=False).get_tokens(plain):
        for number, part in enumerate(piece.split("\n")):
            if number:
                coloured.append([])
                place = 0
            if token := _token(str(kind), part):
                coloured[-1].append(Stretch(place, len(part), token))
            place += len(part)
    return tuple(tuple(line) for line in coloured)


@lru_cache(maxsize=256)
def _lexer_for(name: str) -> Any:
    """By the ending alone: names like "Makefile" are words that people use for their notes too."""
    from pygments.lexers import find_lexer_class_for_filename

    end = PurePath(name).suffix.lower()
    return find_lexer_class_for_filename(f"name{end}") if end else None


def pieces(line: str, changed: Sequence[tuple[int, int]], stretches: Sequence[Stretch]) -> Iterator[Piece]:
    """The whole line in pieces that have one colour each and are wholly changed or not at all."""
    cuts = {0, len(line)}
    cuts.update(place for start, end in changed for place in (start, end))
    cuts.update(place for s in stretches for place in (s.start, s.start + s.length))
    for start, end in pairwise(sorted(cut for cut in cuts if cut <= len(line))):
        token = next((s.token for s in stretches if s.start <= start < s.start + s.length), "text")
        yield Piece(line[start:end], token, any(a <= start < b for a, b in changed))


def _token(kind: str, text: str) -> str:
    """Of a kind as Pygments names it, for instance "Token.Name.Function"; empty for plain text."""
    if not text.strip():
        return ""
    return next((token for start, token in _TOKENS if kind.startswith(start)), "")


_TOKENS = (
    ("Token.Keyword", "code_keyword"),
    ("Token.Operator.Word", "code_keyword"),
    ("Token.Name.Tag", "code_keyword"),
    ("Token.Literal.String", "code_string"),
    ("Token.Name.Function", "code_call"),
    ("Token.Name.Class", "code_call"),
    ("Token.Name.Builtin", "code_call"),
    ("Token.Name.Decorator", "code_call"),
    ("Token.Name.Attribute", "code_call"),
    ("Token.Literal.Number", "code_number"),
    ("Token.Comment", "code_comment"),
    ("Token.Generic.Heading", "code_call"),
    ("Token.Generic.Subheading", "code_call"),
)

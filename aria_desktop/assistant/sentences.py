"""Text that is still being written, cut into clauses worth speaking. Pure.

The first clause is handed out early, so that the voice begins while the rest is written; later ones are whole
sentences, which sound better. What must stay true:

- What was handed out is final: a clause is cut only where later text can't change its reading (a number, its unit, an
  abbreviation, an open link or code span).
- Code blocks are never spoken.
- Put together, the clauses are the whole text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from aria_desktop.assistant.speakable import speakable

FIRST_MARK_WORDS = 4
"""The first clause may end at a comma from so many words on."""
FIRST_WORDS = 10
"""Where no mark comes, the first clause ends after so many words, or before a joining word after `FIRST_EARLIEST`."""
FIRST_EARLIEST = 6
LONG_WORDS = 25
"""A later clause may end at a comma from so many words on."""
LONGEST_WORDS = 45
"""No clause gets longer than this."""

_FENCE = re.compile(r"^[ \t]*(```|~~~)[^\n]*$", re.MULTILINE)
_CLOSED = re.compile(r"`[^`\n]+`|!?\[[^\]\n]*\]\([^)\n]*\)|\b(?:https?|ftp)://[^\s]+|\bwww\.[^\s]+")
_OPENED = re.compile(r"`[^`\n]*\Z|!?\[[^\]\n]*(?:\](?:\([^)\n]*)?)?\Z")
_SENTENCE_END = re.compile(r"(?:[.!?…]+|[。！？])[\"'”’»)\]*_]*(?=\s|\Z)|(?<=[。！？])")
_CLAUSE_END = re.compile(r"[,;:–—](?=\s)")
_LINE_END = re.compile(r"\n")
_WORD = re.compile(r"\S+")
_LIST_NUMBER = re.compile(r"(?:^|\n)[ \t]*\d{1,3}\.\Z")
_INITIAL = re.compile(r"(?:^|[\s(])[A-Z]\.\Z")

_ABBREVIATED = """
e.g. i.e. etc. vs. dr. mr. mrs. ms. prof. st. no. nr. approx. fig. jr. sr. inc. ltd. co. min. max. sec. vol.
z.b. d.h. u.a. usw. bzw. ca. evtl. ggf. inkl. tel. str. hr. fr. p.ex. sra. srta.
"""
_JOINING = """
and but or which that because with for from in on at to so when where if while as than
und aber oder weil dass mit et mais ou que avec y pero o con
"""
ABBREVIATIONS = frozenset(_ABBREVIATED.split())
JOINING_WORDS = frozenset(_JOINING.split())


@dataclass(frozen=True, slots=True)
class Clause:
    said: str
    written: str
    """The stretch of the text that it stands for, with what is left out of it."""


class Clauses:
    """Feed pieces as they are written; get clauses, ready to be spoken. For one text, for one thread."""

    def __init__(self, language: str = "") -> None:
        """`language`: see `speakable`."""
        self._language = language
        self._text = ""
        self._cut = 0
        self._handed_out = 0
        """Up to here clauses stand for the text."""
        self._first = True

    def feed(self, piece: str) -> list[Clause]:
        """The clauses that `piece` makes whole."""
        self._text += piece
        return self._clauses(final=False)

    def end(self, whole: str) -> list[Clause]:
        """The rest. `whole` is the text as it stands in the end: where it goes on from what was handed out, only the
        rest is said, else all of it."""
        if not whole.startswith(self._text[: self._cut]):
            self._cut = self._handed_out = 0
        self._text = whole
        return self._clauses(final=True)

    def _clauses(self, *, final: bool) -> list[Clause]:
        found = list[Clause]()
        while (length := self._next(self._text[self._cut :], final=final)) > 0:
            said = speakable(_FENCE.sub("", self._text[self._cut : self._cut + length]), self._language)
            self._cut += length
            if said:
                found.append(Clause(said, self._text[self._handed_out : self._cut]))
                self._first, self._handed_out = False, self._cut
        return found

    def _next(self, rest: str, *, final: bool) -> int:
        """Length of the next clause in `rest`; 0 when more text is needed. Skips a code block at the start."""
        if not rest.strip():
            return len(rest) if final else 0
        fence = _FENCE.search(rest)
        if fence and not rest[: fence.start()].strip():
            return self._skip_code(rest, fence, final=final)
        if fence:
            rest, final = rest[: fence.start()], True
        return self._clause_end(rest, final=final)

    def _skip_code(self, rest: str, fence: re.Match[str], *, final: bool) -> int:
        closing = re.compile(rf"^[ \t]*{re.escape(fence.group(1))}[ \t]*$", re.MULTILINE).search(rest, fence.end())
        if closing is None:
            if final:
                self._cut += len(rest)
            return 0
        self._cut += closing.end()
        return self._next(self._text[self._cut :], final=final)

    def _clause_end(self, rest: str, *, final: bool) -> int:
        masked = _CLOSED.sub(lambda span: "x" * len(span.group()), rest)
        opened = None if final else _OPENED.search(masked)
        if opened:
            masked = masked[: opened.start()]
        elif not final and masked.endswith("`"):
            masked = masked.rstrip("`")
        end = min(filter(None, (self._sentence_end(masked, final=final), self._early_end(masked))), default=0)
        return end or (len(rest) if final else 0)

    def _sentence_end(self, masked: str, *, final: bool) -> int:
        said = len(masked) - len(masked.lstrip())
        for match in re.finditer(f"{_SENTENCE_END.pattern}|{_LINE_END.pattern}", masked[said:]):
            end = said + match.end()
            if match.group() == "\n" or (_ends_sentence(masked, end) and (end < len(masked) or final)):
                return end
        return 0

    def _early_end(self, masked: str) -> int:
        words = list(_WORD.finditer(masked))
        mark, most = (FIRST_MARK_WORDS, FIRST_WORDS) if self._first else (LONG_WORDS, LONGEST_WORDS)
        for match in _CLAUSE_END.finditer(masked):
            if sum(word.start() < match.start() for word in words) >= mark:
                return match.end()
        if len(words) <= most:
            return 0
        earliest = FIRST_EARLIEST if self._first else LONG_WORDS
        joining = [w for w in words[earliest : most + 1] if w.group().lower() in JOINING_WORDS]
        if joining:
            return joining[-1].start()
        # A number and its unit are read together.
        whole = [words[at] for at in range(most, earliest, -1) if not words[at - 1].group()[-1].isdigit()]
        return (whole[0] if whole else words[most]).start()


def _ends_sentence(text: str, end: int) -> bool:
    """Whether the full stop at `end` is the end of a sentence and not a part of the word before it."""
    before = text[:end]
    if not before.endswith("."):
        return True
    if _LIST_NUMBER.search(before) or _INITIAL.search(before):
        return False
    word = before.rsplit(None, 1)[-1].lstrip("(\"'").lower()
    return word not in ABBREVIATIONS

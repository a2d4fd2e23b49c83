"""Any text into pieces that a voice may safely be given: pure.

What stays true of each piece: it holds a letter or a digit, no control or format characters, no half
surrogates, no phonemizer commands (`[[...]]`, SSML tags), and at most `LONGEST` characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

LONGEST = 200
"""Characters: a long sentence, which takes about 12 s to say."""

_PASSED_OVER = {"Cc", "Cf", "Cs", "Co", "Cn", "So"}
"""Control, format, surrogate, private, unassigned; other symbols, which are emoji for the most part."""
_SENTENCE_END = re.compile(r"(?<=[.!?…。！？])[\"'”’)\]]*\s+|\n+")
_CLAUSE_END = re.compile(r"(?<=[,;:–—、，；：])\s*")


def pieces(text: str) -> Iterator[str]:
    """Sentence by sentence; a sentence that is too long is cut at clauses, at spaces, at last anywhere."""
    for sentence in _SENTENCE_END.split(text):
        for piece in _short(_cleaned(sentence)):
            if any(map(str.isalnum, piece)):
                yield piece


def _cleaned(sentence: str) -> str:
    kept = "".join(" " if _is_passed_over(char) else char for char in sentence)
    # Brackets and angles are commands to phonemizers, and pauses at best to listeners.
    plain = re.sub(r"[\[\]<>{}|\\^~`*_#]+", " ", kept)
    return " ".join(plain.split())


def _is_passed_over(char: str) -> bool:
    return unicodedata.category(char) in _PASSED_OVER and char not in "\n\t°"


def _short(sentence: str) -> Iterator[str]:
    while len(sentence) > LONGEST:
        cut = _cut(sentence)
        yield sentence[:cut].strip()
        sentence = sentence[cut:].strip()
    if sentence:
        yield sentence


def _cut(sentence: str) -> int:
    clauses = [match.end() for match in _CLAUSE_END.finditer(sentence, LONGEST // 3, LONGEST)]
    if clauses:
        return clauses[-1]
    space = sentence.rfind(" ", LONGEST // 3, LONGEST)
    return space if space > 0 else LONGEST

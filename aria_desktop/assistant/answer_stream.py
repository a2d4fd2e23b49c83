"""The text of an answer while its JSON is still being generated, character by character. Pure."""

from __future__ import annotations

import re

_OPENING = re.compile(r'\s*\{\s*"answer"\s*:\s*"')
_COULD_OPEN = re.compile(r'\s*(\{\s*("(a(n(s(w(e(r("\s*(:\s*)?)?)?)?)?)?)?)?)?)?\Z')
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_UNICODE_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")


class AnswerStream:
    """`feed` takes raw text and returns what it adds to the answer: nothing for a call, or for what is no legal
    reply, and never half of an escape."""

    def __init__(self) -> None:
        self._rest = ""
        self._open = False
        self._over = False

    def feed(self, piece: str) -> str:
        self._rest += piece
        if self._over:
            return ""
        if not self._open and not self._opens():
            return ""
        return self._decoded()

    def _opens(self) -> bool:
        opening = _OPENING.match(self._rest)
        if opening:
            self._rest = self._rest[opening.end() :]
            self._open = True
        elif not _COULD_OPEN.match(self._rest):
            self._over = True
        return self._open

    def _decoded(self) -> str:
        text = []
        while self._rest and not self._over:
            step = self._next()
            if step is None:
                break
            character, length = step
            text.append(character)
            self._rest = self._rest[length:]
        return "".join(text)

    def _next(self) -> tuple[str, int] | None:
        """The next character and how much raw text it takes; None when more raw text is needed, or at the end."""
        if self._rest[0] == '"':
            self._over = True
            return None
        if self._rest[0] != "\\":
            return self._rest[0], 1
        if len(self._rest) < 2:
            return None
        if self._rest[1] in _ESCAPES:
            return _ESCAPES[self._rest[1]], 2
        return self._next_unicode()

    def _next_unicode(self) -> tuple[str, int] | None:
        first = _UNICODE_ESCAPE.match(self._rest)
        if first is None:
            self._over = len(self._rest) >= 6 or self._rest[1] != "u"
            return None
        code = int(first.group(1), 16)
        if not 0xD800 <= code <= 0xDFFF:
            return chr(code), 6
        second = _UNICODE_ESCAPE.match(self._rest, 6)
        if second is None:
            self._over = len(self._rest) >= 12
            return None
        pair = self._rest[:12].encode().decode("unicode_escape").encode("utf-16", "surrogatepass")
        return pair.decode("utf-16", "replace"), 12

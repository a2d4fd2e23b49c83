"""The text of an answer while its JSON is still being generated, character by character. Pure."""

from __future__ import annotations

import re

_OPENING = re.compile(r'\s*\{\s*"answer"\s*:\s*"')
_COULD_OPEN = re.compile(r'\s*(\{\s*("(a(n(s(w(e(r("\s*(:\s*)?)?)?)?)?)?)?)?)?)?\Z')
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_PLAIN = re.compile(r'[^"\\]+')
_UNICODE_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")


class AnswerStream:
    """`feed` takes raw text and returns what it adds to the answer: nothing for a call, or for what is no legal
    reply, and never half of an escape."""

    def __init__(self) -> None:
        self._rest = ""
        self._open = False
        self._over = False

    def feed(self, piece: str) -> str:
        if self._over:
            return ""
        self._rest += piece
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
        text, at = [], 0
        while at < len(self._rest) and not self._over:
            plain = _PLAIN.match(self._rest, at)
            if plain:
                text.append(plain.group())
                at = plain.end()
                continue
            step = self._next(at)
            if step is None:
                break
            text.append(step[0])
            at += step[1]
        self._rest = self._rest[at:]
        return "".join(text)

    def _next(self, at: int) -> tuple[str, int] | None:
        """The escaped character there and how much raw text it takes; None when more raw text is needed, or at the
        end."""
        if self._rest[at] == '"':
            self._over = True
            return None
        escape = self._rest[at + 1 : at + 2]
        if not escape:
            return None
        if escape in _ESCAPES:
            return _ESCAPES[escape], 2
        return self._next_unicode(at)

    def _next_unicode(self, at: int) -> tuple[str, int] | None:
        first = _UNICODE_ESCAPE.match(self._rest, at)
        if first is None:
            self._over = len(self._rest) - at >= 6 or self._rest[at + 1] != "u"
            return None
        code = int(first.group(1), 16)
        if not 0xD800 <= code <= 0xDFFF:
            return chr(code), 6
        second = _UNICODE_ESCAPE.match(self._rest, at + 6)
        if second is None:
            self._over = len(self._rest) - at >= 12
            return None
        pair = self._rest[at : at + 12].encode().decode("unicode_escape").encode("utf-16", "surrogatepass")
        return pair.decode("utf-16", "replace"), 12

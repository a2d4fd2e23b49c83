"""Sentences that claim a deed: "I created a.txt." Pure.

What was done is told from the results of the calls and nowhere else. A model's sentence that claims a deed is
therefore either said twice or not true, and none of them reaches the user.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_DEEDS = (
    "added|appended|changed|copied|created|deleted|duplicated|edited|executed|moved|noted|recorded|removed|renamed|"
    "replaced|run|saved|stored|updated|written"
)
_HECHOS = (
    "actualizado|añadido|anotado|borrado|cambiado|copiado|creado|editado|ejecutado|eliminado|escrito|guardado|movido|"
    "renombrado|sustituido"
)
_SOON = r"(?:also |already |just |now |successfully )*"
_CLAIM = re.compile(
    rf"\bI(?:'ve| have)? {_SOON}(?:{_DEEDS}|wrote|ran)\b"
    rf"|\b(?:has|have|was|were) {_SOON}been {_SOON}(?:{_DEEDS})\b"
    rf"|\b(?:is|are) now (?:{_DEEDS})\b"
    rf"|\A\W*(?:{_DEEDS})\b(?! (?:files?|text|by)\b)"
    r"|\bI(?:'ll| will) (?:remember|keep in mind)\b|\bI remember that you\b"
    rf"|\b(?:he|hemos) (?:ya )?(?:{_HECHOS})\b|\bha sido (?:{_HECHOS})\b",
    re.IGNORECASE,
)
_END = re.compile(r"(?<=[.!?…])[\"')\]]*\s+|\n+")


def claims_a_deed(text: str) -> bool:
    return _CLAIM.search(text.replace("’", "'")) is not None


def without_claims(text: str) -> str:
    """The sentences that claim no deed."""
    return " ".join(sentence for sentence in sentences(text) if not claims_a_deed(sentence))


def sentences(text: str) -> list[str]:
    return [sentence.strip() for sentence in _END.split(text) if sentence.strip()]


class SentenceGate:
    """Lets an answer through while it is being written, a sentence at a time, up to one that may not stand."""

    def __init__(self, may_not_stand: Callable[[str], bool] = claims_a_deed) -> None:
        self._may_not_stand = may_not_stand
        self._rest = ""
        self._closed = False

    def feed(self, piece: str) -> str:
        """What may go out now; together with what went out before it is a beginning of the whole answer."""
        self._rest += piece
        ready = ""
        while not self._closed and (end := _END.search(self._rest)):
            sentence = self._rest[: end.end()]
            self._closed = self._may_not_stand(sentence)
            if not self._closed:
                ready += sentence
                self._rest = self._rest[end.end() :]
        return ready

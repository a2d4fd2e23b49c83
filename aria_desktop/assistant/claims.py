"""Sentences that claim a deed ("I created a.txt.") or deny an ability ("I can't copy anything."). Pure.

What was done is told from the results of the calls and nowhere else. A model's sentence that claims a deed is
therefore either said twice or not true, and none of them reaches the user.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

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
    r"|\bI(?:'ll| will) (?:remember|keep in mind)\b"
    rf"|\b(?:he|hemos) (?:ya )?(?:{_HECHOS})\b|\bha sido (?:{_HECHOS})\b",
    re.IGNORECASE,
)
_REMEMBERS = re.compile(
    r"\bI(?:'ll| will)? (?:now )?(?:remember|keep in mind)(?: that)? (.+)|\b(?:recuerdo|recordaré) que (.+)",
    re.IGNORECASE | re.DOTALL,
)
_UNABLE = re.compile(
    r"\bI(?: can't| cannot| can not|'m unable to| am unable to|'m not able to| am not able to) "
    r"(copy|duplicate|move|rename|delete|remove|edit|change) "
    r"(?:anything|it|that|them|things|the file|the files|files)\b"
    r"|\bno puedo (copiar|mover|renombrar|borrar|eliminar|cambiar) (?:nada|eso|el archivo|los archivos|archivos)\b",
    re.IGNORECASE,
)
_ABLE: Mapping[str, str] = {
    **dict.fromkeys(("copy", "duplicate", "copiar"), "copy_file"),
    **dict.fromkeys(("move", "rename", "mover", "renombrar"), "move_file"),
    **dict.fromkeys(("delete", "remove", "borrar", "eliminar"), "delete_file"),
    **dict.fromkeys(("edit", "change", "cambiar"), "edit_file"),
}
_END = re.compile(r"(?<=[.!?…])[\"')\]]*\s+|\n+")


def claims_a_deed(text: str) -> bool:
    return _CLAIM.search(text.replace("’", "'")) is not None


def remembered(text: str) -> str:
    """What the text says is remembered; empty when it says nothing of the kind."""
    found = _REMEMBERS.search(text.replace("’", "'"))
    return next(filter(None, found.groups())) if found else ""


def denied_tool(text: str) -> str:
    """The tool that does to files what the text says can't be done to any; empty when it says no such thing."""
    found = _UNABLE.search(text.replace("’", "'"))
    return _ABLE[next(filter(None, found.groups())).casefold()] if found else ""


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

"""The few utterances that code carries out itself, in English and Spanish. Pure.

They count only when they are all that was said: fillers, politeness, ARIA's name and punctuation around them do not
matter, any other word does. "Stop" stops; "stop the server in notes" is a command like any other, for the model. No
tool is ever chosen here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Alone(StrEnum):
    STOP = "stop"
    REPEAT = "repeat"
    UNDO = "undo"
    REDO = "redo"
    """Undo the last undo."""
    NEW_CONVERSATION = "new_conversation"
    SIMPLER = "simpler"
    DEEPER = "deeper"
    GOODBYE = "goodbye"


@dataclass(frozen=True, slots=True)
class Said:
    what: Alone
    language: str
    """"en" or "es": the one to answer in."""
    call_id: str = ""
    """Of the call that is to be undone, where the window's button names one."""


_EXPLAIN = ("", "explain it ", "explain that ", "explain this ", "say it ", "say that ")
_EXPLICA = ("", "explicalo ", "explicamelo ", "dilo ", "dimelo ")
_SIMPLER = ("simpler", "more simply", "in simpler words", "in simple words", "in simpler terms", "in simple terms")
_DEEPER = ("in more depth", "in more detail", "in depth", "in detail", "in greater depth", "in greater detail")
_SENCILLO = ("mas sencillo", "mas simple", "mas facil", "con palabras sencillas", "en palabras sencillas")
_A_FONDO = ("con mas detalle", "en mas detalle", "mas a fondo", "con mas profundidad", "en mas profundidad")


def _each(starts: Sequence[str], ends: Sequence[str]) -> tuple[str, ...]:
    return tuple(start + end for start in starts for end in ends)


_ENGLISH: Mapping[Alone, Sequence[str]] = {
    Alone.STOP: (
        *("stop", "stop it", "stop that", "stop talking", "stop speaking", "stop there", "be quiet", "quiet"),
        *("silence", "shut up", "cancel", "cancel it", "cancel that", "never mind", "nevermind", "enough"),
        *("that is enough", "thats enough", "pause", "pause it", "pause reading", "stop reading"),
    ),
    Alone.REPEAT: (
        *("repeat", "repeat it", "repeat that", "repeat that again", "repeat your answer", "repeat the answer"),
        *("repeat the last answer", "repeat your last answer", "repeat what you said", "say it again"),
        *("say that again", "say that once more", "say it once more", "what did you say", "come again"),
    ),
    Alone.UNDO: (
        *("undo", "undo it", "undo that", "undo this", "undo the last change", "undo that change", "undo the change"),
        *("undo what you did", "undo what you just did", "take that back", "revert that"),
    ),
    Alone.REDO: (
        *("redo", "redo it", "redo that", "redo this", "redo the last change", "undo the undo", "undo that undo"),
        *("undo the last undo",),
    ),
    Alone.NEW_CONVERSATION: (
        *_each(("", "start a ", "begin a ", "open a ", "start "), ("new conversation", "new chat")),
        *("start over", "start afresh"),
    ),
    Alone.SIMPLER: (*_each(_EXPLAIN, _SIMPLER), "make it simpler", "make that simpler", "simplify it", "simplify that"),
    Alone.DEEPER: (
        *_each(_EXPLAIN, _DEEPER),
        *("more depth", "more detail", "more details", "go deeper", "explain further", "explain it further"),
    ),
    Alone.GOODBYE: (
        "goodbye",
        "good bye",
        "bye",
        "bye bye",
        "see you",
        "see you later",
        "see you tomorrow",
        "farewell",
    ),
}
_SPANISH: Mapping[Alone, Sequence[str]] = {
    Alone.STOP: (
        *("para", "para ya", "parate", "detente", "alto", "basta", "basta ya", "callate", "silencio", "cancela"),
        *("cancelalo", "cancela eso", "dejalo", "olvidalo", "deja de hablar", "pausa", "deja de leer"),
    ),
    Alone.REPEAT: (
        *("repite", "repite eso", "repitelo", "repitemelo", "repetir", "repetirlo", "repetir eso", "dilo otra vez"),
        *("dilo de nuevo", "repite la respuesta", "repite tu respuesta", "repite lo que has dicho", "que has dicho"),
        *("que dijiste", "repite lo que dijiste"),
    ),
    Alone.UNDO: (
        *("deshaz", "deshazlo", "deshaz eso", "deshacer", "deshacerlo", "deshacer eso", "deshaz el ultimo cambio"),
        *("deshaz el cambio", "deshaz lo ultimo"),
    ),
    Alone.REDO: ("rehaz", "rehazlo", "rehaz eso", "rehacer", "rehacerlo", "rehaz el ultimo cambio"),
    Alone.NEW_CONVERSATION: (
        *_each(
            ("", "empieza una ", "empezar una ", "inicia una ", "abre una ", "comienza una "),
            ("nueva conversacion", "conversacion nueva"),
        ),
        *("nuevo chat", "empieza de nuevo", "empezar de nuevo", "empecemos de nuevo"),
    ),
    Alone.SIMPLER: (
        *_each(_EXPLICA, _SENCILLO),
        *("simplificalo", "explicalo de forma mas sencilla", "explicarlo mas sencillo", "hazlo mas sencillo"),
    ),
    Alone.DEEPER: (*_each(_EXPLICA, _A_FONDO), "mas detalle", "mas detalles", "profundiza", "profundiza mas"),
    Alone.GOODBYE: ("adios", "hasta luego", "hasta manana", "hasta pronto", "nos vemos", "chao", "chau"),
}
_MEANING = {
    phrase: Said(what, language)
    for language, phrases in (("es", _SPANISH), ("en", _ENGLISH))
    for what, ways in phrases.items()
    for phrase in ways
}
_BEFORE = (
    *("aria", "hey", "hi", "ok", "okay", "please", "um", "uh", "er", "well", "so", "now", "just", "then", "and"),
    *("all right", "alright", "can you", "could you", "would you", "will you", "you can", "lets", "let us", "thanks"),
    *("thank you", "oye", "vale", "eh", "pues", "bueno", "venga", "por favor", "gracias", "puedes", "podrias", "y"),
    *("ahora", "entonces"),
)
_AFTER = (
    *("aria", "please", "now", "right now", "then", "thanks", "thank you", "for me", "ok", "okay", "um", "uh"),
    *("por favor", "gracias", "ahora", "ya", "vale", "eh"),
)
_ONE_CALL = re.compile(r"Undo the change of [^\n]+ \(([0-9a-f]{12})\)")
"""As `undo_words` makes it. Nobody says such a thing aloud."""
_LONGEST = 120
"""Characters; nothing longer is one of these."""


def said_alone(words: str) -> Said | None:
    """What `words` ask code itself to do; None when they say anything else or anything more."""
    if len(words) > _LONGEST:
        return None
    if named := _ONE_CALL.fullmatch(words):
        return Said(Alone.UNDO, "en", named[1])
    return next((_MEANING[phrase] for phrase in phrases_in(words) if phrase in _MEANING), None)


def phrases_in(words: str) -> Iterator[str]:
    """`words` in small letters without accents and marks, whole and with one filler less at a time."""
    for begun in _shorter(_plain(words), _BEFORE, str.removeprefix, "{} "):
        yield from _shorter(begun, _AFTER, str.removesuffix, " {}")


def _shorter(text: str, fillers: Sequence[str], without: Callable[[str, str], str], form: str) -> Iterator[str]:
    """`text`, and then with one filler after the other taken off its start or its end."""
    while text:
        yield text
        text = next((rest for filler in fillers if (rest := without(text, form.format(filler))) != text), "")


def _plain(words: str) -> str:
    """Small letters without accents and apostrophes, one space between words."""
    letters = unicodedata.normalize("NFKD", words.casefold().replace("'", "").replace("’", ""))
    kept = "".join(c if c.isalnum() else " " for c in letters if not unicodedata.combining(c))
    return " ".join(kept.split())

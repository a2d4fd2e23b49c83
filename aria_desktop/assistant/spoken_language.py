"""Which language the user speaks: English, Spanish, or not known. Pure.

A recogniser says it of what was spoken. Typed words are judged by their commonest words and signs, and only where they
leave no doubt: names of files and what is quoted count for nothing, and the first words, which say what is wanted,
count most. What can't be told of these words is taken from the last turn of which it can.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from aria_desktop.core.events import Heard
from aria_desktop.core.records import TurnRecord

SURE = 2
"""Points that a language needs."""
LEAD = 1.5
"""So many times the points of every other one."""
FIRST_WORDS = 3
_LONGEST = 600
"""Characters that are looked at."""


def _words(table: str) -> frozenset[str]:
    return frozenset(table.split())


_ENGLISH = _words(
    """
    the an and of to with that this these those is are was were what where when which who whom why how my your his
    her our their please file files folder folders called named make create write show tell read open delete remove
    rename move copy add change put append remember find search give have has had do does did can could would should
    will from for about into it its you she they we there here then than some any all new line list thanks thank
    hello i im ill lets not don't dont isn't yes stop start run play say explain translate sum summarize summarise
    what's it's i'm i'll let's that's there's you're
    """
)
_SPANISH = _words(
    """
    el los las una unos unas del al que y por para con sin sobre entre desde hasta pero porque como cual cuales
    cuando donde quien cuanto cuantos cuanta cuantas es esta estan este estos eso esos esa ese hay mi mis tu tus su
    sus lo se nos les muy mas tambien ya todo todos toda todas cada otro otra nuevo nueva archivo archivos carpeta
    carpetas fichero ficheros llamado llamada nombre texto linea lineas palabra palabras lista crea crear creame
    borra borrar elimina eliminar cambia cambiar escribe escribir muestra mostrar muestrame lee leer leeme abre
    abrir anade anadir agrega agregar guarda guardar copia copiar mueve mover renombra busca buscar recuerda
    recordar dime dame haz hazme pon ponme quiero quita quitar necesito puedes podrias favor gracias hola buenos
    buenas dias tardes noches ayuda explica explicame resume resumen ejecuta hoy manana ayer uno dos tres
    """
)
_WEAK_SPANISH = _words(
    """
    la de en un son era fue tiene
    """
)
"""Common in Spanish, and found in its neighbours or in names that English uses."""
_WEAK_ENGLISH = _words(
    """
    a in on at me or as be by if so
    """
)
_NEIGHBOURS = _words(
    """
    des du dans et une est pour avec je vous nous sont fichier fichiers qui sur um uma em nao arquivo arquivos crie
    voce qual o os dos nas il di che gli nel della per sono chiamato cartella und der die das ist nicht mit ein eine
    """
)
"""Of French, Portuguese, Italian and German: where they lead, neither of ours is meant."""
_SPANISH_SIGN = re.compile(
    "[\u00bf\u00a1\u00f1]"
    # Nouns like "conversación", and commands with their pronouns like "bórralo" and "cuéntame".
    "|\\w[cs]i\u00f3n\\b|\\w[\u00e1\u00e9\u00ed\u00f3\u00fa]\\w+(?:me|nos|l[aeo]s?)\\b",
    re.IGNORECASE,
)
_NOT_WORDS = re.compile(r"\"[^\"]*\"|\u201c[^\u201d]*\u201d|\u00ab[^\u00bb]*\u00bb|`[^`]*`|\S*[./\\_@]\w\S*|\S*\d\S*")


def spoken_language(words: str) -> str:
    """ISO 639-1 code, "en" or "es"; empty when it is another one or can't be told."""
    plain = _NOT_WORDS.sub(" ", words[:_LONGEST].replace("\u2019", "'"))
    found = [_folded(word) for word in re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)?", plain)]
    points = {
        "en": _points(found, _ENGLISH, _WEAK_ENGLISH),
        "es": _points(found, _SPANISH, _WEAK_SPANISH) + 3 * bool(_SPANISH_SIGN.search(plain)),
        "": _points(found, _NEIGHBOURS, frozenset()),
    }
    best = max(points, key=lambda language: points[language])
    sure = all(points[best] > LEAD * other for language, other in points.items() if language != best)
    return best if sure and points[best] >= SURE else ""


def language_of_turn(words: str, heard: Heard | None, history: Sequence[TurnRecord]) -> str:
    """ISO 639-1 code of the language to answer in; empty when it is not known.

    A recogniser is believed where it names English or Spanish; any other language, which a few short sounds can be
    taken for, only where the words themselves don't show one of these.

    Args:
        heard: what was recognised; None for typed words.
        history: earlier turns, oldest first.
    """
    if heard is not None and heard.language in ("en", "es"):
        return heard.language
    of_words = spoken_language(words)
    if of_words or (heard is not None and heard.language):
        return of_words or (heard.language if heard is not None else "")
    told = (spoken_language(turn.words) for turn in reversed(history))
    return next((language for language in told if language), "")


def _points(words: Sequence[str], strong: frozenset[str], weak: frozenset[str]) -> int:
    """Two for each word that only this language has, four if it is one of the first; one for each that others have."""
    of_strong = sum(2 + 2 * (number < FIRST_WORDS) for number, word in enumerate(words) if word in strong)
    return of_strong + sum(word in weak for word in words)


def _folded(word: str) -> str:
    """Small letters without accents."""
    letters = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))

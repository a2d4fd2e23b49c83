"""Whether words are English or Spanish is known for sure, or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from aria_desktop.assistant.spoken_language import language_of_turn, spoken_language
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.events import Heard
from aria_desktop.core.records import Source, TurnRecord
from tests.conftest import REPOSITORY

CASES = REPOSITORY / "tests" / "evals" / "commands.jsonl"


def cases() -> Iterator[tuple[str, str]]:
    for line in CASES.read_text("utf-8").splitlines():
        case = json.loads(line)
        yield case["kind"], case["say"]


def test_of_the_development_cases_just_the_spanish_ones_are_spanish() -> None:
    told = [(kind, said, spoken_language(said)) for kind, said in cases()]
    assert len(told) > 100
    assert [said for kind, said, language in told if (kind == "spanish") != (language == "es")] == []
    unknown = [said for kind, said, language in told if not language]
    assert len(unknown) <= len(told) / 50


def test_what_recordings_say_is_told_apart_too() -> None:
    clips = json.loads((REPOSITORY / "tests" / "data" / "labels.json").read_text("utf-8"))["clips"]
    spoken = [(clip["language"], spoken_language(clip["text"])) for clip in clips if clip.get("text")]
    assert {told for language, told in spoken if language == "es"} == {"es"}
    assert {told for language, told in spoken if language == "en"} == {"en", ""}
    assert {told for language, told in spoken if language not in ("en", "es")} == {""}


@pytest.mark.parametrize(
    ("words", "language"),
    [
        ("hola", "es"),
        ("gracias", "es"),
        ("lee notas.txt", "es"),
        ("añade leche a compras.txt", "es"),
        ("que hora es", "es"),
        ("¿y mañana?", "es"),
        ("Borra el archivo holidays.txt", "es"),
        ("vale, bórralo", "es"),
        ("cuéntame un chiste", "es"),
        ("abre conversación", "es"),
        ("what's 12 times 12", "en"),
        ("thanks", "en"),
        ("Create a file called hola.txt with buenos días", "en"),
        ("what does hola mean", "en"),
        ('put "el perro y la casa" into a.txt', "en"),
        ("Don’t do that", "en"),
        ("", ""),
        ("ok", ""),
        ("no", ""),
        ("delete El Paso.txt", ""),
        ("notes.txt", ""),
        ("Qual é a capital do Peru?", ""),
        ("Crée un fichier liste.txt avec du pain", ""),
        ("Wie ist das Wetter", ""),
        ("¿¿ 12 !!", "es"),
        ("x" * 100_000, ""),
    ],
)
def test_words(words: str, language: str) -> None:
    assert spoken_language(words) == language


def heard(text: str, language: str) -> Heard:
    return Heard("t1", text, language, (), 1.0)


def said_before(*words: str) -> tuple[TurnRecord, ...]:
    return tuple(TurnRecord("t", Source.TEXT, text, "", TurnOutcome.ANSWERED, 0.0, (), {}) for text in words)


def test_a_recogniser_is_believed_where_it_names_one_of_the_two() -> None:
    assert language_of_turn("No", heard("No", "es"), said_before("Read the file")) == "es"
    assert language_of_turn("hola", heard("hola", "en"), ()) == "en"


def test_any_other_language_counts_only_where_the_words_show_none_of_the_two() -> None:
    assert language_of_turn("Read my notes", heard("Read my notes", "cy"), ()) == "en"
    assert language_of_turn("Lis le fichier", heard("Lis le fichier", "fr"), said_before("Read it")) == "fr"


def test_words_that_do_not_tell_are_in_the_language_of_the_turns_before() -> None:
    before = said_before("Read the file", "borra el archivo viejo", "ok")
    assert language_of_turn("ok", None, before) == "es"
    assert language_of_turn("ok", heard("ok", ""), before) == "es"
    assert language_of_turn("thanks", None, before) == "en"
    assert language_of_turn("ok", None, said_before("ok")) == ""
    assert language_of_turn("ok", None, ()) == ""

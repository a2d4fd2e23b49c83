"""What code carries out itself is said alone, or it is not meant."""

from __future__ import annotations

import json

import pytest

from aria_desktop.assistant.said_alone import Alone, Said, said_alone
from tests.conftest import REPOSITORY


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ("stop", Alone.STOP),
        ("Stop!", Alone.STOP),
        ("Um, ARIA, stop it please.", Alone.STOP),
        ("OK stop now, thanks", Alone.STOP),
        ("Never mind.", Alone.STOP),
        ("That's enough", Alone.STOP),
        ("Could you repeat that, please?", Alone.REPEAT),
        ("What did you say?", Alone.REPEAT),
        ("Undo that", Alone.UNDO),
        ("Hey Aria, undo the last change", Alone.UNDO),
        ("Redo that, please", Alone.REDO),
        ("undo the undo", Alone.REDO),
        ("Let's start a new conversation", Alone.NEW_CONVERSATION),
        ("Can you explain that in simpler words?", Alone.SIMPLER),
        ("simpler", Alone.SIMPLER),
        ("Please explain it in more depth", Alone.DEEPER),
        ("more detail please", Alone.DEEPER),
        ("Goodbye, ARIA!", Alone.GOODBYE),
        ("Thank you, bye", Alone.GOODBYE),
    ],
)
def test_said_in_english(words: str, what: Alone) -> None:
    assert said_alone(words) == Said(what, "en")


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ("¡Para!", Alone.STOP),
        ("Cállate, por favor.", Alone.STOP),
        ("¿Puedes repetir eso?", Alone.REPEAT),
        ("¿Qué has dicho?", Alone.REPEAT),
        ("Deshazlo", Alone.UNDO),
        ("Rehazlo", Alone.REDO),
        ("Empieza una nueva conversación", Alone.NEW_CONVERSATION),
        ("Oye Aria, explícalo más sencillo", Alone.SIMPLER),
        ("Con más detalle, gracias", Alone.DEEPER),
        ("Adiós", Alone.GOODBYE),
    ],
)
def test_said_in_spanish(words: str, what: Alone) -> None:
    assert said_alone(words) == Said(what, "es")


@pytest.mark.parametrize(
    "words",
    [
        "",
        "   ",
        "?!",
        "please",
        "Aria, thanks",
        "Stop the server in notes",
        "Don't stop",
        "Write stop into a.txt",
        "Stop. Then delete a.txt",
        "Repeat that word in notes.txt",
        "Undo the last line of notes.txt",
        "Start a new conversation file",
        "Explain it in more depth in notes.txt",
        "Say goodbye to Anna in a mail",
        "Goodbye letter",
        "stopwatch",
        "Para Ana",
        "Repite la lista en notas.txt",
        "stop " * 40,
    ],
)
def test_more_or_something_else_is_not_meant(words: str) -> None:
    assert said_alone(words) is None


def test_no_command_of_the_evaluation_is_taken_away_from_the_model() -> None:
    """Every case wants tools called, or an answer of the model's own."""
    lines = (REPOSITORY / "tests" / "evals" / "commands.jsonl").read_text("utf-8").splitlines()
    said = [str(json.loads(line)["say"]) for line in lines]
    assert len(said) > 100
    assert [words for words in said if said_alone(words)] == []

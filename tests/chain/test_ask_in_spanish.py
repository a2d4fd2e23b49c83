"""The program as a process, with scripted engines: a Spanish command is answered in Spanish, as text, and says why."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.chain.conftest import Aria

COMMAND = "Crea el archivo compras.txt con pan, leche y queso"
CALL = {"tool": "create_file", "path": "compras.txt", "content": "pan\nleche\nqueso"}
REPLY = json.dumps({"calls": [CALL], "then": ""})
CREATED = "He creado compras.txt con 3 líneas."
NO_VOICE = "No hay ninguna voz en español, así que la respuesta no se lee en voz alta."


@pytest.fixture(autouse=True)
def scripted(settings: Callable[[str], Path], tmp_path: Path) -> None:
    """An English voice that would complain about any text, and a model that has one reply."""
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"language": [REPLY], "voice": []}))
    settings(f'[engines]\nlanguage = "scripted:{script}"\nvoice = "scripted:{script}"\n')


def test_the_answer_is_spanish_and_not_spoken(aria: Aria) -> None:
    run = aria("ask", COMMAND, "--allow", "create_file", "--speak", "--json")
    assert run.code == 0, run.err
    assert (aria.output / "compras.txt").read_text() == "pan\nleche\nqueso\n"
    assert run.ended["answer"] == CREATED
    told = [event for event in run.events if event["event"] == "answer_unspoken"]
    assert [(event["turn_id"], event["language"], event["text"]) for event in told] == [
        (run.ended["turn_id"], "es", NO_VOICE)
    ]
    assert {event["event"] for event in run.events}.isdisjoint({"speaking_started", "problem"})


def test_on_a_terminal_the_reason_stands_below_the_answer(aria: Aria) -> None:
    run = aria("ask", COMMAND, "--allow", "create_file", "--speak")
    assert run.out.index(f"ARIA: {CREATED}") < run.out.index(NO_VOICE)


def test_without_a_yes_that_is_said_in_spanish(aria: Aria) -> None:
    run = aria("ask", COMMAND, "--json")
    assert run.code == 6
    assert run.ended["answer"] == (
        "No ha cambiado nada. No se creó compras.txt: no se permitió (no había nadie a quien preguntar)."
    )
    assert list(aria.output.iterdir()) == []

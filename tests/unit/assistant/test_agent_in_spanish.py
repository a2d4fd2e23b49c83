"""A turn in Spanish ends in Spanish wherever code has the last word, and no model is asked to translate."""

from __future__ import annotations

from pathlib import Path

import pytest

from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import ToolCall, TurnOutcome
from aria_desktop.core.records import CallRecord, Source, TurnRecord
from aria_desktop.safety.policy import Rules
from aria_desktop.testing.scripted import ScriptedApprover
from tests.unit.assistant.agent_stage import CREATE, Run, answer, call


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "ws"
    root.mkdir()
    return root


class Decides:
    """An approver that answers by itself."""

    def __init__(self, *, allowed: bool, by: str) -> None:
        self._decision = ApprovalDecision(allowed, by)

    def ask(self, request: ApprovalRequest, cancel: CancelToken) -> ApprovalDecision:
        assert request.question == "Create a.txt?"
        cancel.raise_if_cancelled()
        return self._decision


def test_what_was_done_is_told(root: Path) -> None:
    run = Run(root, [CREATE], ScriptedApprover([True]), spoken="es")
    assert run().answer == 'He creado a.txt con "milk".'


@pytest.mark.parametrize(
    ("by", "reason"),
    [
        ("you", "dijiste que no"),
        ("nobody there to ask", "no se permitió (no había nadie a quien preguntar)"),
        ("time-out", "no se permitió (se agotó el tiempo)"),
    ],
)
def test_what_was_refused_is_told(root: Path, by: str, reason: str) -> None:
    run = Run(root, [CREATE], Decides(allowed=False, by=by), spoken="es")
    ended = run()
    assert ended.outcome is TurnOutcome.REFUSED
    assert ended.answer == f"No ha cambiado nada. No se creó a.txt: {reason}."


def test_what_is_switched_off_is_told(root: Path) -> None:
    run = Run(root, [CREATE], rules=Rules(frozenset({"create_file"})), spoken="es")
    assert run().answer == "No ha cambiado nada. create_file está desactivado."


def test_what_the_file_door_does_not_let_through_is_told(root: Path) -> None:
    run = Run(root, [call("read_file", path="../secret.txt")], spoken="es")
    assert run().answer == "No puedo hacer eso. Ese lugar está fuera del espacio de trabajo."


def test_a_question_about_names_is_asked(root: Path) -> None:
    for folder in ("uno", "otro"):
        (root / folder).mkdir()
        (root / folder / "plan.txt").write_text("x")
    run = Run(root, [call("read_file", path="plan")], spoken="es")
    ended = run()
    assert ended.outcome is TurnOutcome.ASKED
    assert ended.answer == "¿A qué archivo te refieres: otro/plan.txt o uno/plan.txt?"


def test_replies_that_can_not_be_used_are_told(root: Path) -> None:
    run = Run(root, ["?"] * 3, spoken="es")
    assert run().answer == "No ha cambiado nada. El modelo de lenguaje no dio ninguna respuesta utilizable."


def test_a_change_that_did_not_work_is_told_after_the_models_words(root: Path) -> None:
    run = Run(root, [call("append_file", path="no.txt", content="x"), answer("No existe.")], spoken="es")
    assert run().answer == "No existe. append_file no funcionó: No hay nada con ese nombre en el espacio de trabajo."


def test_what_is_not_known_after_a_restart_is_told(root: Path) -> None:
    created = CallRecord(ToolCall("c1", "create_file", {"path": "a.txt", "content": "x"}), "running", None, "")
    resume = TurnRecord("t1", Source.TEXT, "crea a.txt", "", None, 0.0, (created,), {})
    run = Run(root, [answer("Lo siento.")], resume=resume, spoken="es")
    assert run().answer == (
        "No se sabe si create_file llegó a ejecutarse: el programa se detuvo a la mitad. Lo siento."
    )

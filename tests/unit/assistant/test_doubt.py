"""What the model was not sure of is put to the user."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from aria_desktop.assistant.ablations import Ablation
from aria_desktop.assistant.doubt import doubted
from aria_desktop.assistant.reply import Call
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.chat import ToolChoice, TurnOutcome
from aria_desktop.core.interfaces import Generation, GenerationEnd
from aria_desktop.testing.scripted import ScriptedApprover, ScriptedLanguageModel
from aria_desktop.tools.languages.wording import wording_in
from aria_desktop.tools.registry import standard_tools
from aria_desktop.tools.tool import Effect
from tests.unit.assistant.agent_stage import CREATE, Run

CLOSE = ToolChoice("create_file", 0.3, "edit_file", 0.25)
QUESTION = "Should I make a new file or change a file that is there?"


class Unsure(ScriptedLanguageModel):
    def complete(self, generation: Generation, cancel: CancelToken) -> Iterator[str | GenerationEnd]:
        for piece in super().complete(generation, cancel):
            yield replace(piece, tool_choices=(CLOSE,)) if isinstance(piece, GenerationEnd) else piece


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    root.mkdir()
    return root


def asked(choice: ToolChoice, path: str = "a.txt", language: str = "en") -> str:
    return doubted([choice], [Call(choice.name, {"path": path})], ["a.txt", "b/c.py"], wording_in(language))


def test_two_close_changes_are_asked_about() -> None:
    assert asked(CLOSE) == QUESTION
    assert asked(CLOSE, language="es").startswith("¿Quieres que cree un archivo nuevo o que cambie")
    assert asked(ToolChoice("create_file", 0.5, "edit_file", 0.5)) == ""
    assert asked(ToolChoice("create_file", 0.3, "read_file", 0.2)) == ""
    assert doubted([], [Call("create_file", {"path": "a.txt"})], [], wording_in("en")) == ""


@pytest.mark.parametrize(
    ("runner_up", "path", "meant"),
    [
        ("edit_file", "b/c.py", True),
        ("edit_file", "new.txt", False),
        ("append_file", "new.txt", False),
        ("delete_file", "a.txt", True),
        ("write_code", "new.py", True),
        ("write_code", "new.txt", False),
        ("make_folder", "new", True),
    ],
)
def test_what_can_not_be_meant_is_not_asked_about(runner_up: str, path: str, meant: bool) -> None:
    assert bool(asked(ToolChoice("create_file", 0.3, runner_up, 0.25), path)) == meant


def test_every_change_has_words_in_every_language() -> None:
    changes = {tool.name for tool in standard_tools() if tool.effect is Effect.CHANGES}
    for language in ("en", "es"):
        assert set(wording_in(language).readings) == changes


def test_an_unsure_model_changes_nothing(root: Path) -> None:
    (root / "a.txt").write_text("old")
    run = Run(root, [])
    run.use(Unsure([CREATE]))
    assert run().outcome is TurnOutcome.ASKED
    assert run.result.answer == QUESTION
    assert run.files() == {"a.txt": "old"}


def test_an_evaluation_can_leave_the_doubt_out(root: Path) -> None:
    run = Run(root, [], ScriptedApprover([True]), without=frozenset({Ablation.CONFIDENCE}))
    run.use(Unsure([CREATE]))
    assert run().outcome is TurnOutcome.ANSWERED

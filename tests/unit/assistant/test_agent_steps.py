"""Replies with several calls, and what an evaluation leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from aria_desktop.assistant.ablations import Ablation
from aria_desktop.assistant.agent import AgentResult
from aria_desktop.assistant.withholding import BESIDE_A_QUESTION, DONE_BEFORE
from aria_desktop.core.chat import Outcome, TurnOutcome
from aria_desktop.core.events import (
    CallEnded,
    CallProposed,
    CallWithheld,
)
from aria_desktop.testing.scripted import ScriptedApprover, ScriptedLanguageModel
from tests.unit.assistant.agent_stage import (
    Run,
    answer,
    call,
    calls,
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    root.mkdir()
    return root


class TestSeveralCallsInOneReply:
    def test_they_are_proposed_together_and_carried_out_in_order(self, root: Path) -> None:
        both = [{"tool": "create_file", "path": f"{name}.txt", "content": name} for name in "ab"]
        run = Run(root, [calls(*both)], ScriptedApprover([True, True]))
        assert run().answer == 'I created a.txt with "a". I created b.txt with "b".'
        assert run.files() == {"a.txt": "a\n", "b.txt": "b\n"}
        kinds = [type(event).__name__ for event in run.events if isinstance(event, CallProposed | CallEnded)]
        assert kinds == ["CallProposed", "CallProposed", "CallEnded", "CallEnded"]
        assert len(run.model.asked) == 1

    def test_looks_run_side_by_side(self, root: Path) -> None:
        (root / "a.txt").write_text("one")
        meet = [{"tool": "meet", "name": name} for name in ("Ada", "Bob")]
        looks = [*meet, {"tool": "read_file", "path": "a.txt"}]
        run = Run(root, [calls(*looks)])
        assert run().answer == "Ada met. Bob met. one"
        assert [tool for tool, _ in run.ends()].count("meet") == 2
        assert run.result.tools == ("meet", "meet", "read_file")

    def test_nothing_is_carried_out_after_one_that_was_not_done(self, root: Path) -> None:
        wanted = [{"tool": "create_file", "path": f"{name}.txt", "content": name} for name in "abc"]
        run = Run(root, [calls(*wanted)], ScriptedApprover([True, False]))
        refused = "b.txt was not created: it was not allowed (scripted approver)."
        assert run().answer == f'I created a.txt with "a". {refused}'
        assert [outcome for _, outcome in run.ends()] == [Outcome.DONE, Outcome.REFUSED, Outcome.CANCELLED]
        assert run.result.tools == ("create_file", "create_file")
        assert run.files() == {"a.txt": "a\n"}

    def test_after_a_failure_the_model_hears_what_was_not_reached(self, root: Path) -> None:
        missing, new = {"tool": "append_file", "path": "no.txt", "content": "x"}, {"tool": "list_files"}
        run = Run(root, [calls(missing, new), answer("There is no such file.")])
        assert run().answer.startswith("There is no such file.")
        told = run.model.asked[1].messages[-1].text
        assert "append_file: failed" in told
        assert "list_files: cancelled\n<data>\nNot carried out" in told

    def test_a_reply_that_also_asks_changes_nothing(self, root: Path) -> None:
        create = {"tool": "create_file", "path": "a.txt", "content": "x"}
        run = Run(root, [calls(create, {"tool": "ask_user", "question": "Which one?"})])
        assert run() == AgentResult(TurnOutcome.ASKED, "Which one?", ("ask_user",))
        assert [(event.call.tool, event.reason) for event in run.of(CallWithheld)] == [
            ("create_file", BESIDE_A_QUESTION)
        ]
        assert run.files() == {}

    def test_the_same_call_twice_in_one_reply_is_carried_out_once(self, root: Path) -> None:
        create = {"tool": "create_file", "path": "a.txt", "content": "x"}
        run = Run(root, [calls(create, create)], ScriptedApprover([True]))
        assert run().tools == ("create_file",)
        assert [event.reason for event in run.of(CallWithheld)] == [DONE_BEFORE]


class TestLeftOut:
    def run_without(self, root: Path, ablation: Ablation, script: Sequence[str]) -> Run:
        run = Run(root, script)
        run.without = frozenset({ablation})
        run.use(ScriptedLanguageModel(script))
        return run

    def test_without_grammar_the_model_writes_freely(self, root: Path) -> None:
        run = self.run_without(root, Ablation.GRAMMAR, [answer("Hello.")])
        assert run().answer == "Hello."
        assert run.model.asked[0].reply_schema is None

    def test_without_examples_and_rules_the_prompt_is_shorter(self, root: Path) -> None:
        run = self.run_without(root, Ablation.EXAMPLES, [])
        assert len(run.agent.stable_messages()) == 1
        assert "Rules:" in run.agent.stable_messages()[0].text
        assert "Rules:" not in self.run_without(root, Ablation.RULES, []).agent.stable_messages()[0].text

    def test_without_repair_one_bad_reply_or_call_ends_the_turn(self, root: Path) -> None:
        assert self.run_without(root, Ablation.REPAIR, ["Sure!"])().error == "reply_invalid"
        failed = self.run_without(root, Ablation.REPAIR, [call("read_file", "say it", path="no.txt")])()
        assert "no.txt" in failed.answer

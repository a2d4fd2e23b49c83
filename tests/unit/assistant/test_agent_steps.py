"""Replies with several calls, and what an evaluation leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from aria_desktop.assistant.ablations import Ablation
from aria_desktop.assistant.agent import AgentResult
from aria_desktop.assistant.answers import CAN_BE_DONE, NOT_LOOKED_AT, NOTHING_WAS_DONE, STILL_WAITING
from aria_desktop.assistant.withholding import (
    BESIDE_A_QUESTION,
    DONE_BEFORE,
    LOOKED_AT,
    NOTHING_TO_DO,
    WAITS_FOR_RESULTS,
)
from aria_desktop.core.chat import Outcome, TurnOutcome
from aria_desktop.core.events import (
    AnswerPiece,
    CallEnded,
    CallProposed,
    CallWithheld,
)
from aria_desktop.testing.scripted import ScriptedApprover, ScriptedLanguageModel
from tests.unit.assistant.agent_stage import (
    CREATE,
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

    def test_a_look_after_a_change_is_no_repetition(self, root: Path) -> None:
        (root / "a.txt").write_text("milk")
        read, add = {"tool": "read_file", "path": "a.txt"}, {"tool": "append_file", "path": "a.txt", "content": "eggs"}
        run = Run(root, [calls(add, read)], ScriptedApprover([True]))
        assert run().tools == ("append_file", "read_file")
        assert run.of(CallWithheld) == []

    def test_a_change_beside_a_look_waits_for_what_is_found(self, root: Path) -> None:
        (root / "a.txt").write_text("milk")
        read, write = (
            {"tool": "read_file", "path": "a.txt"},
            {"tool": "create_file", "path": "b.txt", "content": "milk"},
        )
        run = Run(root, [calls(read, write), calls(write)], ScriptedApprover([True]))
        assert run().answer == 'I created b.txt with "milk".'
        assert [event.reason for event in run.of(CallWithheld)] == [WAITS_FOR_RESULTS]
        assert WAITS_FOR_RESULTS in run.model.asked[1].messages[-1].text
        assert len(run.model.asked) == 2

    def test_a_change_that_waited_is_not_forgotten(self, root: Path) -> None:
        (root / "a.txt").write_text("milk")
        read, write = (
            {"tool": "read_file", "path": "a.txt"},
            {"tool": "create_file", "path": "b.txt", "content": "milk"},
        )
        run = Run(root, [calls(read, write), answer("It is milk."), calls(write)], ScriptedApprover([True]))
        assert run().answer == 'I created b.txt with "milk".'
        assert STILL_WAITING.format(calls="create_file b.txt") in run.model.asked[2].messages[-1].text

    def test_one_look_at_a_file_is_enough(self, root: Path) -> None:
        (root / "a.txt").write_text("milk")
        looks = [{"tool": tool, "path": "a.txt"} for tool in ("read_file", "summarize_text")]
        run = Run(root, [calls(*looks)])
        assert run().answer == "milk"
        assert [event.reason for event in run.of(CallWithheld)] == [LOOKED_AT]

    def test_a_search_for_a_file_that_was_named_is_a_wish_to_read_it(self, root: Path) -> None:
        (root / "a1.txt").write_text("milk")
        search = call("search_files", query="a1.txt")
        run = Run(root, [search, answer("It says milk.")], words="what does a1 dot txt say")
        assert run().answer == "It says milk."
        assert run.result.tools == ("read_file",)
        assert run.of(CallWithheld) == []

    def test_a_search_for_more_than_a_name_stays_a_search(self, root: Path) -> None:
        (root / "a1.txt").write_text("milk")
        run = Run(root, [call("search_files", query="a1.txt milk")], words="where does a1 dot txt mention milk")
        run()
        assert run.result.tools == ("search_files",)

    @pytest.mark.parametrize(
        "wrong",
        [
            {"tool": "create_file", "path": "new/a1.txt", "content": "a poem"},
            {"tool": "edit_file", "path": "a1.txt", "find": "a1", "replace": "b"},
            {"tool": "write_code", "path": "b1.txt", "language": "Python", "request": "x"},
        ],
    )
    def test_a_tool_that_is_meant_for_something_else_is_held_back_with_the_way_out(
        self, root: Path, wrong: dict[str, object]
    ) -> None:
        (root / "a1.txt").write_text("milk")
        move = call("move_file", source="a1.txt", destination="new/")
        run = Run(root, [calls(wrong), move], ScriptedApprover([True]), words="a1 goes into new")
        assert run().answer == "I moved a1.txt into new."
        assert len(run.of(CallWithheld)) == 1
        assert "not carried out" in run.model.asked[1].messages[-1].text

    def test_after_a_failure_the_same_goes_on_for_other_files(self, root: Path) -> None:
        (root / "b.txt").write_text("x")
        gone, there = ({"tool": "delete_file", "path": f"{name}.txt"} for name in "ab")
        run = Run(root, [calls(gone, there), answer("a.txt is not there.")], ScriptedApprover([True]))
        assert run().answer.startswith("I moved b.txt to the trash. a.txt is not there. delete_file did not work")
        assert run.files() == {}

    def test_a_look_between_does_not_end_a_turn_that_owes_a_change(self, root: Path) -> None:
        (root / "a1.txt").write_text("milk")
        wrong = call("edit_file", path="a1.txt", find="a1", replace="b1")
        move = call("move_file", source="a1.txt", destination="b1.txt")
        script = [wrong, call("read_file", path="a1.txt"), move]
        run = Run(root, script, ScriptedApprover([True]), words="a1 is b1 from now on")
        assert run().answer == "I renamed a1.txt to b1.txt."

    @pytest.mark.parametrize("destination", ["b.txt", ".", "./"])
    def test_a_move_onto_itself_is_none(self, root: Path, destination: str) -> None:
        (root / "a.txt").write_text("x")
        (root / "b.txt").write_text("x")
        delete, keep = {"tool": "delete_file", "path": "a.txt"}, {"tool": "move_file", "source": "b.txt"}
        run = Run(root, [calls(delete, {**keep, "destination": destination})], ScriptedApprover([True]))
        assert run().tools == ("delete_file",)
        assert [event.reason for event in run.of(CallWithheld)] == [NOTHING_TO_DO]


class TestAnswers:
    def test_a_deed_that_was_not_done_is_not_told(self, root: Path) -> None:
        run = Run(root, [answer("I created a.txt."), CREATE], ScriptedApprover([True]))
        assert run().answer == 'I created a.txt with "milk".'
        assert [event.text for event in run.of(AnswerPiece)] == ['I created a.txt with "milk".']
        assert NOTHING_WAS_DONE in run.model.asked[1].messages[-1].text

    def test_a_claim_after_a_deed_is_not_told_again(self, root: Path) -> None:
        create = call("create_file", "say the sum", path="a.txt", content="milk")
        run = Run(root, [create, answer("I created a.txt. The sum is 3.")], ScriptedApprover([True]))
        assert run().answer == 'I created a.txt with "milk". The sum is 3.'

    def test_what_a_file_says_is_not_guessed(self, root: Path) -> None:
        (root / "a.txt").write_text("3 eggs")
        script = [answer("Two eggs. Boil them."), call("read_file", path="a.txt"), answer("It says three.")]
        run = Run(root, script, words="how many eggs, says a.txt")
        assert run().answer == "It says three."
        assert NOT_LOOKED_AT.format(name="a.txt") in run.model.asked[1].messages[-1].text
        assert [event.text for event in run.of(AnswerPiece)] == ["It says three."]

    def test_what_is_said_to_be_remembered_is_kept(self, root: Path) -> None:
        said = answer("I remember that you park on level 3. Drive well.")
        run = Run(root, [said], words="remember i park on level 3")
        assert run().answer == "I'll remember this: You park on level 3."
        assert run.result.tools == ("remember",)
        assert [event.text for event in run.of(AnswerPiece)] == ["I'll remember this: You park on level 3."]

    def test_what_was_not_said_just_now_is_not_kept_by_an_answer(self, root: Path) -> None:
        run = Run(root, [answer("I remember that you park on level 3.")], words="where do i park")
        assert run().answer == "I remember that you park on level 3."
        assert run.result.tools == ()

    def test_what_a_tool_can_do_is_not_denied_but_once(self, root: Path) -> None:
        no = answer("I can't copy anything.")
        run = Run(root, [no, call("ask_user", question="Which file?")], words="copy the thing over")
        assert run().answer == "Which file?"
        assert CAN_BE_DONE.format(tool="copy_file") in run.model.asked[1].messages[-1].text
        assert Run(root, [no, no], words="copy the thing over")().answer == "I can't copy anything."

    def test_a_model_that_stays_with_its_answer_is_believed(self, root: Path) -> None:
        (root / "a.txt").write_text("3 eggs")
        run = Run(root, [answer("It is a file."), answer("It is a text file.")], words="what kind of file is a.txt")
        assert run().answer == "It is a text file."


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

"""The loop with a scripted model: which events, in which order, and what is on disk afterwards."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from aria_desktop.assistant.agent import AgentLimits, AgentResult
from aria_desktop.assistant.withholding import OUTSIDE
from aria_desktop.assistant.workspace_names import SHOWN
from aria_desktop.core.approval import ApprovalDecision
from aria_desktop.core.cancel import Cancelled, CancelToken
from aria_desktop.core.chat import Outcome, ToolCall, TurnOutcome
from aria_desktop.core.errors import DiskFull, EngineDied
from aria_desktop.core.events import (
    AnswerGiven,
    AnswerPiece,
    ApprovalDecided,
    ApprovalRequested,
    CallEnded,
    CallProposed,
    CallStarted,
    CallWithheld,
    DraftPiece,
    PromptSent,
    ReplyReceived,
    StepStarted,
)
from aria_desktop.core.interfaces import Generation, GenerationEnd
from aria_desktop.core.records import CallRecord, Source, TurnRecord
from aria_desktop.safety.paths import Workspace
from aria_desktop.safety.policy import Rules
from aria_desktop.testing.script import Ending, Step
from aria_desktop.testing.scripted import ScriptedApprover, ScriptedLanguageModel
from tests.unit.assistant.agent_stage import (
    CREATE,
    Run,
    answer,
    call,
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "ws"
    root.mkdir()
    return root


class TestOneStep:
    def test_an_answer_is_streamed_and_given(self, root: Path) -> None:
        run = Run(root, [Step(('{"answer": "Hel', "lo. How", ' are you? I am fine."}'))])
        assert run() == AgentResult(TurnOutcome.ANSWERED, "Hello. How are you? I am fine.", ())
        assert run.kinds() == [
            "StepStarted",
            "PromptSent",
            "AnswerPiece",
            "AnswerPiece",
            "ReplyReceived",
            "AnswerPiece",
            "AnswerGiven",
        ]
        assert [e.text for e in run.of(AnswerPiece)] == ["Hello. ", "How are you? ", "I am fine."]
        assert run.events[-1] == AnswerGiven("t1", "Hello. How are you? I am fine.")

    def test_a_change_is_asked_about_then_made_then_told_without_a_second_reply(self, root: Path) -> None:
        run = Run(root, [CREATE], ScriptedApprover([True]))
        assert run() == AgentResult(TurnOutcome.ANSWERED, 'I created a.txt with "milk".', ("create_file",))
        assert run.kinds() == [
            "StepStarted", "PromptSent", "ReplyReceived", "CallProposed", "ApprovalRequested", "ApprovalDecided",
            "CallStarted", "CallEnded", "AnswerPiece", "AnswerGiven",
        ]  # fmt: skip
        assert run.files() == {"a.txt": "milk\n"}

    def test_nothing_is_on_disk_before_the_call_has_started(self, root: Path) -> None:
        run = Run(root, [CREATE], ScriptedApprover([True]))
        for event in run.steps():
            assert (run.files() == {}) == (not isinstance(event, (CallEnded, AnswerPiece, AnswerGiven)))

    def test_the_question_shows_all_of_the_change(self, root: Path) -> None:
        approver = ScriptedApprover([True])
        run = Run(root, [CREATE], approver)
        run()
        request = approver.requests[0]
        assert [event for event in run.events if isinstance(event, ApprovalRequested)] == [ApprovalRequested(request)]
        assert (request.turn_id, request.tool, request.words, request.after) == (
            "t1",
            "create_file",
            run.words,
            "milk\n",
        )
        proposed = run.of(CallProposed)[0]
        assert isinstance(proposed, CallProposed)
        assert request.call_id == proposed.call.id

    def test_a_read_starts_without_a_question(self, root: Path) -> None:
        (root / "a.txt").write_text("milk\n")
        run = Run(root, [call("read_file", path="a.txt")])
        assert run().answer == "milk"
        assert run.kinds()[3:7] == ["CallProposed", "CallStarted", "UntrustedTextRead", "CallEnded"]

    def test_code_is_drafted_before_the_question(self, root: Path) -> None:
        written = call("write_code", path="a.py", language="Python", request="print hi")
        run = Run(root, [written, "```python\nprint('hi')\n```"], ScriptedApprover([True]), words="a script a.py")
        assert run().tools == ("write_code",)
        assert run.files() == {"a.py": "print('hi')\n"}
        kinds = run.kinds()
        assert kinds.index("CallProposed") < kinds.index("DraftPiece") < kinds.index("ApprovalRequested")
        draft = run.of(DraftPiece)[0]
        assert isinstance(draft, DraftPiece)
        assert draft.text == "print('hi')\n"

    def test_a_summary_is_spoken_while_it_is_written(self, root: Path) -> None:
        (root / "a.txt").write_text("A long story.\n")
        run = Run(root, [call("summarize_text", path="a.txt"), Step((" It is", " a story.\n"))])
        assert run().answer == "It is a story."
        kinds = run.kinds()
        assert kinds.index("CallStarted") < kinds.index("AnswerPiece") < kinds.index("CallEnded")
        assert "".join(e.text for e in run.events if isinstance(e, AnswerPiece)).strip() == "It is a story."
        assert not run.of(DraftPiece)

    def test_a_summary_that_serves_something_else_is_a_draft(self, root: Path) -> None:
        (root / "a.txt").write_text("A long story.\n")
        first = call("summarize_text", "save it", path="a.txt")
        second = call("create_file", path="b.txt", content="A story.")
        run = Run(root, [first, "A story.", second], ScriptedApprover([True]))
        assert run().answer == 'I created b.txt with "A story.".'
        assert len(run.of(DraftPiece)) == 1

    def test_a_second_summary_waits_for_the_first_to_be_told(self, root: Path) -> None:
        for name in ("a.txt", "b.txt"):
            (root / name).write_text("A long story.\n")
        both: list[str | Step] = [
            call("summarize_text", "and b", path="a.txt"),
            "One.",
            call("summarize_text", path="b.txt"),
            "Two.",
        ]
        run = Run(root, both)
        assert run().answer == "One. Two."
        assert [e.text for e in run.events if isinstance(e, AnswerPiece)] == ["One. Two."]

    def test_a_question_to_the_user_ends_the_turn(self, root: Path) -> None:
        run = Run(root, [call("ask_user", question="Which one?")])
        assert run() == AgentResult(TurnOutcome.ASKED, "Which one?", ("ask_user",))

    def test_a_tool_may_need_to_ask_before_it_can_act(self, root: Path) -> None:
        (root / "a.txt").write_text("old\n")
        run = Run(root, [call("create_file", path="a.txt", content="")])
        assert run().outcome is TurnOutcome.ASKED
        assert run.result.answer.startswith("a.txt exists already. Which new file")
        assert run.ends() == [("create_file", Outcome.FAILED)]
        assert run.files() == {"a.txt": "old\n"}


class TestSeveralSteps:
    def test_it_is_asked_about_a_file_beyond_the_names_that_the_model_is_told(self, root: Path) -> None:
        for number in range(SHOWN):
            (root / f"{number:03}.txt").touch()
        for name in ("report-may.txt", "report-june.txt"):
            (root / name).write_text("x")
        run = Run(root, [call("delete_file", path="report-june.txt")], words="delete the report")
        assert run().answer == "Which file do you mean: report-june.txt or report-may.txt?"
        assert (root / "report-june.txt").exists()

    def test_the_model_reads_then_answers(self, root: Path) -> None:
        (root / "a.txt").write_text("port 8080\n")
        run = Run(root, [call("read_file", "say the port", path="a.txt"), answer("It is 8080.")])
        assert run() == AgentResult(TurnOutcome.ANSWERED, "It is 8080.", ("read_file",))
        result = run.model.asked[1].messages[-1].text
        assert "port 8080" in result
        assert "Still to do: say the port" in result

    def test_what_was_changed_is_told_at_once_and_stays_told(self, root: Path) -> None:
        more = call("create_file", "and tell a joke", path="a.txt", content="milk")
        run = Run(root, [more, answer("Why not?")], ScriptedApprover([True]))
        assert run().answer == 'I created a.txt with "milk". Why not?'
        pieces = [event.text for event in run.events if isinstance(event, AnswerPiece)]
        assert pieces[0] == 'I created a.txt with "milk". '
        assert "".join(pieces) == run.result.answer

    def test_an_empty_answer_is_legal_once_something_was_told(self, root: Path) -> None:
        more = call("create_file", "look again", path="a.txt", content="milk")
        run = Run(root, [more, answer("")], ScriptedApprover([True]))
        assert run().answer == 'I created a.txt with "milk".'

    def test_two_changes_are_both_asked_about_and_told(self, root: Path) -> None:
        second = call("append_file", path="a.txt", content="eggs")
        first = call("create_file", "add eggs", path="a.txt", content="milk")
        run = Run(root, [first, second], ScriptedApprover([True, True]))
        assert run().answer == 'I created a.txt with "milk". I added "eggs" to the end of a.txt.'
        assert run.files() == {"a.txt": "milk\neggs\n"}

    def test_a_failure_goes_back_to_the_model(self, root: Path) -> None:
        (root / "a.txt").write_text("milk\n")
        run = Run(root, [call("read_file", path="b.txt"), call("read_file", path="a.txt")])
        assert run().answer == "milk"
        assert run.ends() == [("read_file", Outcome.FAILED), ("read_file", Outcome.DONE)]
        assert 'There is no file "b.txt"' in run.model.asked[1].messages[-1].text

    def test_an_unknown_tool_fails_and_the_model_is_told_which_there_are(self, root: Path) -> None:
        run = Run(root, [call("send_mail", to="Bob"), answer("I can't send mail.")])
        assert run() == AgentResult(TurnOutcome.ANSWERED, "I can't send mail.", ("send_mail",))
        assert run.ends() == [("send_mail", Outcome.FAILED)]
        assert "There is no tool send_mail. There are: list_files" in run.model.asked[1].messages[-1].text


class TestRefusing:
    @pytest.mark.parametrize("by", ["you", "nobody there to ask"])
    def test_a_refused_change_leaves_nothing_and_is_not_claimed(self, root: Path, by: str) -> None:
        class Refusing:
            def ask(self, request: object, cancel: CancelToken) -> ApprovalDecision:  # noqa: ARG002
                return ApprovalDecision(False, by)

        run = Run(root, [CREATE], Refusing())
        assert run().outcome is TurnOutcome.REFUSED
        assert run.result.answer.startswith("Nothing was changed. a.txt was not created: ")
        assert ("you said no" if by == "you" else by) in run.result.answer
        assert run.files() == {}
        assert run.ends() == [("create_file", Outcome.REFUSED)]
        assert not run.of(CallStarted)

    def test_after_a_refusal_what_was_done_before_stays_told(self, root: Path) -> None:
        first = call("create_file", "another", path="a.txt", content="milk")
        run = Run(root, [first, call("create_file", path="b.txt", content="x")], ScriptedApprover([True, False]))
        assert run().outcome is TurnOutcome.ANSWERED
        assert run.result.answer.startswith('I created a.txt with "milk". b.txt was not created: ')
        assert "Nothing was changed" not in run.result.answer

    def test_a_tool_that_is_switched_off_is_refused_without_a_question(self, root: Path) -> None:
        run = Run(root, [CREATE], rules=Rules(frozenset({"create_file"})))
        assert run().outcome is TurnOutcome.REFUSED
        assert run.result.answer == "Nothing was changed. create_file is switched off."
        assert run.files() == {}

    @pytest.mark.parametrize("path", ["/etc/passwd", "../secret", "~/x"])
    def test_what_lies_outside_is_refused_by_the_door_and_that_is_the_answer(self, root: Path, path: str) -> None:
        run = Run(root, [call("create_file", path=path, content="x")])
        assert run().answer.startswith("I can't do that. ")
        assert "inside the workspace" in run.result.answer
        assert run.ends() == []
        assert [event.reason for event in run.of(CallWithheld)] == [OUTSIDE]

    def test_a_file_changed_while_the_question_waits_is_left_alone(self, root: Path) -> None:
        (root / "a.txt").write_text("eggs\n")

        class Meddling:
            def ask(self, request: object, cancel: CancelToken) -> ApprovalDecision:  # noqa: ARG002
                (root / "a.txt").write_text("somebody else\n")
                return ApprovalDecision(True, "you")

        run = Run(root, [call("append_file", path="a.txt", content="milk"), answer("Sorry.")], Meddling())
        run()
        assert run.files() == {"a.txt": "somebody else\n"}
        assert run.result.answer.startswith("Sorry. append_file did not work: ")


class TestRepliesThatAreNone:
    def test_the_model_is_told_why_and_may_try_twice_more(self, root: Path) -> None:
        run = Run(root, ["Sure!", '{"calls": [{"tool": "list_files"}]}', answer("Hello.")])
        assert run().answer == "Hello."
        assert len(run.of(ReplyReceived)) == 3
        assert len(run.of(StepStarted)) == 1
        sent = run.of(PromptSent)
        assert [(one.step, one.attempt, one.attempts) for one in sent] == [(1, 1, 3), (1, 2, 3), (1, 3, 3)]
        assert [len(one.messages) + one.unchanging for one in sent] == [len(one.messages) for one in run.model.asked]
        assert "not one JSON object" in run.model.asked[1].messages[-1].text
        assert '"then" has to be a text' in run.model.asked[2].messages[-1].text

    def test_after_that_the_turn_has_failed_in_words_and_nothing_was_done(self, root: Path) -> None:
        run = Run(root, ["Sure!", "", '{"answer": ""}'])
        assert run().outcome is TurnOutcome.FAILED
        assert run.result.error == "reply_invalid"
        assert run.result.answer == "Nothing was changed. The language model gave no usable reply."
        assert run.events[-1] == AnswerGiven("t1", run.result.answer)
        assert run.files() == {}

    def test_a_reply_that_was_cut_off_is_none(self, root: Path) -> None:
        class Cut(ScriptedLanguageModel):
            def complete(self, generation: Generation, cancel: CancelToken) -> Iterator[str | GenerationEnd]:
                for piece in super().complete(generation, cancel):
                    first = len(self.asked) == 1 and isinstance(piece, GenerationEnd)
                    yield GenerationEnd(False, 1, 0, 1, 1, 0, 0, 0) if first else piece

        run = Run(root, [])
        run.use(Cut([answer("A very long story"), answer("Short.")]))
        assert run().answer == "Short."
        assert "cut off" in run.model.asked[1].messages[-1].text


class TestEnding:
    def test_the_same_change_wanted_again_ends_the_turn_with_what_was_done(self, root: Path) -> None:
        again = call("create_file", "more", path="a.txt", content="milk")
        run = Run(root, [again, again], ScriptedApprover([True]))
        assert run() == AgentResult(TurnOutcome.ANSWERED, 'I created a.txt with "milk".', ("create_file",))
        assert run.ends() == [("create_file", Outcome.DONE)]

    def test_the_same_look_wanted_again_forces_an_answer_without_tools(self, root: Path) -> None:
        (root / "a.txt").write_text("port 8080\n")
        again = call("read_file", "say the port", path="a.txt")
        run = Run(root, [again, again, answer("8080.")])
        assert run() == AgentResult(TurnOutcome.ANSWERED, "8080.", ("read_file",))
        schema = run.model.asked[2].reply_schema
        assert schema is not None
        assert list(schema["properties"]) == ["answer"]  # type: ignore[call-overload]

    def test_looking_again_after_a_change_is_no_repetition(self, root: Path) -> None:
        (root / "a.txt").write_text("one\n")
        read = call("read_file", "add two", path="a.txt")
        add = call("append_file", "read it back", path="a.txt", content="two")
        run = Run(root, [read, add, read, answer("one two")], ScriptedApprover([True]))
        assert run().tools == ("read_file", "append_file", "read_file")

    def test_after_eight_steps_one_answer_is_forced(self, root: Path) -> None:
        for number in range(8):
            (root / f"{number}.txt").write_text("x\n")
        reads = [call("read_file", "go on", path=f"{number}.txt") for number in range(8)]
        run = Run(root, [*reads, answer("I read eight files.")])
        assert run() == AgentResult(TurnOutcome.ANSWERED, "I read eight files.", ("read_file",) * 8)
        assert "No more tools" in run.model.asked[8].messages[-1].text

    def test_a_tool_call_instead_of_the_forced_answer_is_not_carried_out(self, root: Path) -> None:
        (root / "a.txt").write_text("x\n")
        read = call("read_file", "go on", path="a.txt")
        run = Run(root, [read, CREATE], limits=AgentLimits(steps=1))
        assert run().outcome is TurnOutcome.FAILED
        assert run.files() == {"a.txt": "x\n"}


class TestTrouble:
    def test_a_read_over_its_limit_is_a_result_that_the_model_sees(self, root: Path) -> None:
        run = Run(root, [call("wait_long"), answer("It took too long.")], limits=AgentLimits(read_s=0.01))
        assert run().answer == "It took too long."
        assert run.ends() == [("wait_long", Outcome.FAILED)]
        assert "longer than 0.01 seconds" in run.model.asked[1].messages[-1].text

    def test_cancelling_a_tool_ends_its_call_first(self, root: Path) -> None:
        run = Run(root, [call("wait_long")])
        with pytest.raises(Cancelled):
            run.cancelled_at(CallStarted)
        assert run.ends() == [("wait_long", Outcome.CANCELLED)]
        assert isinstance(run.events[-1], CallEnded)

    def test_cancelling_the_question_ends_the_call_and_changes_nothing(self, root: Path) -> None:
        run = Run(root, [CREATE], ScriptedApprover([Ending.HANG]))
        with pytest.raises(Cancelled):
            run.cancelled_at(ApprovalRequested)
        assert run.ends() == [("create_file", Outcome.CANCELLED)]
        assert run.files() == {}

    def test_an_engine_that_dies_surfaces(self, root: Path) -> None:
        run = Run(root, [Step(('{"ans',), then=Ending.CRASH)])
        with pytest.raises(EngineDied):
            run()

    def test_an_engine_that_dies_inside_a_tool_ends_the_call_and_surfaces(self, root: Path) -> None:
        written = call("write_code", path="a.py", language="Python", request="x")
        run = Run(root, [written, Step(("```",), then=Ending.CRASH)], words="a script a.py")
        with pytest.raises(EngineDied):
            run()
        assert run.ends() == [("write_code", Outcome.FAILED)]
        assert run.files() == {}

    def test_a_bug_in_a_tool_ends_the_call_and_surfaces(self, root: Path) -> None:
        run = Run(root, [call("break_down")])
        with pytest.raises(ZeroDivisionError):
            run()
        assert run.ends() == [("break_down", Outcome.FAILED)]

    def test_an_approver_with_a_bug_changes_nothing(self, root: Path) -> None:
        run = Run(root, [CREATE], ScriptedApprover([]))
        with pytest.raises(AssertionError, match="no answer"):
            run()
        assert run.ends() == [("create_file", Outcome.FAILED)]
        assert run.files() == {}

    def test_a_change_that_breaks_off_in_the_middle_is_unknown(
        self, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def breaks(*_: object) -> None:
            raise ZeroDivisionError("a bug")

        monkeypatch.setattr(Workspace, "apply", breaks)
        run = Run(root, [CREATE], ScriptedApprover([True]))
        with pytest.raises(ZeroDivisionError):
            run()
        assert run.ends() == [("create_file", Outcome.UNKNOWN)]

    def test_a_full_disk_fails_the_call_and_surfaces(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(_: int) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(os, "fsync", full)
        run = Run(root, [CREATE], ScriptedApprover([True]))
        with pytest.raises(DiskFull):
            run()
        assert run.ends() == [("create_file", Outcome.FAILED)]
        assert run.files() == {}


def record(state: str, tool_name: str = "create_file", result: str = "", **arguments: object) -> CallRecord:
    return CallRecord(ToolCall("c9", tool_name, arguments), state, None, result)


def stored(*calls: CallRecord) -> TurnRecord:
    return TurnRecord("t1", Source.TEXT, "please", "", None, 0.0, calls, {})


class TestResuming:
    def test_a_waiting_call_is_asked_again_and_carried_out(self, root: Path) -> None:
        resume = stored(record("waiting", path="a.txt", content="milk"))
        run = Run(root, [answer("")], ScriptedApprover([True]), resume=resume)
        assert run().answer == 'I created a.txt with "milk".'
        assert run.kinds()[:2] == ["ApprovalRequested", "ApprovalDecided"]
        ended = run.of(CallEnded)[0]
        assert isinstance(ended, CallEnded)
        assert ended.call.id == "c9"
        assert run.files() == {"a.txt": "milk\n"}

    def test_a_waiting_call_that_is_refused_now_changes_nothing(self, root: Path) -> None:
        resume = stored(record("waiting", path="a.txt", content="milk"))
        run = Run(root, [], ScriptedApprover([False]), resume=resume)
        assert run().outcome is TurnOutcome.REFUSED
        assert run.files() == {}

    def test_code_that_was_shown_is_shown_again_and_not_written_again(self, root: Path) -> None:
        resume = stored(record("waiting", "write_code", path="a.py", language="Python", request="x"))
        approver = ScriptedApprover([True])
        run = Run(root, [answer("")], approver, resume=resume, draft="print('kept')\n")
        run()
        assert approver.requests[0].after == "print('kept')\n"
        assert run.files() == {"a.py": "print('kept')\n"}

    @pytest.mark.parametrize("state", ["unknown", "running"])
    def test_a_call_that_may_have_happened_is_told_as_unknown_and_never_run(self, root: Path, state: str) -> None:
        resume = stored(record(state, path="a.txt", content="milk"))
        again = call("create_file", path="a.txt", content="milk")
        run = Run(root, [again], resume=resume)
        assert run().answer.startswith("It is not known whether create_file was carried out")
        assert run.files() == {}
        assert run.ends() == ([("create_file", Outcome.UNKNOWN)] if state == "running" else [])
        assert "create_file: unknown" in run.model.asked[0].messages[-1].text

    def test_what_was_done_is_not_done_again_and_stays_told(self, root: Path) -> None:
        resume = stored(
            record("done", path="a.txt", content="milk", result="I created a.txt."),
            record("waiting", "append_file", path="b.txt", content="x"),
        )
        (root / "b.txt").write_text("old\n")
        run = Run(root, [answer("")], ScriptedApprover([True]), resume=resume)
        assert run().answer == 'I created a.txt. I added "x" to the end of b.txt.'
        assert run.files() == {"b.txt": "old\nx\n"}
        assert run.result.tools == ("create_file", "append_file")


def test_the_agent_warms_what_its_prompts_begin_with(root: Path) -> None:
    run = Run(root, [answer("Hi.")])
    run()
    stable = run.agent.stable_messages()
    assert run.model.asked[0].messages[: len(stable)] == stable


def test_an_approval_is_decided_in_the_time_that_is_told(root: Path) -> None:
    run = Run(root, [CREATE], ScriptedApprover([True]))
    run()
    decided = run.of(ApprovalDecided)[0]
    assert isinstance(decided, ApprovalDecided)
    assert decided.seconds >= 0
    assert decided.decision == ApprovalDecision(True, "scripted approver")

"""What the user is told follows from what really happened."""

from __future__ import annotations

from aria_desktop.assistant.closing import (
    Closing,
    Ended,
    after_reply,
    fact,
    instead,
    not_understood,
    summed_up,
    with_answer,
)
from aria_desktop.core.chat import Outcome, ToolCall, ToolResult, TurnOutcome


def ended(tool: str, outcome: Outcome, answer: str = "", text: str = "text") -> Ended:
    changes = tool in ("create_file", "append_file")
    return Ended(ToolCall("c", tool), changes, ToolResult(outcome, text, answer))


def after(*calls: Ended, fresh: int = 1, then: str = "") -> Closing | None:
    """`fresh`: how many of the last calls were of the last reply."""
    return after_reply(calls, calls[-fresh:], then)


CREATED = ended("create_file", Outcome.DONE, "I created a.txt.")
READ = ended("read_file", Outcome.DONE, "one two")
REFUSED = ended("create_file", Outcome.REFUSED, "b.txt was not created: you said no.")
FAILED = ended("create_file", Outcome.FAILED, text="Too large.")
UNKNOWN = ended("create_file", Outcome.UNKNOWN)


def test_a_result_that_says_all_ends_the_turn() -> None:
    assert after(CREATED) == Closing(TurnOutcome.ANSWERED, "I created a.txt.")
    assert after(READ) == Closing(TurnOutcome.ANSWERED, "one two")


def test_the_model_goes_on_when_something_is_left_or_the_result_does_not_say_all() -> None:
    assert after(CREATED, then="read it") is None
    assert after(ended("read_file", Outcome.DONE)) is None
    assert after(FAILED) is None
    assert after(UNKNOWN) is None


def test_a_refusal_ends_the_turn_and_nothing_else_is_claimed() -> None:
    assert after(REFUSED) == Closing(TurnOutcome.REFUSED, "Nothing was changed. b.txt was not created: you said no.")
    assert after(CREATED, REFUSED) == Closing(
        TurnOutcome.ANSWERED, "I created a.txt. b.txt was not created: you said no."
    )
    unknown_first = after(UNKNOWN, REFUSED)
    assert unknown_first is not None
    assert unknown_first.outcome is TurnOutcome.REFUSED
    assert unknown_first.text.startswith("It is not known whether create_file was carried out")
    assert "Nothing was changed" not in unknown_first.text


def test_a_reply_with_several_calls_ends_the_turn_when_all_of_them_say_all() -> None:
    assert after(CREATED, READ, fresh=2) == Closing(TurnOutcome.ANSWERED, "I created a.txt. one two")
    assert after(CREATED, FAILED, fresh=2) is None
    assert after(ended("read_file", Outcome.DONE), CREATED, fresh=2) is None
    stopped = ended("create_file", Outcome.CANCELLED)
    assert after(CREATED, REFUSED, stopped, fresh=3) == Closing(
        TurnOutcome.ANSWERED, "I created a.txt. b.txt was not created: you said no."
    )


def test_a_question_ends_the_turn_as_asked() -> None:
    asked = Ended(ToolCall("c", "ask_user"), False, ToolResult(Outcome.DONE, "", "Which one?", ends_turn=True))
    assert after(CREATED, asked, then="go on") == Closing(TurnOutcome.ASKED, "I created a.txt. Which one?")


def test_what_the_door_refuses_is_told_at_once() -> None:
    outside = ended("read_file", Outcome.FAILED, answer="I can't do that. It is outside.")
    assert after(outside) == Closing(TurnOutcome.ANSWERED, "I can't do that. It is outside.")


def test_changes_are_told_before_the_model_s_words_and_failures_after_them() -> None:
    assert with_answer([CREATED, READ], "It says one two.") == "I created a.txt. It says one two."
    assert with_answer([READ], "It says one two.") == "It says one two."
    assert with_answer([FAILED], "Done!") == "Done! create_file did not work: Too large."
    assert with_answer([FAILED, CREATED], "") == "I created a.txt."
    assert with_answer([CREATED], "") == "I created a.txt."


def test_a_failure_is_made_up_for_on_the_same_file_only() -> None:
    def on(ended: Ended, path: str) -> Ended:
        return Ended(ToolCall("c", ended.call.tool, {"path": path}), True, ended.result)

    added = ended("append_file", Outcome.DONE, "I added it.")
    assert with_answer([on(FAILED, "a.txt"), on(added, "a.txt")], "") == "I added it."
    assert with_answer([on(FAILED, "a dot t x t"), on(added, "a.txt")], "") == "I added it."
    assert with_answer([on(FAILED, "a.txt"), on(added, "b.txt")], "").startswith("I added it. create_file did not")
    assert with_answer([on(FAILED, "a.txt"), on(CREATED, "b.txt")], "").endswith("create_file did not work: Too large.")
    assert with_answer([FAILED, added], "").startswith("I added it. create_file did not work")
    moved = Ended(ToolCall("c", "move_file", {"source": "a.txt", "destination": "b.txt"}), True, added.result)
    assert with_answer([on(FAILED, "a.txt"), moved], "") == "I added it."


def test_what_was_read_for_a_change_is_not_told_again() -> None:
    assert summed_up([READ, CREATED]) == "I created a.txt."
    assert summed_up([CREATED, READ]) == "I created a.txt. one two"
    assert summed_up([READ, READ]) == "one two one two"


def test_only_changes_are_facts() -> None:
    assert fact(CREATED) == "I created a.txt."
    assert fact(READ) == fact(REFUSED) == fact(FAILED) == ""
    assert fact(UNKNOWN).startswith("It is not known whether create_file")


def test_a_repeated_change_ends_with_what_was_done() -> None:
    assert instead([READ, CREATED], "", "") == Closing(TurnOutcome.ANSWERED, "I created a.txt.")
    assert instead([CREATED, READ], "", "") is None
    assert instead([], "", "") is None


def test_instead_of_calls_there_is_a_question_or_what_can_not_be_done() -> None:
    assert instead([CREATED], "Which one?", "") == Closing(TurnOutcome.ASKED, "I created a.txt. Which one?")
    assert instead([], "", "I can't.") == Closing(TurnOutcome.ANSWERED, "I can't.")


def test_no_usable_reply_is_a_failure_that_says_what_was_done() -> None:
    assert not_understood([]) == Closing(
        TurnOutcome.FAILED, "Nothing was changed. The language model gave no usable reply.", "reply_invalid"
    )
    assert not_understood([CREATED]).text == "I created a.txt. The language model gave no usable reply."

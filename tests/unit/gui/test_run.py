"""What the graph of a turn shows at each of its moments, and that a stored turn is told the same way."""

from __future__ import annotations

from dataclasses import replace

import pytest

from aria_desktop.core import events, records
from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest, Risk, RiskLevel
from aria_desktop.core.chat import Message, Outcome, Role, ToolCall, ToolChoice, ToolResult, TurnOutcome
from aria_desktop.core.transcript import Word
from aria_desktop.gui.state.replay import Replay
from aria_desktop.gui.state.run import RunStory
from aria_desktop.gui.state.run_steps import choices_of
from aria_desktop.gui.state.run_view import Node, NodeLook, RunView

CALL = ToolCall("c1", "create_file", {"path": "a.txt", "content": "milk"})
CHOICE = ToolChoice("create_file", 0.93, "append_file", 0.05)
PROMPT = events.PromptSent("t1", 1, 1, 3, (Message(Role.USER, "Make a.txt"),), 9)
REPLY = events.ReplyReceived("t1", 1, '{"calls": []}', 1184, 1020, 96, 7.0, (CHOICE,), 0.31)
ASKED = events.ApprovalRequested(
    ApprovalRequest("a1", "t1", "c1", "create_file", "Create a.txt?", "Allow", (), "/w/a.txt", None, "milk",
                    Risk(RiskLevel.LOW, "Nothing is lost."), "")
)  # fmt: skip
YES = events.ApprovalDecided("t1", "a1", ApprovalDecision(True, "you"), 2.0)
NO = events.ApprovalDecided("t1", "a1", ApprovalDecision(False, "you"), 2.0)
PROPOSED = events.CallProposed("t1", 1, CALL)
STARTED = events.CallStarted("t1", "c1")
DONE = events.CallEnded("t1", CALL, ToolResult(Outcome.DONE, "created"))
FAILED = events.CallEnded("t1", CALL, ToolResult(Outcome.FAILED, "There is no folder b."))
ENDED = events.TurnEnded("t1", "s1", "", TurnOutcome.ANSWERED, "Done.", (), {"total": 9.0})
HEARD = events.Heard("t1", "make a file", "en", (Word(" make", 0, 1, 0.9), Word(" file", 1, 2, 0.4)), 2.4)


def run(*told: events.Event, source: records.Source = records.Source.TEXT) -> RunView:
    """One event a second."""
    story = RunStory(source, 0.0)
    for second, event in enumerate(told, start=1):
        story.apply(event, float(second))
    return story.view()


def look(view: RunView, node: Node) -> NodeLook:
    return next(one.look for one in view.nodes if one.node is node)


def under(view: RunView, node: Node) -> str:
    return next(one.under for one in view.nodes if one.node is node)


THINKING = (events.StepStarted("t1", 1), PROMPT)
THOUGHT = (*THINKING, REPLY, PROPOSED)
ALLOWED = (*THOUGHT, ASKED, YES)


@pytest.mark.parametrize(
    ("told", "node", "expected"),
    [
        (THINKING, Node.THINK, NodeLook.ACTIVE),
        (THOUGHT, Node.THINK, NodeLook.DONE),
        ((*THOUGHT, events.DraftPiece("t1", "c1", "mi")), Node.THINK, NodeLook.ACTIVE),
        ((*THOUGHT, ASKED), Node.ASK, NodeLook.WAITING),
        (ALLOWED, Node.ASK, NodeLook.DONE),
        ((*THOUGHT, ASKED, NO), Node.ASK, NodeLook.FAILED),
        ((*ALLOWED, STARTED), Node.ACT, NodeLook.ACTIVE),
        ((*ALLOWED, STARTED, DONE), Node.ACT, NodeLook.DONE),
        ((*ALLOWED, STARTED, DONE), Node.CHECK, NodeLook.DONE),
        ((*ALLOWED, STARTED, FAILED), Node.CHECK, NodeLook.FAILED),
        ((*ALLOWED, STARTED, DONE, events.SpeakingStarted("t1", "x")), Node.SPEAK, NodeLook.ACTIVE),
        (THINKING, Node.SPEAK, NodeLook.TODO),
        (THINKING, Node.LISTEN, NodeLook.SKIPPED),
        ((*THINKING, REPLY, ENDED), Node.ACT, NodeLook.SKIPPED),
    ],
)
def test_where_the_turn_is(told: tuple[events.Event, ...], node: Node, expected: NodeLook) -> None:
    assert look(run(*told), node) is expected


def test_what_was_spoken_is_listened_to_and_recognised_first() -> None:
    begun = run(source=records.Source.MICROPHONE)
    assert (look(begun, Node.LISTEN), look(begun, Node.RECOGNISE)) == (NodeLook.DONE, NodeLook.ACTIVE)
    view = run(HEARD, *THINKING, source=records.Source.MICROPHONE)
    assert under(view, Node.LISTEN) == "2.4\N{NO-BREAK SPACE}s"
    assert look(view, Node.RECOGNISE) is NodeLook.DONE
    assert view.taken == {(Node.LISTEN, Node.RECOGNISE), (Node.RECOGNISE, Node.THINK)}
    recognised = view.visit(Node.RECOGNISE)
    assert recognised is not None
    assert ("Least sure", "file, 40%") in recognised.state


def test_a_failed_call_goes_back_to_thinking_with_the_reason() -> None:
    view = run(*ALLOWED, STARTED, FAILED, events.StepStarted("t1", 2))
    assert view.loop is not None
    assert (view.loop.start, view.loop.end, view.loop.again) == (Node.CHECK, Node.THINK, True)
    assert view.loops == 1
    assert "There is no folder b." in view.now
    assert look(view, Node.THINK) is NodeLook.ACTIVE
    assert [visit.number for visit in view.visits if visit.node is Node.THINK] == [1, 2]


def test_a_result_that_is_needed_goes_back_without_being_a_retry() -> None:
    view = run(*THOUGHT, STARTED, DONE, events.StepStarted("t1", 2))
    assert view.loop is not None
    assert (view.loop.words, view.loop.again) == ("Step 2", False)


def test_a_reply_that_could_not_be_used_is_a_retry_of_thinking() -> None:
    view = run(*THINKING, REPLY, replace(PROMPT, attempt=2))
    assert view.loop is not None
    assert (view.loop.start, view.loop.end, view.loop.words) == (Node.THINK, Node.THINK, "Retry 1 of 2")
    assert look(view, Node.THINK) is NodeLook.ACTIVE


def test_what_code_withheld_is_a_failed_check() -> None:
    view = run(*THINKING, REPLY, events.CallWithheld("t1", 1, CALL, "The words do not name that file."))
    assert look(view, Node.CHECK) is NodeLook.FAILED
    assert (Node.THINK, Node.CHECK) in view.taken


def test_a_turn_that_failed_ends_red() -> None:
    view = run(*THINKING, replace(ENDED, outcome=TurnOutcome.FAILED, text="The model stopped."))
    assert look(view, Node.THINK) is NodeLook.FAILED
    assert view.over
    assert view.now == ""


def test_a_step_tells_prompt_reply_probabilities_tokens_and_times() -> None:
    thought = run(*THOUGHT).visit(Node.THINK)
    assert thought is not None
    assert "Make a.txt" in thought.prompt
    assert "9\N{NO-BREAK SPACE}messages" in thought.prompt
    assert thought.reply == '{"calls": []}'
    (choice,) = thought.choices
    assert (choice.chosen.name, choice.chosen.probability) == ("create_file", 0.93)
    assert choice.runner_up is not None
    assert choice.runner_up.name == "append_file"
    state = dict(thought.state)
    assert state["Prompt"] == "1,184 tokens, 1,020 reused"
    assert state["Speed"] == "14 tokens/s"
    assert state["First token after"] == "0.31\N{NO-BREAK SPACE}s"
    assert "create_file: 0.93" in thought.as_text()


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        (CHOICE, "The model was sure: 93% for create_file; the next was append_file with 5%."),
        (ToolChoice("a", 0.5, "b", 0.45), "It was close: 50% for a, 45% for b."),
        (ToolChoice("a", 0.7, "b", 0.2), "The model leaned to it: 70% for a; the next was b with 20%."),
        (ToolChoice("a", 1.0), "Nothing else was legal here, so a it was."),
    ],
)
def test_why_a_tool_was_chosen(choice: ToolChoice, words: str) -> None:
    assert choices_of((choice,))[0].why == words


STORED = records.RunRecord(
    records.TurnRecord(
        "t1", records.Source.MICROPHONE, "make a file", "Done.", TurnOutcome.ANSWERED, 100.0, (),
        {"listen": 2.4, "recognise": 0.5, "speak": 1.0, "total": 9.0},
    ),
    "en", HEARD.words, 2.4,
    (records.StepRecord(1, 1, 3, 101.0, 103.0, PROMPT.messages, 9, REPLY.raw, 1184, 1020, 96, 2.0, 0.31, (CHOICE,)),),
    (records.TimedCall(1, CALL, "done", "created", 103.0, 103.5, 105.0, ApprovalDecision(True, "you"),
                       "Create a.txt?", 105.1, 105.2),),
    108.0,
)  # fmt: skip


@pytest.mark.parametrize(
    ("at", "node", "expected"),
    [
        (0.1, Node.RECOGNISE, NodeLook.ACTIVE),
        (1.5, Node.THINK, NodeLook.ACTIVE),
        (4.0, Node.ASK, NodeLook.WAITING),
        (5.15, Node.ACT, NodeLook.ACTIVE),
        (6.0, Node.CHECK, NodeLook.DONE),
        (7.5, Node.SPEAK, NodeLook.ACTIVE),
        (8.0, Node.SPEAK, NodeLook.DONE),
    ],
)
def test_a_stored_turn_is_seen_again_as_it_went(at: float, node: Node, expected: NodeLook) -> None:
    assert look(Replay(STORED).view(at), node) is expected


def test_a_replay_ends_where_the_turn_did() -> None:
    replay = Replay(STORED)
    assert replay.seconds == pytest.approx(8.0)
    assert replay.moments == tuple(sorted(set(replay.moments)))
    assert replay.view(replay.seconds).over
    thought = replay.view(replay.seconds).visit(Node.THINK)
    assert thought is not None
    assert "Make a.txt" in thought.prompt


def test_a_turn_of_an_older_version_is_seen_with_what_there_is() -> None:
    old = replace(STORED, steps=(replace(STORED.steps[0], messages=(), choices=()),), heard=(), ended=None, calls=())
    view = Replay(old).view(99.0)
    assert look(view, Node.THINK) is NodeLook.DONE
    assert not view.over

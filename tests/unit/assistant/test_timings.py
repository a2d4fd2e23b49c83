"""Where the time goes, with a clock made of numbers."""

from __future__ import annotations

import pytest

from aria_desktop.assistant.timings import Timings
from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest, Risk, RiskLevel
from aria_desktop.core.chat import Outcome, ToolCall, ToolResult
from aria_desktop.core.events import (
    AnswerGiven,
    ApprovalDecided,
    ApprovalRequested,
    CallEnded,
    CallStarted,
    SpeakingEnded,
    SpeakingStarted,
    StepStarted,
)

ASKED = ApprovalRequested(
    ApprovalRequest("q", "t", "c", "create_file", "?", "Allow", (), "", None, None, Risk(RiskLevel.LOW, ""), "")
)
DECIDED = ApprovalDecided("t", "q", ApprovalDecision(True, "you"), 5.0)


def done(call_id: str) -> CallEnded:
    return CallEnded("t", ToolCall(call_id, "x"), ToolResult(Outcome.DONE, ""))


def test_every_moment_of_the_agent_belongs_to_one_stage() -> None:
    timings = Timings(began=100.0, speech_ended=100.0)
    timings.agent_started(101.0)
    timings.note(StepStarted("t", 1), 101.0)
    timings.note(ASKED, 103.0)
    timings.note(DECIDED, 108.0)
    timings.note(CallStarted("t", "c"), 108.5)
    timings.note(done("c"), 110.0)
    timings.note(AnswerGiven("t", "Yes."), 112.0)
    timings.agent_ended(112.0)
    assert timings.ended(115.0) == {"think": 2.0 + 0.5 + 2.0, "approve": 5.0, "act": 1.5, "total": 15.0}


def test_reads_side_by_side_are_counted_once() -> None:
    timings = Timings(0.0, 0.0)
    timings.agent_started(0.0)
    timings.note(CallStarted("t", "a"), 1.0)
    timings.note(CallStarted("t", "b"), 2.0)
    timings.note(done("a"), 3.0)
    timings.note(done("b"), 5.0)
    timings.agent_ended(6.0)
    assert timings.ended(6.0) == {"think": 2.0, "act": 4.0, "total": 6.0}


def test_a_call_that_never_started_ends_without_acting() -> None:
    timings = Timings(0.0, 0.0)
    timings.agent_started(0.0)
    timings.note(done("a"), 1.0)
    timings.agent_ended(2.0)
    assert timings.ended(2.0) == {"think": 2.0, "total": 2.0}


def test_first_audio_runs_from_the_end_of_speech_and_leaves_the_users_time_out() -> None:
    timings = Timings(began=90.0, speech_ended=100.0)
    timings.agent_started(100.5)
    timings.note(ASKED, 101.0)
    timings.note(DECIDED, 111.0)
    timings.note(SpeakingStarted("t", "sink"), 112.0)
    timings.note(SpeakingEnded("t", 2.0, False), 114.0)
    timings.agent_ended(114.0)
    assert timings.ended(114.0)["first_audio"] == pytest.approx(2.0)
    assert timings.ended(114.0)["speak"] == pytest.approx(2.0)
    assert timings.ended(114.0)["total"] == pytest.approx(24.0)


def test_audio_that_starts_while_a_question_is_open_does_not_wait_for_it() -> None:
    timings = Timings(0.0, 0.0)
    timings.agent_started(0.0)
    timings.note(ASKED, 1.0)
    timings.note(SpeakingStarted("t", "sink"), 4.0)
    assert timings.ended(9.0)["first_audio"] == pytest.approx(1.0)


def test_a_file_has_all_been_said_when_it_is_read() -> None:
    timings = Timings(0.0, 0.0)
    timings.spent("listen", 0.4)
    timings.speech_ended(0.4)
    timings.note(SpeakingStarted("t", "sink"), 2.4)
    assert timings.ended(3.0) == {"listen": 0.4, "first_audio": 2.0, "total": 3.0}

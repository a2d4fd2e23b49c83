"""One turn seen from the command line: whose events count, how it ends, and what Ctrl+C stops."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from aria_desktop.commands.turns import exit_code, not_started, run_turn
from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.errors import ExitCode, ModelMissing
from aria_desktop.core.events import AnswerGiven, Event, Problem, TurnEnded, TurnStarted
from aria_desktop.core.records import Source
from aria_desktop.core.requests import CancelTurn, Request, SubmitText

Reaction = Callable[[Request, Callable[[Event], None]], None]


class Assistant:
    """Answers each request with what the test says."""

    def __init__(self, react: Reaction) -> None:
        self._react = react
        self._listener: Callable[[Event], None] = lambda _: None
        self.requests: list[Request] = []

    def submit(self, request: Request) -> None:
        self.requests.append(request)
        self._react(request, self._listener)

    def subscribe(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        self._listener = listener
        return lambda: None

    def close(self) -> None:
        """Nothing runs."""


def ended(request_id: str, outcome: TurnOutcome = TurnOutcome.ANSWERED) -> TurnEnded:
    return TurnEnded("t", "s", request_id, outcome, "", ())


def run(react: Reaction) -> tuple[TurnEnded, list[Event], Assistant]:
    shown: list[Event] = []
    assistant = Assistant(react)
    end = run_turn(assistant, SubmitText("mine", "hi"), "mine", shown.append, lambda _: None)
    return end, shown, assistant


def test_only_its_own_turn_is_shown() -> None:
    def react(_: Request, tell: Callable[[Event], None]) -> None:
        tell(TurnStarted("other", "s", "theirs", Source.TEXT, "x"))
        tell(AnswerGiven("other", "theirs"))
        tell(ended("theirs"))
        tell(TurnStarted("t", "s", "mine", Source.TEXT, "hi"))
        tell(AnswerGiven("t", "mine"))
        tell(ended("mine"))

    end, shown, _ = run(react)
    assert end.request_id == "mine"
    assert AnswerGiven("t", "mine") in shown
    assert AnswerGiven("other", "theirs") not in shown


@pytest.mark.parametrize("problem", [Problem("mine", "usage", "no", "do"), Problem("", "window_gone", "no", "do")])
def test_a_problem_that_ends_it_is_shown_as_its_end(problem: Problem) -> None:
    end, shown, _ = run(lambda _, tell: tell(problem))
    assert shown == [end]
    assert (end.outcome, end.error, end.text, end.hint) == (TurnOutcome.FAILED, problem.error, "no", "do")


def test_a_problem_that_concerns_nobody_is_shown_and_ends_nothing() -> None:
    def react(_: Request, tell: Callable[[Event], None]) -> None:
        tell(Problem("", "speaker_missing", "no loudspeaker", ""))
        tell(Problem("theirs", "usage", "not mine", ""))
        tell(ended("mine"))

    end, shown, _ = run(react)
    assert end.outcome is TurnOutcome.ANSWERED
    assert [event.text for event in shown if isinstance(event, Problem)] == ["no loudspeaker"]


def test_ctrl_c_stops_this_request_and_the_second_one_does_not_wait() -> None:
    interrupted: list[int] = []

    def react(request: Request, tell: Callable[[Event], None]) -> None:
        tell(TurnStarted("t", "s", "mine", Source.TEXT, "hi"))
        if isinstance(request, CancelTurn):
            tell(AnswerGiven("t", "still going"))

    def show(_: Event) -> None:
        interrupted.append(1)
        raise KeyboardInterrupt

    assistant = Assistant(react)
    with pytest.raises(KeyboardInterrupt):
        run_turn(assistant, SubmitText("mine", "hi"), "mine", show, lambda _: None)
    assert [request for request in assistant.requests if isinstance(request, CancelTurn)] == [
        CancelTurn(request_id="mine")
    ]
    assert len(interrupted) == 2


@pytest.mark.parametrize(
    ("end", "code"),
    [
        (ended("r"), ExitCode.OK),
        (ended("r", TurnOutcome.ASKED), ExitCode.OK),
        (ended("r", TurnOutcome.REFUSED), ExitCode.REFUSED),
        (ended("r", TurnOutcome.CANCELLED), ExitCode.CANCELLED),
        (ended("r", TurnOutcome.NOTHING_HEARD), ExitCode.NOTHING_HEARD),
        (not_started("r", ModelMissing("gone", "fetch it")), ExitCode.MODEL),
        (TurnEnded("", "", "r", TurnOutcome.FAILED, "", (), {}, "never heard of", "x"), ExitCode.FAILED),
    ],
)
def test_exit_codes(end: TurnEnded, code: ExitCode) -> None:
    assert exit_code(end) is code

"""A question on a real terminal: typed answers, and answers that another front end gives first."""

from __future__ import annotations

import os
import pty
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from aria_desktop.commands.elsewhere import Elsewhere
from aria_desktop.commands.terminal_question import ask_on_terminal, correct_on_terminal
from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest, Risk, RiskLevel
from aria_desktop.core.chat import Outcome, ToolCall, ToolResult, TurnOutcome
from aria_desktop.core.events import (
    ApprovalDecided,
    CallEnded,
    Event,
    Problem,
    TranscriptOffered,
    TranscriptSettled,
    TurnEnded,
)

REQUEST = ApprovalRequest(
    id="q1",
    turn_id="t1",
    call_id="c1",
    tool="create_file",
    question="Create a.txt?",
    allow_label="Allow create",
    facts=(),
    path="/tmp/a.txt",
    before=None,
    after="hello\n",
    risk=Risk(RiskLevel.LOW, "Adds a file."),
    words="make a.txt",
)
YES = ApprovalDecided("t1", "q1", ApprovalDecision(True, "you"), 1.0)


class Terminal:
    """Both ends of a pseudo-terminal."""

    def __init__(self, mine: int, connect: Callable[[], None]) -> None:
        """`connect` makes the other end standard input and error, which pytest has set anew for the test itself."""
        self._mine = mine
        self.connect = connect
        self.shown = ""

    def read_until(self, text: str) -> None:
        while text not in self.shown:
            self.shown += os.read(self._mine, 4096).decode()

    def type(self, text: str) -> None:
        os.write(self._mine, text.encode())


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    mine, theirs = pty.openpty()
    with os.fdopen(theirs, encoding="utf-8") as stdin, os.fdopen(os.dup(theirs), "w", encoding="utf-8") as stderr:

        def connect() -> None:
            monkeypatch.setattr("sys.stdin", stdin)
            monkeypatch.setattr("sys.stderr", stderr)

        yield Terminal(mine, connect)
    os.close(mine)


@pytest.fixture
def elsewhere() -> Iterator[Elsewhere]:
    with closing(Elsewhere()) as found:
        yield found


class Asked:
    """The question, asked on a thread of its own."""

    def __init__(self, terminal: Terminal, elsewhere: Elsewhere, request: ApprovalRequest = REQUEST) -> None:
        terminal.connect()
        self._answer: list[tuple[bool, str] | None] = []
        self._thread = threading.Thread(target=lambda: self._answer.append(ask_on_terminal(request, elsewhere)))
        self._thread.start()
        terminal.read_until("[y/N] ")

    @property
    def answer(self) -> tuple[bool, str] | None:
        self._thread.join(20)
        (answer,) = self._answer
        return answer


@pytest.mark.parametrize(
    ("typed", "allowed"),
    [("y\n", True), ("YES\n", True), ("\n", False), ("n\n", False), ("yes please\n", False), ("\x04", False)],
)
def test_only_a_whole_yes_that_is_typed_allows(
    terminal: Terminal, elsewhere: Elsewhere, typed: str, allowed: bool
) -> None:
    asked = Asked(terminal, elsewhere)
    assert "Create a.txt?" in terminal.shown
    terminal.type(typed)
    assert asked.answer == (allowed, "you")


def test_an_end_of_input_in_the_middle_of_a_line_waits_for_the_line(terminal: Terminal, elsewhere: Elsewhere) -> None:
    asked = Asked(terminal, elsewhere)
    terminal.type("y\x04es\n")
    assert asked.answer == (True, "you")


@pytest.mark.parametrize(
    ("event", "says"),
    [
        (YES, "Answered in the window: allowed."),
        (replace(YES, decision=ApprovalDecision(False, "you")), "Answered in the window: refused."),
        (CallEnded("t1", ToolCall("c1", "create_file"), ToolResult(Outcome.CANCELLED, "")), "no longer open."),
        (TurnEnded("t1", "s", "r", TurnOutcome.CANCELLED, "", ()), "no longer open."),
        (Problem("", "window_gone", "The window is gone.", ""), "no longer open."),
    ],
)
def test_the_question_goes_when_it_was_settled_elsewhere(
    terminal: Terminal, elsewhere: Elsewhere, event: Event, says: str
) -> None:
    asked = Asked(terminal, elsewhere)
    terminal.type("ye")
    elsewhere.note(event)
    assert asked.answer is None
    terminal.read_until(says)


def test_other_events_leave_it_standing_and_an_answer_that_came_first_counts(
    terminal: Terminal, elsewhere: Elsewhere
) -> None:
    elsewhere.note(replace(YES, request_id="q0"))
    asked = Asked(terminal, elsewhere)
    elsewhere.note(replace(YES, request_id="q2"))
    elsewhere.note(TurnEnded("", "s", "r", TurnOutcome.NOTHING_HEARD, "", ()))
    terminal.type("y\n")
    assert asked.answer == (True, "you")
    elsewhere.note(replace(YES, request_id="q9"))
    terminal.shown = ""
    assert Asked(terminal, elsewhere, replace(REQUEST, id="q9")).answer is None


def test_events_may_still_come_when_nobody_asks_any_more() -> None:
    elsewhere = Elsewhere()
    for _ in range(70_000):
        elsewhere.note(YES)
    elsewhere.close()
    elsewhere.close()
    elsewhere.note(YES)
    assert elsewhere.outcome(REQUEST) == "allowed"


OFFERED = TranscriptOffered("t1", "Make a dot text", 0.7, ("dot",))


class Offered:
    """What was heard, put up to be corrected, on a thread of its own."""

    def __init__(self, terminal: Terminal, elsewhere: Elsewhere) -> None:
        terminal.connect()
        self._words: list[str | None] = []
        self._thread = threading.Thread(target=lambda: self._words.append(correct_on_terminal(OFFERED, elsewhere)))
        self._thread.start()
        terminal.read_until("what you said: ")

    @property
    def words(self) -> str | None:
        self._thread.join(20)
        (words,) = self._words
        return words


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("\n", "Make a dot text"),
        ("make a.txt\n", "make a.txt"),
        ("n\n", ""),
        (" NO \n", ""),
        ("\x04", ""),
    ],
    ids=["taken", "corrected", "dropped", "dropped loudly", "end of input"],
)
def test_what_was_heard_is_taken_corrected_or_dropped(
    terminal: Terminal, elsewhere: Elsewhere, typed: str, words: str
) -> None:
    offered = Offered(terminal, elsewhere)
    assert 'heard: "Make a dot text" (not sure: dot)' in terminal.shown
    terminal.type(typed)
    assert offered.words == words


@pytest.mark.parametrize(
    "event",
    [TranscriptSettled("t1", "make a.txt", "you"), TurnEnded("t1", "s", "r", TurnOutcome.CANCELLED, "", ())],
    ids=["settled", "stopped"],
)
def test_words_that_were_settled_elsewhere_wait_no_longer(
    terminal: Terminal, elsewhere: Elsewhere, event: Event
) -> None:
    offered = Offered(terminal, elsewhere)
    elsewhere.note(TranscriptSettled("t2", "another turn's", "you"))
    terminal.type("make b")
    elsewhere.note(event)
    assert offered.words is None
    terminal.read_until("Settled in the window.")

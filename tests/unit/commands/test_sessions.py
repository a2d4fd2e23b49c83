"""What `aria sessions` asks, prints and refuses, whoever the assistant is."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Sequence

import pytest

from aria_desktop.commands import sessions
from aria_desktop.core import requests
from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest, Risk, RiskLevel
from aria_desktop.core.chat import ToolCall, TurnOutcome
from aria_desktop.core.errors import AriaError, DiskFull, ExitCode, UsageError
from aria_desktop.core.events import Event, Problem, SessionDeleted, SessionShown, SessionsListed
from aria_desktop.core.records import CallRecord, SessionRecord, Source, TurnRecord
from aria_desktop.core.requests import Request

NOON = 1_700_000_000.0
MILK = SessionRecord("s1a2b3c4d", "Buy milk", NOON, 2, waiting=True)
CODE = SessionRecord("s9f8e7d6c", "Write \x1b[31mcode", NOON + 60, 1, waiting=False)
QUESTION = ApprovalRequest(
    id="a1",
    turn_id="t2",
    call_id="c2",
    tool="create_file",
    question="Create \u202ea.txt?",
    allow_label="Allow create",
    facts=(("encoding", "UTF-8"),),
    path="/w/a.txt",
    before=None,
    after="one\ntwo",
    risk=Risk(RiskLevel.LOW, "Nothing is lost."),
    words="make it",
)
CALLS = (
    CallRecord(ToolCall("c0", "read_file", {"path": "x"}), "unknown", None, ""),
    CallRecord(ToolCall("c1", "create_file", {"path": "a"}), "refused", ApprovalDecision(False, "you"), "no"),
    CallRecord(ToolCall("c2", "create_file", {"path": "a.txt"}), "waiting", None, "", QUESTION),
)
TURNS = (
    TurnRecord("t1", Source.MICROPHONE, "buy milk", "One.\nTwo.", TurnOutcome.ANSWERED, NOON, (), {}),
    TurnRecord("t2", Source.TEXT, "", "", TurnOutcome.FAILED, NOON, CALLS, {}, "It broke off."),
)


class Answering:
    """An assistant that answers each request by one step of its script, among events for others."""

    def __init__(self, *steps: Callable[[str], Event]) -> None:
        self.asked: list[Request] = []
        self._steps = list(steps)
        self._listeners: list[Callable[[Event], None]] = []

    def submit(self, request: Request) -> None:
        self.asked.append(request)
        step = self._steps.pop(0)
        request_id = getattr(request, "request_id", "")
        for event in (SessionsListed("another's", ()), Problem("another's", "x", "not ours", ""), step(request_id)):
            for listener in list(self._listeners):
                listener(event)

    def subscribe(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def close(self) -> None:
        raise AssertionError("a command does not close the assistant it was lent")

    def check(self) -> None:
        """Nothing of the script is left, and nobody listens any more."""
        assert not self._steps
        assert not self._listeners


def listed(*records: SessionRecord) -> Callable[[str], Event]:
    return lambda request_id: SessionsListed(request_id, records)


def shown(request_id: str) -> Event:
    return SessionShown(request_id, MILK, TURNS, current=False)


def deleted(request_id: str) -> Event:
    return SessionDeleted(request_id, MILK.session_id)


def problem(code: str, *, request_id: str | None = None) -> Callable[[str], Event]:
    return lambda own: Problem(own if request_id is None else request_id, code, "It went wrong.", "Do this.")


def carried_out(words: Sequence[str], assistant: Answering) -> None:
    parser = argparse.ArgumentParser()
    sessions.add_arguments(parser)
    try:
        sessions.carry_out(parser.parse_args(words), assistant)
    finally:
        assistant.check()


def test_the_list_has_a_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    carried_out(["list"], Answering(listed(CODE, MILK)))
    first, second = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"s9f8e7d6c  20\d\d-\d\d-\d\d \d\d:\d\d +1 turn  Write <U\+001B>\[31mcode", first)
    assert re.fullmatch(r"s1a2b3c4d  20\d\d-\d\d-\d\d \d\d:\d\d +2 turns  Buy milk \(a question waits\)", second)


def test_an_empty_list_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    carried_out(["list"], Answering(listed()))
    assert capsys.readouterr().out == "no conversations yet\n"


def test_a_conversation_is_shown_with_all_that_is_open_in_it(capsys: pytest.CaptureFixture[str]) -> None:
    assistant = Answering(listed(CODE, MILK), shown)
    carried_out(["show", "s1a2b3c4d"], assistant)
    out = capsys.readouterr().out
    assert isinstance(assistant.asked[1], requests.ShowSession)
    assert assistant.asked[1].session_id == "s1a2b3c4d"
    assert "you (microphone): buy milk" in out
    assert "aria: One.\n        Two." in out
    assert "read_file(path='x'): unknown, it may or may not have happened" in out
    assert "create_file(path='a'): refused (refused by you)" in out
    assert "waits for an answer" in out
    for part in ("Create <U+202E>a.txt?", "/w/a.txt", "encoding: UTF-8", "| one", "| two", "Nothing is lost."):
        assert part in out
    assert "failed: It broke off." in out
    assert "\u202e" not in out


def test_deleting_names_what_is_gone(capsys: pytest.CaptureFixture[str]) -> None:
    assistant = Answering(listed(MILK), deleted)
    carried_out(["delete", "s1a2b3c4d"], assistant)
    assert isinstance(assistant.asked[1], requests.DeleteSession)
    assert assistant.asked[1].session_id == "s1a2b3c4d"
    assert capsys.readouterr().out == "deleted Buy milk (a question waits)\n"


@pytest.mark.parametrize("action", ["show", "delete"])
@pytest.mark.parametrize(
    ("given", "hint"), [("s1a2b3c5d", "s1a2b3c4d"), ("nonsense", "aria sessions list"), ("", "aria sessions list")]
)
def test_an_unknown_id_gets_the_nearest_ones_and_touches_nothing(action: str, given: str, hint: str) -> None:
    with pytest.raises(UsageError, match="no conversation") as caught:
        carried_out([action, given], Answering(listed(MILK, CODE)))
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("words", "steps", "event"),
    [
        (["list", "--json"], [listed(MILK)], "sessions_listed"),
        (["show", "s1a2b3c4d", "--json"], [listed(MILK), shown], "session_shown"),
        (["delete", "s1a2b3c4d", "--json"], [listed(MILK), deleted], "session_deleted"),
    ],
)
def test_json_is_the_answer_as_one_object(
    words: list[str], steps: list[Callable[[str], Event]], event: str, capsys: pytest.CaptureFixture[str]
) -> None:
    carried_out(words, Answering(*steps))
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["event"] == event


def test_a_problem_is_raised_as_the_error_it_is() -> None:
    with pytest.raises(DiskFull, match="It went wrong") as caught:
        carried_out(["list"], Answering(problem("disk_full")))
    assert caught.value.exit_code is ExitCode.STORAGE
    assert caught.value.hint == "Do this."


def test_when_the_window_goes_away_nothing_waits_for_it() -> None:
    with pytest.raises(AriaError, match="It went wrong"):
        carried_out(["list"], Answering(problem("window_gone", request_id="")))

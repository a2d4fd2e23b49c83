"""What `aria sessions` asks, prints and refuses, whoever the assistant is."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from aria_desktop.commands import sessions
from aria_desktop.core import requests
from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest, Risk, RiskLevel
from aria_desktop.core.chat import ToolCall, TurnOutcome
from aria_desktop.core.errors import AriaError, DiskFull, ExitCode, UsageError
from aria_desktop.core.events import Event, Problem
from aria_desktop.core.history import Place, SearchHit, SearchResult
from aria_desktop.core.listings import SessionChanged, SessionDeleted, SessionsFound, SessionShown, SessionsListed
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


def found(request_id: str) -> Event:
    hit = SearchHit(
        "s1a2b3c4d", "Buy \x1b milk", "t1", NOON, Source.TEXT, Place.WORDS, "buy\nmilk", ((0, 3),), ("a.txt",), ()
    )
    return SessionsFound(request_id, SearchResult((hit,), 2, 1, {"words": 2}, 0.01))


def changed(request_id: str) -> Event:
    return SessionChanged(request_id, replace(MILK, title="Other", pinned=True))


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


def test_a_search_prints_where_it_was_found(capsys: pytest.CaptureFixture[str]) -> None:
    assistant = Answering(found)
    carried_out(["search", "buy", "milk", "--in", "words", "--in", "files", "--newest"], assistant)
    (asked,) = assistant.asked
    assert isinstance(asked, requests.SearchSessions)
    assert (asked.text, asked.places, asked.newest_first) == ("buy milk", (Place.WORDS, Place.FILES), True)
    first, second, last = capsys.readouterr().out.splitlines()
    assert first.startswith("s1a2b3c4d  20")
    assert first.endswith("Buy <U+001B> milk")
    assert second == "    words: buy milk"
    assert last == "2 turns in 1 conversation"


@pytest.mark.parametrize(("action", "pinned"), [("pin", True), ("unpin", False)])
def test_pinning_and_renaming(action: str, pinned: bool, capsys: pytest.CaptureFixture[str]) -> None:
    assistant = Answering(listed(MILK), changed)
    carried_out([action, "s1a2b3c4d"], assistant)
    assert assistant.asked[1] == requests.PinSession(assistant.asked[1].request_id, "s1a2b3c4d", pinned)  # type: ignore[attr-defined]
    assistant = Answering(listed(MILK), changed)
    carried_out(["rename", "s1a2b3c4d", "Other"], assistant)
    assert assistant.asked[1].title == "Other"  # type: ignore[attr-defined]
    assert capsys.readouterr().out.endswith("renamed to Other (pinned) (a question waits)\n")


def test_what_is_exported_can_be_imported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "milk.json"
    carried_out(["export", "s1a2b3c4d", "--format", "json", "--out", str(out)], Answering(listed(MILK), shown))
    with pytest.raises(UsageError, match="there already"):
        carried_out(["export", "s1a2b3c4d", "--out", str(out)], Answering(listed(MILK), shown))
    assistant = Answering(shown)
    carried_out(["import", str(out)], assistant)
    (asked,) = assistant.asked
    assert isinstance(asked, requests.ImportSession)
    assert (asked.title, asked.turns) == ("Buy milk", TURNS)
    carried_out(["export", "s1a2b3c4d"], Answering(listed(MILK), shown))
    printed = capsys.readouterr().out
    assert "imported Buy milk (a question waits) as s1a2b3c4d" in printed
    assert "# Buy milk" in printed


def test_a_file_to_import_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"gone\.json can't be read"):
        carried_out(["import", str(tmp_path / "gone.json")], Answering())

"""`aria audit`: readable lines, CSV and JSON, and its filters, with a real session around a real database."""

from __future__ import annotations

import argparse
import csv
import io
import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from aria_desktop.assistant.session import Session
from aria_desktop.cli import main
from aria_desktop.commands import audit
from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest, Risk, RiskLevel
from aria_desktop.core.chat import Outcome, ToolCall, ToolResult
from aria_desktop.core.errors import ExitCode
from aria_desktop.core.events import ApprovalDecided, ApprovalRequested, CallEnded, CallProposed, Event
from aria_desktop.core.records import Source
from aria_desktop.storage.audit import Audit
from aria_desktop.storage.database import Database
from aria_desktop.storage.lock import DatabaseLock
from tests.unit.assistant.stage import Stage


def story(turn_id: str, *, allowed: bool) -> Iterator[Event]:
    call = ToolCall(f"c-{turn_id}", "create_file", {"path": "a.txt"})
    risk = Risk(RiskLevel.LOW, "")
    question = ApprovalRequest(
        f"q-{turn_id}", turn_id, call.id, call.tool, "=Create\u202e, a?", "", (), "", None, None, risk, ""
    )
    yield CallProposed(turn_id, 1, call)
    yield ApprovalRequested(question)
    yield ApprovalDecided(turn_id, question.id, ApprovalDecision(allowed, "you"), 1.0)
    yield CallEnded(turn_id, call, ToolResult(Outcome.DONE if allowed else Outcome.REFUSED, ""))


@pytest.fixture
def session(stage: Stage) -> Iterator[Session]:
    session_id = stage.store.new_session()
    for turn_id, allowed in (("t1", True), ("t2", False)):
        stage.store.begin_turn(session_id, turn_id, Source.TEXT, "words", "/w")
        for event in story(turn_id, allowed=allowed):
            stage.store.record(event)
    with stage.session() as session:
        yield session


def printed(session: Session, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    parser = argparse.ArgumentParser()
    audit.add_arguments(parser)
    audit.carry_out(parser.parse_args(words), session)
    return capsys.readouterr().out


def test_lines_can_be_read(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    # The session's start has ended the turns that were left open.
    lines = printed(session, capsys, "--turn", "t2").splitlines()
    assert [line.split()[3] for line in lines] == ["proposed", "asked", "decided", "ended"]
    assert '"=Create<U+202E>, a?"  sha256 ' in lines[1]
    assert "refused  by you  turn t2" in lines[2]


def test_filters(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    assert len(printed(session, capsys, "--outcome", "refused").splitlines()) == 2
    assert len(printed(session, capsys, "--last", "3").splitlines()) == 3
    assert printed(session, capsys, "--tool", "delete_file") == "nothing was called yet\n"


def test_json_is_one_object_a_line(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [json.loads(line) for line in printed(session, capsys, "--json").splitlines()]
    assert [row["number"] for row in rows] == list(range(1, 9))
    assert {row["question"] for row in rows} == {"=Create\u202e, a?"}


def test_csv_holds_no_formula_and_nothing_hidden(session: Session, capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(printed(session, capsys, "--csv"))))
    assert len(rows) == 8
    assert {row["question"] for row in rows} == {"'=Create<U+202E>, a?"}
    assert rows[0]["at"].endswith("+00:00")


@pytest.mark.parametrize("last", ["0", "-1", "x", "1e9"])
def test_a_count_has_to_be_one(last: str, capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    audit.add_arguments(parser)
    with pytest.raises(SystemExit):
        parser.parse_args(["--last", last])
    assert "invalid" in capsys.readouterr().err


def test_a_purge_removes_what_is_old_and_nothing_else(user_folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = user_folders / "data"
    with DatabaseLock.take(data / "aria.lock", "test") as lock, Database.open(data / "aria.db", lock) as database:
        Audit(database, lambda: time.time() - 9 * 86_400).ended("t1", "undo", "done")
        Audit(database).ended("t2", "undo", "done")
    assert main(["audit", "--purge", "8"]) == ExitCode.OK
    assert capsys.readouterr().out == "removed 1 line\n"
    with DatabaseLock.take(data / "aria.lock", "test") as lock, Database.open(data / "aria.db", lock) as database:
        assert [(one.what, one.turn_id) for one in Audit(database).records(9)] == [("ended", "t2"), ("purged", "")]

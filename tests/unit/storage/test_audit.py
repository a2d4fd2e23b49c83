"""The audit: what each call leaves in it, that nothing takes that away, and that it holds no words."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from aria_desktop.core import events
from aria_desktop.core.chat import Outcome, ToolCall, TurnOutcome
from aria_desktop.core.records import Source
from aria_desktop.storage.audit import Audit
from aria_desktop.storage.conversations import Conversations
from aria_desktop.storage.database import Database
from aria_desktop.storage.lock import DatabaseLock
from tests.unit.storage.test_conversations import (
    ALLOWED,
    ASKED,
    CALL,
    DONE,
    REQUEST,
    STORY,
    Ticks,
    ended,
    tell,
)

CANARY = "canary-7f3a"


@pytest.fixture
def store(database: Database) -> Conversations:
    store = Conversations(database, Ticks())
    store.begin_turn(store.new_session(), "t1", Source.TEXT, "make a file", "/w")
    return store


def told(store: Conversations) -> list[tuple[str, str, str, str]]:
    return [(one.what, one.tool, one.outcome, one.by) for one in store.audited(100)]


def test_each_step_of_a_call_is_a_row(store: Conversations) -> None:
    tell(store, *STORY, ended(TurnOutcome.ANSWERED))
    assert told(store) == [
        ("proposed", "create_file", "", ""),
        ("asked", "create_file", "", ""),
        ("decided", "create_file", "allowed", "you"),
        ("started", "create_file", "", ""),
        ("ended", "create_file", "done", ""),
    ]
    asked = store.audited(100)[1]
    assert (asked.shown, asked.question) == (REQUEST.fingerprint, "Create a.txt?")
    assert [one.number for one in store.audited(100)] == [1, 2, 3, 4, 5]


def test_what_a_crash_cut_off_is_unknown_or_did_not_begin(store: Conversations) -> None:
    tell(store, *STORY[:4])
    store.close_orphans()
    assert told(store)[-1] == ("ended", "create_file", "unknown", "")
    store.begin_turn(store.new_session(), "t2", Source.TEXT, "again", "/w")
    tell(store, events.CallProposed("t2", 1, ToolCall("c2", "delete_file")))
    store.close_orphans()
    assert told(store)[-1] == ("ended", "delete_file", "cancelled", "")


def test_a_call_that_its_turn_leaves_open_ends_with_it(store: Conversations) -> None:
    tell(store, *STORY[:2], ended(TurnOutcome.CANCELLED))
    assert told(store)[-1] == ("ended", "create_file", "cancelled", "")


def test_filters(store: Conversations) -> None:
    tell(store, *STORY)
    assert [one.what for one in store.audited(2)] == ["started", "ended"]
    assert len(store.audited(100, turn_id="t1")) == 5
    assert len(store.audited(100, tool="create_file")) == 5
    assert store.audited(100, turn_id="t2") == store.audited(100, tool="x") == ()


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE audit SET outcome = 'refused'",
        "UPDATE audit SET seq = seq + 100",
        "DELETE FROM audit",
        "DELETE FROM audit WHERE seq = 1",
    ],
)
def test_the_database_refuses_to_change_or_remove_a_row(store: Conversations, database: Database, sql: str) -> None:
    tell(store, *STORY)
    before = store.audited(100)
    with pytest.raises(sqlite3.IntegrityError, match="only added to"), database.transaction() as connection:
        connection.execute(sql)
    assert store.audited(100) == before


def test_a_purge_removes_what_is_old_and_says_so(store: Conversations, database: Database) -> None:
    tell(store, *STORY)
    third = store.audited(100)[2]
    audit = Audit(database, lambda: 5000.0)
    assert audit.purge(third.at) == 2
    assert [(one.number, one.what, one.outcome) for one in audit.records(100)] == [
        (3, "decided", "allowed"),
        (4, "started", ""),
        (5, "ended", "done"),
        (6, "purged", "2"),
    ]
    assert audit.purge(0.0) == 0


def test_it_stays_when_the_conversation_goes_and_holds_none_of_its_words(
    path: Path, lock: DatabaseLock, database: Database
) -> None:
    store = Conversations(database)
    session = store.new_session()
    store.begin_turn(session, "t1", Source.TEXT, CANARY, f"/{CANARY}")
    call = ToolCall("c1", f"{CANARY}!", {"path": CANARY})
    request = replace(REQUEST, tool=call.tool, question=CANARY, words=CANARY, after=CANARY)
    tell(store, events.CallProposed("t1", 1, call), events.ApprovalRequested(request), *STORY[2:4])
    tell(store, events.CallEnded("t1", call, replace(DONE.result, text=CANARY)))
    before = store.audited(100)
    assert before[1].question == CANARY
    store.delete_session(session)
    database.close()
    for file in path.parent.iterdir():
        assert CANARY.encode() not in file.read_bytes(), file
    with Database.open(path, lock) as again:
        after = Conversations(again).audited(100)
    assert [replace(one, question="") for one in before] == list(after)
    assert {one.tool for one in after} == {"(another name)"}


def test_an_undo_outside_of_turns_is_told_too(database: Database) -> None:
    audit = Audit(database)
    audit.decided("undo-1", "undo", "ab12", allowed=True, by="you")
    audit.ended("undo-1", "undo", "done")
    found = [(one.what, one.turn_id, one.tool, one.shown, one.outcome, one.by) for one in audit.records(10)]
    assert found == [
        ("decided", "undo-1", "undo", "ab12", "allowed", "you"),
        ("ended", "undo-1", "undo", "", "done", ""),
    ]


def test_calls_that_were_allowed_and_may_have_happened(store: Conversations, database: Database) -> None:
    tell(store, *STORY)
    refused = replace(REQUEST, id="a2", call_id="c2")
    tell(store, events.CallProposed("t1", 1, replace(CALL, id="c2")), events.ApprovalRequested(refused))
    tell(store, replace(ALLOWED, request_id="a2", decision=replace(ALLOWED.decision, allowed=False)))
    result = replace(DONE.result, outcome=Outcome.REFUSED)
    tell(store, events.CallEnded("t1", replace(CALL, id="c2"), result))
    assert Audit(database).carried_out({"t1"}) == [("c1", "create_file")]


def test_a_question_in_a_form_that_is_not_known_is_passed_over(store: Conversations, database: Database) -> None:
    tell(store, *STORY[:1], ASKED)
    for damaged in ("[]", "{", "null", "3"):
        with database.transaction() as connection:
            connection.execute("UPDATE approvals SET request = ?", (damaged,))
        assert [one.question for one in store.audited(100)] == ["", ""]

"""Where foreign text in a turn came from outlives the program, a summary, an older version and a damaged row."""

from __future__ import annotations

from pathlib import Path

import pytest

from aria_desktop.core import events
from aria_desktop.core.chat import ToolCall, TurnOutcome
from aria_desktop.core.earlier import EarlierSummary
from aria_desktop.core.events import UntrustedTextRead
from aria_desktop.core.records import Source
from aria_desktop.storage.conversations import Conversations
from aria_desktop.storage.database import Database
from aria_desktop.storage.lock import DatabaseLock
from aria_desktop.storage.migrations import MIGRATIONS
from aria_desktop.storage.rescue import mend

BEFORE = MIGRATIONS[:4]
"""Before sources were noted."""
SOURCES = ("the file a.txt", 'what the command "ls; \u202e" printed')


def begun(store: Conversations) -> str:
    session_id = store.new_session()
    store.begin_turn(session_id, "t1", Source.TEXT, "read it", "/w")
    return session_id


def test_sources_are_kept_in_order_and_each_once(database: Database) -> None:
    store = Conversations(database)
    session_id = begun(store)
    for source in (*SOURCES, *SOURCES):
        store.record(UntrustedTextRead("t1", source))
    assert store.turns(session_id)[0].untrusted == SOURCES


def test_they_are_there_after_a_restart(path: Path, lock: DatabaseLock) -> None:
    with Database.open(path, lock) as database:
        session_id = begun(Conversations(database))
        Conversations(database).record(UntrustedTextRead("t1", SOURCES[0]))
    with Database.open(path, lock) as database:
        assert Conversations(database).turns(session_id)[0].untrusted == SOURCES[:1]


def test_a_summary_keeps_those_of_what_it_covers(database: Database) -> None:
    store = Conversations(database)
    session_id = begun(store)
    summary = EarlierSummary("They read it.", "t1", SOURCES)
    store.keep_summary(session_id, summary)
    assert store.summary(session_id) == summary
    store.keep_summary(session_id, EarlierSummary("More.", "t1"))
    assert store.summary(session_id) == EarlierSummary("More.", "t1")


def test_of_an_older_version_every_conversation_with_calls_counts_as_having_it(path: Path, lock: DatabaseLock) -> None:
    with Database.open(path, lock, BEFORE) as database, database.transaction() as connection:
        for session in ("s1", "s2"):
            connection.execute("INSERT INTO sessions (id, title, created) VALUES (?, 't', 1)", (session,))
            insert = "INSERT INTO turns (id, session_id, source, workspace, words, started)"
            insert += " VALUES (?, ?, 'text', '', 'w', 1)"
            connection.executemany(insert, [(f"{session}-{number}", session) for number in range(2)])
            connection.execute("INSERT INTO summaries VALUES (?, 'summed up', ?)", (session, f"{session}-0"))
        connection.execute(
            "INSERT INTO calls (id, turn_id, step, tool, arguments, state, proposed)"
            " VALUES ('c1', 's1-0', 1, 'read_file', '{}', 'done', 1)"
        )
    with Database.open(path, lock) as database:
        store = Conversations(database)
        assert [turn.untrusted for turn in store.turns("s1")] == [("an earlier turn",)] * 2
        assert [turn.untrusted for turn in store.turns("s2")] == [(), ()]
        summaries = [store.summary(session) for session in ("s1", "s2")]
    assert [summary.untrusted for summary in summaries if summary] == [("an earlier turn",), ()]


@pytest.mark.parametrize("damaged", ["", "{}", "[", "nonsense"])
def test_sources_that_cannot_be_read_any_more_count_as_unknown_ones(database: Database, damaged: str) -> None:
    store = Conversations(database)
    session_id = begun(store)
    store.keep_summary(session_id, EarlierSummary("They read it.", "t1"))
    with database.transaction() as connection:
        connection.execute("UPDATE turns SET untrusted = ?", (damaged,))
        connection.execute("UPDATE summaries SET untrusted = ?", (damaged,))
        mend(connection)
    summary = store.summary(session_id)
    assert store.turns(session_id)[0].untrusted == ("an earlier turn",)
    assert summary is not None
    assert summary.untrusted == ("an earlier turn",)


def test_what_was_read_is_stored_no_later_than_that_the_call_ended(path: Path, lock: DatabaseLock) -> None:
    """Events are kept in the order in which they are told, so a kill in between leaves the source without the end."""
    with Database.open(path, lock) as database:
        store = Conversations(database)
        session_id = begun(store)
        store.record(events.CallProposed("t1", 1, ToolCall("c1", "read_file", {"path": "a.txt"})))
        store.record(events.CallStarted("t1", "c1"))
        store.record(UntrustedTextRead("t1", SOURCES[0]))
    with Database.open(path, lock) as database:
        store = Conversations(database)
        store.close_orphans()
        (turn,) = store.turns(session_id)
    assert turn.outcome is TurnOutcome.FAILED
    assert turn.untrusted == SOURCES[:1]

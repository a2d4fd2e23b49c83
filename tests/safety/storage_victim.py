"""A process that is killed: it goes through the story of a turn up to a named point, says so, and waits there.

Run as `python -m tests.safety.storage_victim DATABASE POINT`.
"""

from __future__ import annotations

import itertools
import os
import signal
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path

from aria_desktop.core import events
from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest, Risk, RiskLevel
from aria_desktop.core.chat import Outcome, ToolCall, ToolResult, TurnOutcome
from aria_desktop.core.records import Source
from aria_desktop.storage import database_file
from aria_desktop.storage.conversations import Conversations
from aria_desktop.storage.database import Database
from aria_desktop.storage.lock import DatabaseLock
from aria_desktop.storage.migrations import MIGRATIONS
from aria_desktop.storage.settings import save_setting

WORDS = "make a file"
CALL = ToolCall("c1", "create_file", {"path": "a.txt", "content": "one\ntwo\n"})
REQUEST = ApprovalRequest(
    "a1", "t1", "c1", "create_file", "Create a.txt?", "Allow create", (), "/w/a.txt", None, "one\ntwo\n",
    Risk(RiskLevel.LOW, "Nothing is lost."), WORDS,
)  # fmt: skip
STORY: tuple[tuple[str, events.Event], ...] = (
    ("replied", events.ReplyReceived("t1", 1, "{}", 10, 0, 2, 0.1)),
    ("proposed", events.CallProposed("t1", 1, CALL)),
    ("waiting", events.ApprovalRequested(REQUEST)),
    ("decided", events.ApprovalDecided("t1", "a1", ApprovalDecision(True, "you"), 1.0)),
    ("running", events.CallStarted("t1", "c1")),
    ("done", events.CallEnded("t1", CALL, ToolResult(Outcome.DONE, "created"))),
    ("answered", events.AnswerGiven("t1", "I created it.")),
    ("ended", events.TurnEnded("t1", "s", "r", TurnOutcome.ANSWERED, "I created it.", ("create_file",))),
)


def story(path: Path, point: str) -> None:
    """Up to `point`, which is on disk when "there" is printed."""
    with DatabaseLock.take(path.with_suffix(".lock"), "victim") as lock, Database.open(path, lock) as database:
        store = Conversations(database)
        store.begin_turn(store.new_session(), "t1", Source.TEXT, WORDS, "/w")
        for name, event in (("words", None), *STORY):
            if event is not None:
                store.record(event)
            if name == point:
                wait_for_death()


def endless(path: Path, _: str) -> None:
    """Turn after turn, each acknowledged on standard output as soon as it is stored."""
    with DatabaseLock.take(path.with_suffix(".lock"), "victim") as lock, Database.open(path, lock) as database:
        store = Conversations(database)
        session = store.new_session()
        for number in itertools.count():
            turn = f"{os.getpid()}-{number}"
            store.begin_turn(session, turn, Source.TEXT, f"words of {turn}", "/w")
            print(turn, flush=True)
            store.record(events.CallProposed(turn, 1, ToolCall(f"c{turn}", "create_file", {"n": number})))
            store.record(events.CallStarted(turn, f"c{turn}"))


def careless(path: Path, _: str) -> None:
    """Acknowledges a fact before its transaction has ended."""
    with (
        DatabaseLock.take(path.with_suffix(".lock"), "victim") as lock,
        Database.open(path, lock) as database,
        database.transaction() as connection,
    ):
        connection.execute("INSERT INTO facts (text, kept, turn_id) VALUES ('a fact', 0, '')")
        wait_for_death()


def dies_while_made_or_migrated(path: Path, _: str) -> None:
    """In the middle of a migration: of a new file's last one, or of an older file's first new one."""
    Database.open(path, DatabaseLock.take(path.with_suffix(".lock"), "victim"), (*MIGRATIONS, die_in_migration))


def dies_while_copied(path: Path, _: str) -> None:
    die_in(database_file, "sync_folder")
    dies_while_made_or_migrated(path, "")


def dies_while_saving_settings(path: Path, _: str) -> None:
    die_in(os, "fsync")
    save_setting(path.with_name("settings.toml"), "limits.steps", 3)


def die_in_migration(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE half (x)")
    connection.execute("DELETE FROM turns")
    die()


def die_in(module: object, name: str) -> None:
    """Die at the call of a function, which never returns then."""
    setattr(module, name, lambda *_: die())


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def wait_for_death() -> None:
    print("there", flush=True)
    sys.stdin.read()


MODES: dict[str, Callable[[Path, str], None]] = {
    "endless": endless,
    "careless": careless,
    "migrated": dies_while_made_or_migrated,
    "copied": dies_while_copied,
    "settings": dies_while_saving_settings,
}

if __name__ == "__main__":
    MODES.get(sys.argv[2], story)(Path(sys.argv[1]), sys.argv[2])

"""A process is killed with SIGKILL at every point of a turn, and in the middle of every kind of write.

What was acknowledged is there afterwards, once; what may have happened is unknown and never a proposal again; a
waiting question waits; and the next start works at once.
"""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.records import TurnRecord
from aria_desktop.storage.conversations import CUT_OFF, MAY_HAVE_HAPPENED, Conversations
from aria_desktop.storage.database import Database
from aria_desktop.storage.facts import Facts
from aria_desktop.storage.lock import DatabaseLock
from aria_desktop.storage.migrations import MIGRATIONS
from aria_desktop.storage.settings import load_settings, save_setting
from tests.safety.conftest import Tried
from tests.safety.storage_victim import CALL, REQUEST, WORDS
from tests.safety.tiers import tries

REPOSITORY = Path(__file__).resolve().parents[2]
ROUNDS = tries(12, 500)
"""Kills at random times."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "aria.db"


@contextmanager
def victim(path: Path, point: str) -> Iterator[subprocess.Popen[str]]:
    """Killed when the block ends, whatever happens in it."""
    command = [sys.executable, "-m", "tests.safety.storage_victim", str(path), point]
    with subprocess.Popen(command, cwd=REPOSITORY, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def killed_at(path: Path, point: str) -> None:
    with victim(path, point) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "there\n"


def killed_by_itself(path: Path, mode: str) -> None:
    with victim(path, mode) as process:
        process.wait()
        assert process.returncode == -signal.SIGKILL


@contextmanager
def reopened(path: Path) -> Iterator[Conversations]:
    with DatabaseLock.take(path.with_suffix(".lock"), "test") as lock, Database.open(path, lock) as database:
        with database.reading() as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        yield Conversations(database)


def only_turn(store: Conversations) -> TurnRecord:
    (session,) = store.sessions()
    (turn,) = store.turns(session.session_id)
    return turn


@pytest.mark.parametrize("_attempt", range(tries(2, 20)))
@pytest.mark.parametrize(
    ("point", "state", "later", "outcome", "text"),
    [
        ("words", None, None, TurnOutcome.FAILED, CUT_OFF),
        ("replied", None, None, TurnOutcome.FAILED, CUT_OFF),
        ("proposed", "proposed", "cancelled", TurnOutcome.FAILED, CUT_OFF),
        ("waiting", "waiting", "waiting", None, ""),
        ("decided", "proposed", "cancelled", TurnOutcome.FAILED, CUT_OFF),
        ("running", "running", "unknown", TurnOutcome.FAILED, MAY_HAVE_HAPPENED),
        ("done", "done", "done", TurnOutcome.FAILED, CUT_OFF),
        ("answered", "done", "done", TurnOutcome.FAILED, CUT_OFF),
        ("ended", "done", "done", TurnOutcome.ANSWERED, ""),
    ],
)
def test_each_point_of_a_turn(
    path: Path,
    point: str,
    state: str | None,
    later: str | None,
    outcome: TurnOutcome | None,
    text: str,
    _attempt: int,
    tried: Tried,
) -> None:
    tried.begin("kill points of storage")
    killed_at(path, point)
    with reopened(path) as store:
        turn = only_turn(store)
        assert turn.words == WORDS
        assert [call.state for call in turn.calls] == ([state] if state else [])
        assert store.close_orphans() == (1 if later == "unknown" else 0)
        turn = only_turn(store)
        assert (turn.outcome, turn.text) == (outcome, text)
        assert [call.state for call in turn.calls] == ([later] if later else [])
        assert [waiting.request for waiting in store.waiting()] == ([REQUEST] if point == "waiting" else [])
    with reopened(path) as store:
        assert only_turn(store) == turn


def test_a_question_waits_through_several_kills(path: Path) -> None:
    killed_at(path, "waiting")
    for _ in range(3):
        with reopened(path) as store:
            store.close_orphans()
            (waiting,) = store.waiting()
            assert waiting.request.fingerprint == REQUEST.fingerprint
            assert waiting.turn.calls[0].call == CALL
            assert waiting.workspace == "/w"


def test_kills_at_random_times_lose_nothing_that_was_acknowledged(path: Path, tried: Tried) -> None:
    tried.begin("kills of storage at random", ROUNDS)
    chance = random.Random(20)
    acknowledged: list[str] = []
    for _ in range(ROUNDS):
        with victim(path, "endless") as process:
            assert process.stdout is not None
            for _ in range(chance.randint(1, 40)):
                acknowledged.append(process.stdout.readline().strip())
            process.kill()
            acknowledged += process.stdout.read().split("\n")[:-1]
        with reopened(path) as store:
            store.close_orphans()
            turns = [turn for session in store.sessions() for turn in store.turns(session.session_id)]
    stored = [turn.turn_id for turn in turns]
    assert "" not in acknowledged
    assert set(acknowledged) <= set(stored)
    assert len(stored) == len(set(stored))
    assert {turn.outcome for turn in turns} == {TurnOutcome.FAILED}
    assert {call.state for turn in turns for call in turn.calls} <= {"unknown", "cancelled"}
    assert len(acknowledged) >= ROUNDS


def test_what_is_acknowledged_before_it_is_stored_is_lost(path: Path, tried: Tried) -> None:
    """The control: the kills of these tests do take what is not on disk."""
    killed_at(path, "careless")
    with DatabaseLock.take(path.with_suffix(".lock"), "test") as lock, Database.open(path, lock) as database:
        assert Facts(database).facts() == ()
    tried.control("kill points of storage")
    tried.control("kills of storage at random")


def test_in_the_middle_of_making_the_file(path: Path) -> None:
    killed_by_itself(path, "migrated")
    assert not path.exists()
    with reopened(path) as store:
        assert store.sessions() == ()
    assert [file.name for file in path.parent.iterdir() if file.name.endswith(".new")] == []


@pytest.mark.parametrize("mode", ["migrated", "copied"])
def test_in_the_middle_of_a_migration_and_of_the_copy_before_it(path: Path, mode: str) -> None:
    killed_at(path, "ended")
    for _ in range(2):
        killed_by_itself(path, mode)
    with reopened(path) as store:
        assert only_turn(store).outcome is TurnOutcome.ANSWERED
    with sqlite3.connect(path.with_name(f"aria.db.before-{len(MIGRATIONS) + 1}")) as copy:
        assert copy.execute("SELECT words FROM turns").fetchall() == [(WORDS,)]
    copy.close()


def test_in_the_middle_of_saving_a_setting(path: Path) -> None:
    settings = path.with_name("settings.toml")
    save_setting(settings, "limits.steps", 5)
    before = settings.read_bytes()
    killed_by_itself(path, "settings")
    assert settings.read_bytes() == before
    save_setting(settings, "limits.steps", 6)
    assert load_settings(settings).limits.steps == 6


def test_the_killed_owners_lock_is_free_and_its_child_does_not_hold_it(path: Path) -> None:
    """An engine that outlives its parent for a moment must not keep the next start out."""
    lock = path.with_suffix(".lock")
    code = f"""
import subprocess, sys, pathlib
from aria_desktop.storage.lock import DatabaseLock
lock = DatabaseLock.take(pathlib.Path({str(lock)!r}), "window")
child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=0)
print(child.pid, flush=True)
sys.stdin.read()
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=REPOSITORY, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as owner:
        assert owner.stdout is not None
        child = int(owner.stdout.readline())
        owner.kill()
        owner.wait()
        os.kill(child, 0)
        DatabaseLock.take(lock, "test").release()

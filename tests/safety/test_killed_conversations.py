"""The program is killed at every point of a spoken turn, when it ends, and while a conversation is purged.

What a front end was told is stored, once; the next start works at once, and a turn goes on being one.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from aria_desktop.core.chat import TurnOutcome
from tests.conftest import REPOSITORY
from tests.safety.conftest import Tried
from tests.safety.conversation_victim import ANSWER, DELETING, POINTS, WORDS
from tests.safety.test_storage_kill import reopened
from tests.safety.tiers import tries

SET = "kill points of a conversation"


def killed_at(folder: Path, point: str) -> list[str]:
    """What was told before."""
    victim = [sys.executable, "-m", "tests.safety.conversation_victim", str(folder), point]
    ended = subprocess.run(victim, cwd=REPOSITORY, capture_output=True, text=True, check=False, timeout=120)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    return ended.stdout.splitlines()


@pytest.mark.parametrize("point", [point for point in POINTS if point not in DELETING])
def test_what_was_told_is_there_once_and_the_next_start_works(tmp_path: Path, point: str, tried: Tried) -> None:
    for attempt in range(tries(1, 20)):
        tried.begin(SET)
        folder = tmp_path / str(attempt)
        folder.mkdir()
        told = killed_at(folder, point)
        for _ in range(2):
            with reopened(folder / "aria.db") as store:
                store.close_orphans()
                turns = [turn for session in store.sessions() for turn in store.turns(session.session_id)]
                assert store.waiting() == ()
            assert len(turns) <= 1
            assert [turn.words for turn in turns if f"words {WORDS}" in told] == [WORDS] * (f"words {WORDS}" in told)
            assert all(turn.answer == ANSWER for turn in turns if f"answer {ANSWER}" in told)
            assert all(turn.outcome is TurnOutcome.ANSWERED for turn in turns if f"ended {ANSWER}" in told)
            assert all(turn.outcome is not None for turn in turns)
        assert not list(folder.glob("*.new"))


@pytest.mark.parametrize("point", DELETING)
def test_a_deletion_that_was_cut_off_left_the_conversation_or_nothing_of_it(
    tmp_path: Path, point: str, tried: Tried
) -> None:
    for attempt in range(tries(1, 20)):
        tried.begin(SET)
        folder = tmp_path / str(attempt)
        folder.mkdir()
        killed_at(folder, point)
        with reopened(folder / "aria.db") as store:
            for session in store.sessions():
                assert [turn.words for turn in store.turns(session.session_id)] == [WORDS]
                store.delete_session(session.session_id)
            store._database.forget_deleted()
        left = [file for file in folder.iterdir() if file.is_file() and WORDS.encode() in file.read_bytes()]
        assert left == []


def test_what_was_not_told_may_be_lost(tmp_path: Path, tried: Tried) -> None:
    """The control: the kills do take what nobody was told of yet."""
    told = killed_at(tmp_path, "before the words are stored")
    assert told == []
    with reopened(tmp_path / "aria.db") as store:
        assert [turn for session in store.sessions() for turn in store.turns(session.session_id)] == []
    tried.control(SET)

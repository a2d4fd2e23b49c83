"""A turn of the real agent is killed around the change that it makes: the change is there once or not at all, the call
is unknown from then on and never carried out again, the audit says so, and an undo brings the first bytes back."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from aria_desktop.core.chat import TurnOutcome
from aria_desktop.safety import undo_choice
from aria_desktop.storage.conversations import Conversations
from aria_desktop.storage.database import Database
from aria_desktop.storage.lock import DatabaseLock
from tests.conftest import REPOSITORY
from tests.safety.conftest import Tried
from tests.safety.undo_stage import Stage, state_of

VICTIM = """
import os, signal, sys
from pathlib import Path
from aria_desktop.assistant.agent import AgentTask
from aria_desktop.core.approval import ApprovalDecision
from aria_desktop.core.cancel import CancelToken
from aria_desktop.core.events import CallEnded, Source
from aria_desktop.safety.journal import Journal
from aria_desktop.safety.journaled import JournaledWorkspace
from aria_desktop.storage.conversations import Conversations
from aria_desktop.storage.database import Database
from aria_desktop.storage.lock import DatabaseLock
from tests.unit.assistant.agent_stage import Run, call

root, home, point = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
WORDS = "add two to a.txt"

class Yes:
    def ask(self, request, cancel):
        return ApprovalDecision(True, "you")

def dies(owner, name, before):
    real = getattr(owner, name)
    def killed(*arguments, **named):
        found = None if before else real(*arguments, **named)
        os.kill(os.getpid(), signal.SIGKILL)
        return found
    setattr(owner, name, killed)

with DatabaseLock.take(home / "aria.lock", "victim") as lock, Database.open(home / "aria.db", lock) as database:
    store = Conversations(database)
    store.begin_turn(store.new_session(), "t1", Source.TEXT, WORDS, str(root))
    run = Run(root, [call("append_file", path="a.txt", content="two")])
    with JournaledWorkspace(root, Journal(home / "journal", home / "trash")) as workspace:
        task = AgentTask("t1", WORDS, (), workspace)
        match point:
            case "before journal":
                dies(Journal, "_begin", True)
            case "after journal, before run":
                dies(Journal, "_begin", False)
            case "during run":
                real = os.replace
                def replaced(*arguments, **named):
                    if arguments[1] == "a.txt":
                        os.kill(os.getpid(), signal.SIGKILL)
                    return real(*arguments, **named)
                os.replace = replaced
            case "after side effect, before done":
                dies(Journal, "_end", True)
        for event in run.agent.run(task, Yes(), CancelToken()):
            if point == "before done is stored" and isinstance(event, CallEnded):
                os.kill(os.getpid(), signal.SIGKILL)
            store.record(event)
            if point == "after done" and isinstance(event, CallEnded):
                os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    root = tmp_path / "ws"
    root.mkdir()
    (root / "a.txt").write_text("one\n")
    return Stage(root, tmp_path / "data")


def killed(stage: Stage, point: str) -> None:
    words = [sys.executable, "-c", VICTIM, str(stage.root), str(stage.home), point]
    ended = subprocess.run(words, cwd=REPOSITORY, check=False, timeout=60, capture_output=True)
    assert ended.returncode == -signal.SIGKILL, ended.stderr.decode()


@contextmanager
def reopened(home: Path) -> Iterator[Conversations]:
    with DatabaseLock.take(home / "aria.lock", "test") as lock, Database.open(home / "aria.db", lock) as database:
        store = Conversations(database)
        store.close_orphans()
        yield store


@pytest.mark.parametrize(
    ("point", "content", "state"),
    [
        ("before journal", "one\n", "unknown"),
        ("after journal, before run", "one\n", "unknown"),
        ("during run", "one\n", "unknown"),
        ("after side effect, before done", "one\ntwo\n", "unknown"),
        ("before done is stored", "one\ntwo\n", "unknown"),
        ("after done", "one\ntwo\n", "done"),
    ],
)
def test_a_change_happens_once_or_not_at_all(stage: Stage, point: str, content: str, state: str, tried: Tried) -> None:
    tried.begin("kill points around changes")
    before = state_of(stage.root)
    killed(stage, point)
    for _ in range(2):
        with reopened(stage.home) as store:
            (session,) = store.sessions()
            (turn,) = store.turns(session.session_id)
            told = store.audited(100)
        assert [(call.call.tool, call.state) for call in turn.calls] == [("append_file", state)]
        assert turn.outcome is TurnOutcome.FAILED
        assert not store_waits(stage.home)
        assert [one.outcome for one in told if one.what == "ended"] == [state]
        assert (stage.root / "a.txt").read_text() == content
    if content != "one\n":
        (action,) = stage.actions()
        assert (action.deed.turn_id, action.deed.call_id) == ("t1", turn.calls[0].call.id)
        stage.undo(undo_choice.of_turn(stage.actions(), "t1"), "u")
    assert {name: told for name, told in state_of(stage.root).items() if not name.startswith(".aria-")} == before


def store_waits(home: Path) -> bool:
    """Whether anything would be asked, and so perhaps carried out, again."""
    with reopened(home) as store:
        return bool(store.waiting())

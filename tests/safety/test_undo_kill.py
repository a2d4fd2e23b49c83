"""A kill at any point around journal and change: nothing acknowledged is lost, nothing happens twice, all comes back.

The victim prints a line once a change is acknowledged. Afterwards each change is wholly there or not at all, it is
known from the journal which may have happened, and taking them back gives the first state to the byte.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from aria_desktop.safety import leftovers, undo_choice
from aria_desktop.safety.journal import ActionState
from tests.conftest import REPOSITORY
from tests.safety.conftest import Tried
from tests.safety.tiers import tries
from tests.safety.undo_stage import Stage, furnished, state_of, ten_actions

VICTIM = """
import itertools, os, signal, sys
from pathlib import Path
from aria_desktop.safety import carrying, descriptors, journal, paths, renaming, trash, undo_steps
from tests.safety.undo_stage import Stage, ten_actions

root, home, point, count, deed = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]), sys.argv[5]
left = [count]

def dies(module, name, before):
    real = getattr(module, name)
    def killed(*arguments, **named):
        left[0] -= 1
        if left[0] == 0 and before:
            os.kill(os.getpid(), signal.SIGKILL)
        found = real(*arguments, **named)
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return found
    setattr(module, name, killed)

POINTS = {
    "before journal": (journal.Journal, "_begin", True),
    "after journal, before run": (journal.Journal, "_begin", False),
    "after side effect, before done": (journal.Journal, "_end", True),
    "after done": (journal.Journal, "_end", False),
    "before fsync": (os, "fsync", True),
    "after fsync": (os, "fsync", False),
    "before rename": (renaming, "_renameat2", True),
    "after rename": (renaming, "_renameat2", False),
    "before replace": (os, "replace", True),
    "after replace, before folder sync": (os, "replace", False),
    "before unlink": (os, "unlink", True),
    "before mkdir": (os, "mkdir", True),
    "after mkdir": (os, "mkdir", False),
    "before rmdir": (os, "rmdir", True),
    "after rmdir": (os, "rmdir", False),
}
stage = Stage(root, home)
if point != "random":
    dies(*POINTS[point])
if deed == "endless":
    with stage.acting() as workspace:
        for number in itertools.count():
            workspace.apply(workspace.plan_append("a.txt", str(number)))
            workspace.apply(workspace.plan_write(f"n{number}/x.txt", "x\\n"))
            workspace.carry_out(workspace.plan_delete(f"n{number}"))
            print(number, flush=True)
elif deed == "act":
    with stage.acting() as workspace:
        ten_actions(workspace)
else:
    stage.undo_turn("t1")
print("all done", flush=True)
"""
POINTS = (
    "before journal",
    "after journal, before run",
    "after side effect, before done",
    "after done",
    "before fsync",
    "after fsync",
    "before rename",
    "after rename",
    "before replace",
    "after replace, before folder sync",
    "before unlink",
    "before mkdir",
    "after mkdir",
    "before rmdir",
    "after rmdir",
)


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    root = tmp_path / "ws"
    root.mkdir()
    furnished(root)
    return Stage(root, tmp_path / "data")


def victim(stage: Stage, point: str, count: int, deed: str) -> bool:
    """Whether it was killed; False when it had ended before that."""
    words = [sys.executable, "-c", VICTIM, str(stage.root), str(stage.home), point, str(count), deed]
    ended = subprocess.run(words, cwd=REPOSITORY, check=False, timeout=60, capture_output=True)
    assert ended.returncode in (0, -signal.SIGKILL), ended.stderr.decode()
    return ended.returncode != 0


@pytest.fixture(autouse=True)
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the victims leave is older than this process, as it is when a program is started again."""
    monkeypatch.setattr(leftovers, "STARTED_NS", time.time_ns() + 10**12)


def take_all_back(stage: Stage) -> None:
    """As a user would, twice: what never happened has no effect to take back."""
    for _ in range(2):
        standing = [chain.now for chain in undo_choice.chains(stage.actions()) if chain.stands]
        with stage.acting("back") as workspace:
            plan = workspace.plan_undo(standing)
            assert not plan.refused
            assert workspace.take_back(plan).fault == ""
    assert not any(chain.stands for chain in undo_choice.chains(stage.actions()))


def counts(salt: str) -> list[int]:
    """How many passages of a point are survived before the kill: other ones at each point, the same in each run."""
    return random.Random(salt).sample(range(1, 31), tries(2, 20))


@pytest.mark.parametrize("point", POINTS)
def test_a_kill_while_changes_are_made(tmp_path: Path, point: str, tried: Tried) -> None:
    for run, count in enumerate(counts(point)):
        tried.begin("kill points around changes")
        fresh = Stage(tmp_path / f"ws{run}", tmp_path / f"data{run}")
        fresh.root.mkdir()
        furnished(fresh.root)
        before = state_of(fresh.root)
        killed = victim(fresh, point, count, "act")
        actions = fresh.actions()
        assert [action.state for action in actions[:-1]] == [ActionState.DONE] * len(actions[:-1])
        assert killed or len(actions) == 10
        numbers = [action.number for action in actions]
        fresh.journal.tidy()
        assert [action.number for action in fresh.actions()] == numbers, "a look makes nothing happen"
        take_all_back(fresh)
        assert state_of(fresh.root) == before


@pytest.mark.parametrize("point", POINTS)
def test_a_kill_while_changes_are_taken_back(tmp_path: Path, point: str, tried: Tried) -> None:
    for run, count in enumerate(counts("back" + point)):
        tried.begin("kill points around changes")
        fresh = Stage(tmp_path / f"ws{run}", tmp_path / f"data{run}")
        fresh.root.mkdir()
        furnished(fresh.root)
        before = state_of(fresh.root)
        with fresh.acting() as workspace:
            ten_actions(workspace)
        victim(fresh, point, count, "undo")
        take_all_back(fresh)
        assert state_of(fresh.root) == before


@pytest.mark.parametrize("seed", range(tries(4, 500)))
def test_a_kill_at_any_time_loses_nothing_that_was_acknowledged(stage: Stage, seed: int, tried: Tried) -> None:
    tried.begin("kill points around changes")
    before = state_of(stage.root)
    words = [sys.executable, "-c", VICTIM, str(stage.root), str(stage.home), "random", "0", "endless"]
    with subprocess.Popen(words, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "0\n"
        threading.Event().wait(random.Random(seed).uniform(0.0, 0.3))
        process.kill()
        acknowledged = 1 + len(process.stdout.readlines())
    actions = stage.actions()
    assert [action.state for action in actions[: 3 * acknowledged]] == [ActionState.DONE] * 3 * acknowledged
    assert len(actions) <= 3 * acknowledged + 3
    found = (stage.root / "a.txt").read_bytes().split(b"\r\n")[2:-1]
    assert found == [str(number).encode() for number in range(len(found))]
    assert acknowledged <= len(found) <= acknowledged + 1
    take_all_back(stage)
    assert state_of(stage.root) == before


def test_without_a_record_before_the_change_nobody_knows_of_it(stage: Stage, tried: Tried) -> None:
    """The control: the same kill with a journal that writes afterwards leaves a change that can't be taken back."""
    before = state_of(stage.root)
    late = VICTIM.replace(
        "stage = Stage(root, home)",
        "from contextlib import nullcontext\njournal.Journal.recording = lambda *_: nullcontext(1)\n"
        "stage = Stage(root, home)",
    )
    words = [sys.executable, "-c", late, str(stage.root), str(stage.home), "after replace, before folder sync", "4"]
    ended = subprocess.run([*words, "act"], cwd=REPOSITORY, check=False, timeout=60, capture_output=True)
    assert ended.returncode == -signal.SIGKILL, ended.stderr.decode()
    assert stage.actions() == ()
    assert state_of(stage.root) != before
    tried.control("kill points around changes")

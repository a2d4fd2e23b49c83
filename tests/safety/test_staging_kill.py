"""A kill in the middle of a command, and of taking over what it changed: nothing is half, nothing is left for long."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from aria_desktop.safety import leftovers
from tests.conftest import REPOSITORY
from tests.safety.conftest import Tried
from tests.safety.staging_stage import Bed, bed
from tests.safety.tiers import tries

COMMAND = (
    "rm a.txt; mv b.bin sub/; rm -r sub/deep; echo more >> sub/f.txt; mkdir n; echo x > n/x; chmod +x run.sh; "
    "chmod 700 'c d.md'; rmdir empty"
)
VICTIM = """
import os, signal, sys
from pathlib import Path
from aria_desktop.core.cancel import CancelToken
from aria_desktop.safety import journal, renaming
from aria_desktop.safety.cage_run import run_command
from aria_desktop.safety.cage_system import find_system
from aria_desktop.safety.stage import Stage
from tests.safety.staging_stage import LIMITS, Bed

point, count, command = sys.argv[2], int(sys.argv[3]), sys.argv[4]
there, left = Bed(Path(sys.argv[1]), find_system()), [int(sys.argv[3])]

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

with Stage(there.staging) as stage, there.opened() as workspace:
    show = lambda line: print(line, flush=True)
    run_command(there.system, command, there.root, LIMITS, show, CancelToken(), stage.layer)
    staged = workspace.staged(stage.layer.changes, CancelToken())
    for module, name in ((journal.Journal, "_begin"), (journal.Journal, "_end"), (os, "fsync"), (os, "replace"),
                         (renaming, "_renameat2"), (os, "mkdir"), (os, "rmdir"), (os, "unlink"), (os, "fchmod")):
        for when in ("before", "after"):
            if point == f"{when} {name}":
                dies(module, name, when == "before")
    workspace.take_over(stage.layer.changes, staged, "command")
"""
NAMES = ("_begin", "_end", "fsync", "replace", "_renameat2", "mkdir", "rmdir", "unlink", "fchmod")
POINTS = [f"{when} {name}" for name in NAMES for when in ("before", "after")]


@pytest.fixture
def there() -> Iterator[Bed]:
    with bed(os.getuid()) as made:
        yield made


@pytest.fixture(autouse=True)
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the victims leave is older than this process, as it is when a program is started again."""
    monkeypatch.setattr(leftovers, "STARTED_NS", time.time_ns() + 10**12)


def words(there: Bed, point: str, count: int, command: str = COMMAND) -> list[str]:
    return [sys.executable, "-c", VICTIM, str(there.folder), point, str(count), command]


def left(there: Bed) -> list[Path]:
    """What is left of layers once the workspace was opened again."""
    with there.opened():
        return list(there.staging.iterdir())


def test_killed_while_the_command_runs_nothing_of_it_is_there(there: Bed, tried: Tried) -> None:
    before = there.picture()
    for _ in range(tries(2, 20)):
        tried.begin("kills of staged commands")
        command = f"{COMMAND}; echo begun; while :; do echo x >> 'c d.md'; done"
        with subprocess.Popen(words(there, "", 0, command), cwd=REPOSITORY, stdout=subprocess.PIPE) as victim:
            assert victim.stdout is not None
            assert victim.stdout.readline() == b"begun\n"
            assert len(list(there.staging.iterdir())) == 1
            caged = psutil.Process(victim.pid).children(recursive=True)
            victim.kill()
        assert psutil.wait_procs(caged, timeout=10)[1] == []
        assert there.picture() == before
        assert left(there) == []
        tried.control("kills of staged commands", int(bool(caged)))


@pytest.mark.parametrize("point", POINTS)
def test_killed_while_it_is_taken_over_it_can_be_taken_back(point: str, tried: Tried) -> None:
    for number in range(1, 1 + tries(2, 20)):
        tried.begin("kills of staged commands")
        with bed(os.getuid()) as there:
            before = there.picture()
            ended = subprocess.run(words(there, point, number), cwd=REPOSITORY, capture_output=True, check=False)
            assert ended.returncode in (0, -signal.SIGKILL), ended.stderr.decode()
            killed = ended.returncode != 0
            with there.opened() as workspace:
                plan = workspace.plan_undo(there.journal.actions())
                assert plan.refused == ()
                assert workspace.take_back(plan).fault == ""
            assert there.picture() == before
            assert left(there) == []
        tried.control("kills of staged commands", int(killed))

"""What the cage adds to a command: the same one run plainly and caged, in turn, so that both meet the same machine.

Caged means all that comes with it: the look at the workspace, the layer for changes, and reading what was changed.
"""

from __future__ import annotations

import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from aria_desktop.core.cancel import CancelToken
from aria_desktop.evaluation.report import Figure, Report, machine_line
from aria_desktop.safety.cage import CageLimits, Layer, System
from aria_desktop.safety.cage_probe import ATTACKS, probe
from aria_desktop.safety.cage_run import run_command
from aria_desktop.safety.cage_system import find_system
from aria_desktop.safety.journal import Journal
from aria_desktop.safety.journaled import JournaledWorkspace
from aria_desktop.safety.stage import Stage

ADDED_MS = 15.0
"""The goal for the median."""
_COMMAND = "true"


def run(rounds: int) -> Report:
    """Raises CageMissing where no command can be caged."""
    system = find_system()
    with tempfile.TemporaryDirectory(prefix="aria-bench-") as made:
        folder = Path(made).resolve()
        (folder / "workspace").mkdir()
        journal = Journal(folder / "data" / "journal", folder / "data" / "trash")
        with JournaledWorkspace(folder / "workspace", journal) as workspace:
            staging = workspace.staging if system.layers else None
            probing = _seconds(lambda: probe(system, CancelToken(), staging))
            pairs = [(_plain(system, workspace), _caged(system, workspace, staging)) for _ in range(rounds)]
    plain, caged = ([1000 * pair[side] for pair in pairs] for side in (0, 1))
    added = [1000 * (with_cage - without) for without, with_cage in pairs]
    figures = (
        Figure("pairs measured", rounds, ""),
        Figure("a plain command, median", statistics.median(plain), "ms"),
        Figure(f"a {'staged' if system.layers else 'caged'} command, median", statistics.median(caged), "ms"),
        Figure("added by the cage, median", statistics.median(added), "ms", limit=ADDED_MS),
        Figure("added by the cage, slowest of twenty", _slowest_of_twenty(added), "ms"),
        Figure(f"the probe of {len(ATTACKS)} attacks, before a question is asked", 1000 * probing, "ms"),
    )
    return Report("cage", machine_line(), figures, tuple({"plain_s": p, "caged_s": c} for p, c in pairs))


def _plain(system: System, workspace: JournaledWorkspace) -> float:
    command = [system.shell, "-c", _COMMAND]
    return _seconds(lambda: subprocess.run(command, cwd=workspace.root, stdin=subprocess.DEVNULL, capture_output=True))


def _caged(system: System, workspace: JournaledWorkspace, staging: Path | None) -> float:
    def run(layer: Layer | None) -> None:
        run_command(system, _COMMAND, workspace.root, CageLimits(), lambda _: None, CancelToken(), layer)

    def staged() -> None:
        with Stage(staging or Path()) as stage:
            run(stage.layer)
            workspace.staged(stage.layer.changes, CancelToken())

    return _seconds(staged if staging else lambda: run(None))


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _slowest_of_twenty(values: list[float]) -> float:
    """The value that 19 of 20 stay below."""
    return sorted(values)[min(len(values) - 1, len(values) * 19 // 20)]

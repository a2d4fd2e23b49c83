"""Where the suite's time goes: minutes per folder of tests, against what each folder may take.

Printed after every run; a folder over its budget is marked and fails nothing, because the machine may be busy.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import PurePosixPath

import pytest

BUDGET_MIN = {"chain": 15, "agent": 8, "safety": 15, "ears": 10, "window": 10}
"""Minutes on two cores."""


def folder_of(nodeid: str) -> str:
    """`tests/chain/test_demo.py::test_it` belongs to `chain`; a file directly in `tests`, to `tests`."""
    parts = PurePosixPath(nodeid.split("::", 1)[0]).parts
    return parts[1] if len(parts) > 2 else parts[0]


def line(folder: str, seconds: float, tests: int) -> str:
    """One line of the report."""
    budget = BUDGET_MIN.get(folder)
    allowed = "" if budget is None else f"  of {budget} min" + ("  OVER BUDGET" if seconds > 60 * budget else "")
    return f"{folder:<12}{tests:>6} tests{seconds / 60:>8.1f} min{allowed}"


class Timing:
    """Adds up what pytest reports: preparing, running and clearing up count alike."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = defaultdict(float)
        self._tests: dict[str, int] = defaultdict(int)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        folder = folder_of(report.nodeid)
        self._seconds[folder] += report.duration
        self._tests[folder] += report.when == "call"

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section("time per folder")
        for folder, seconds in sorted(self._seconds.items()):
            terminalreporter.line(line(folder, seconds, self._tests[folder]))


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Timing(), "time per folder")

"""What the security tests tried, counted and printed after every run: a set without a case or a control is seen.

Each test of a numbered set says through `tried` how many cases it tried, as which user, how many attacks were
shown to work where the mechanism is missing (positive controls), and how many got through it (escapes).
"""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import dataclass
from typing import Protocol

import pytest


@dataclass
class Count:
    """Of one set, as one user."""

    cases: int = 0
    controls: int = 0
    escapes: int = 0


Counts = defaultdict[tuple[str, int], Count]
COUNTS = pytest.StashKey[Counts]()


class Tried(Protocol):
    """Counts what a test tried; an escape fails the test, after it was counted."""

    def __call__(self, set: str, cases: int, controls: int, escapes: int, uid: int | None = None) -> None:  # noqa: A002
        """
        Args:
            set: the name of the numbered set, for instance "hostile paths".
            controls: attacks that succeeded without the mechanism.
            escapes: attacks that succeeded in spite of it.
            uid: the user that the cases ran as; None is the one that runs the tests.
        """
        ...


@pytest.fixture
def tried(request: pytest.FixtureRequest) -> Tried:
    counts = _counts(request.config)

    def count(set: str, cases: int, controls: int, escapes: int, uid: int | None = None) -> None:  # noqa: A002
        row = counts[set, os.geteuid() if uid is None else uid]
        row.cases += cases
        row.controls += controls
        row.escapes += escapes
        assert escapes == 0, f"{escapes} of {cases} {set} got through"

    return count


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    counts = _counts(terminalreporter.config)
    if not counts:
        return
    terminalreporter.section("security: what was tried")
    terminalreporter.line(f"{'set':<34}{'cases tried':>12}  {'as':<10}{'controls':>9}{'escapes':>9}")
    for (name, uid), row in sorted(counts.items()):
        mark = "  NO CONTROL" if row.controls == 0 else ""
        terminalreporter.line(f"{name:<34}{row.cases:>12,}  {_user(uid):<10}{row.controls:>9,}{row.escapes:>9,}{mark}")


def _user(uid: int) -> str:
    return "root" if uid == 0 else f"uid {uid}"


def _counts(config: pytest.Config) -> Counts:
    return config.stash.setdefault(COUNTS, defaultdict(Count))

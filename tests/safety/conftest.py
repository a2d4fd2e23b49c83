"""What the security tests tried, counted and printed after every run: a set without a case or a control is seen.

Each test of a numbered set says through `tried` how many cases it tried, as which user, how many attacks were
shown to work where the mechanism is missing (positive controls), and how many got through it (escapes). A set in whose
tests something failed has escapes; one that nothing was tried of has no line.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.safety.airgap_stage import listener, someone  # noqa: F401 (fixtures of all that is about the air gap)
from tests.safety.users import UIDS, home_of


@dataclass
class Count:
    """Of one set, as one user."""

    cases: int = 0
    controls: int = 0
    escapes: int = 0


Counts = defaultdict[tuple[str, int], Count]
COUNTS = pytest.StashKey[Counts]()


class Tried:
    """Counts what a test tried, in one of two ways: as a sum that the test has judged itself, or case by case."""

    def __init__(self, counts: Counts) -> None:
        self._counts = counts
        self._begun: tuple[Count, int] | None = None

    def __call__(self, set: str, cases: int, controls: int, escapes: int, uid: int | None = None) -> None:  # noqa: A002
        """An escape fails the test, after it was counted.

        Args:
            set: the name of the numbered set, for instance "hostile paths".
            controls: attacks that succeeded without the mechanism.
            escapes: attacks that succeeded in spite of it.
            uid: the user that the cases ran as; None is the one that runs the tests.
        """
        row = self._row(set, uid)
        row.cases += cases
        row.controls += controls
        row.escapes += escapes
        assert escapes == 0, f"{escapes} of {cases} {set} got through"

    def begin(self, set: str, cases: int = 1, uid: int | None = None) -> None:  # noqa: A002
        """What the test asserts from here on judges these cases: when it fails, they got through."""
        row = self._row(set, uid)
        row.cases += cases
        self._begun = row, cases

    def control(self, set: str, controls: int = 1, uid: int | None = None) -> None:  # noqa: A002
        """Attacks that were seen to succeed where the mechanism is missing."""
        self._row(set, uid).controls += controls

    def failed(self) -> None:
        if self._begun is not None:
            row, cases = self._begun
            row.escapes += cases

    def _row(self, set: str, uid: int | None) -> Count:  # noqa: A002
        return self._counts[set, os.geteuid() if uid is None else uid]


TRIED = pytest.StashKey[Tried]()


@pytest.fixture(params=UIDS, ids=lambda uid: f"uid{uid}")
def theirs(request: pytest.FixtureRequest) -> Iterator[Path]:
    """A folder of the user that the test runs as: once as root and once as an ordinary one."""
    with home_of(request.param) as folder:
        yield folder


@pytest.fixture
def tried(request: pytest.FixtureRequest) -> Tried:
    counting: Tried = request.node.stash.setdefault(TRIED, Tried(_counts(request.config)))
    return counting


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if call.when == "call" and report.failed and (counting := item.stash.get(TRIED, None)):
        counting.failed()
    return report


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

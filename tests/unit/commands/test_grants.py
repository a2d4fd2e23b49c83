"""What --allow covers: the tools it names, each by its whole name, and no other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from aria_desktop.commands.ask import Answerer
from aria_desktop.commands.elsewhere import Elsewhere
from aria_desktop.core.approval import ApprovalRequest, Risk, RiskLevel
from aria_desktop.tools.registry import standard_tools

COMMAND = ApprovalRequest(
    id="a1",
    turn_id="t1",
    call_id="c1",
    tool="run_terminal",
    question="Run this command?",
    allow_label="Allow run",
    facts=(),
    path="",
    before=None,
    after="rm -rf *",
    risk=Risk(RiskLevel.HIGH, "It can delete every file."),
    words="tidy up",
)


@pytest.fixture
def settled() -> Iterator[Elsewhere]:
    settled = Elsewhere()
    yield settled
    settled.close()


def test_leave_for_all_other_tools_is_none_to_run_commands(settled: Elsewhere) -> None:
    others = [name for name in standard_tools().names if name != "run_terminal"]
    assert len(others) > 10
    answerer = Answerer([*others, "run", "terminal", "*", ""], settled, terminal=False, elsewhere=False)
    assert answerer(COMMAND) == (False, "nobody there to ask")


def test_leave_to_run_commands_is_given_by_its_name_and_said(settled: Elsewhere) -> None:
    answerer = Answerer(["run_terminal"], settled, terminal=False, elsewhere=False)
    assert answerer(COMMAND) == (True, "--allow run_terminal")

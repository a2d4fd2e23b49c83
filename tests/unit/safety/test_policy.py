"""The decision about a call follows from facts about the tool alone."""

from __future__ import annotations

from aria_desktop.safety.policy import Allow, Ask, Forbid, Rules, decide
from aria_desktop.tools.terminal import run_terminal


def test_reads_are_allowed_and_changes_are_asked_about() -> None:
    assert decide("read_file", changes=False, rules=Rules()) == Allow()
    assert decide("create_file", changes=True, rules=Rules()) == Ask("create_file changes something.")


def test_a_tool_that_is_switched_off_is_forbidden_even_if_it_only_reads() -> None:
    rules = Rules(switched_off=frozenset({"read_file", "create_file"}))
    assert decide("read_file", changes=False, rules=rules) == Forbid("read_file is switched off.")
    assert decide("create_file", changes=True, rules=rules) == Forbid("create_file is switched off.")
    assert decide("list_files", changes=False, rules=rules) == Allow()


def test_a_command_of_the_terminal_is_asked_about_whatever_is_laid_down_for_others() -> None:
    rules = Rules(switched_off=frozenset({"create_file"}))
    assert isinstance(decide(run_terminal.name, run_terminal.changes, rules), Ask)

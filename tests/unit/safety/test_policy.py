"""The decision about a call follows from facts about the tool and the conversation alone; the strictest one holds."""

from __future__ import annotations

import itertools

import pytest

from aria_desktop.safety.policy import Allow, Ask, Circumstances, Decision, Forbid, Reach, Rules, decide
from aria_desktop.tools.terminal import run_terminal

_STRICTNESS: dict[type[Decision], int] = {Allow: 0, Ask: 1, Forbid: 2}
_SOURCES = ((), ("the file notes.txt",))
_DOUBTS = ((), ("What you said was not heard well.",))
_LEAVE = ("", "leave g1")


def strictness(decision: Decision) -> int:
    return _STRICTNESS[type(decision)]


def test_looks_are_allowed_and_changes_are_asked_about() -> None:
    assert decide("read_file", Reach.NOTHING, Rules()) == Allow()
    assert decide("create_file", Reach.USERS_THINGS, Rules()) == Ask("create_file changes something.")
    assert decide("remember", Reach.OWN_MEMORY, Rules()) == Allow()


def test_a_tool_that_is_switched_off_is_forbidden_even_if_it_only_reads() -> None:
    rules = Rules(switched_off=frozenset({"read_file", "create_file"}))
    assert decide("read_file", Reach.NOTHING, rules) == Forbid("read_file is switched off.")
    assert decide("create_file", Reach.USERS_THINGS, rules) == Forbid("create_file is switched off.")
    assert decide("list_files", Reach.NOTHING, rules) == Allow()


def test_leave_given_before_is_named() -> None:
    known = Circumstances(granted="leave g1")
    assert decide("create_file", Reach.USERS_THINGS, Rules(), known) == Allow("leave g1")


def test_no_leave_covers_a_command() -> None:
    known = Circumstances(granted="leave g1")
    assert isinstance(decide(run_terminal.name, Reach.USERS_THINGS, Rules(), known), Ask)


def test_after_untrusted_text_also_what_would_be_remembered_is_asked_about() -> None:
    known = Circumstances(untrusted=("the file notes.txt",))
    assert isinstance(decide("remember", Reach.OWN_MEMORY, Rules(), known), Ask)
    assert decide("recall", Reach.NOTHING, Rules(), known) == Allow()


@pytest.mark.parametrize("reach", Reach)
@pytest.mark.parametrize("tool", ["create_file", "run_terminal"])
def test_forbidden_outweighs_asked_and_asked_outweighs_allowed(reach: Reach, tool: str) -> None:
    """Over all circumstances: what makes stricter never loosens, and no leave lifts what the others demand."""
    for off, sources, doubts, leave in itertools.product((False, True), _SOURCES, _DOUBTS, _LEAVE):
        rules = Rules(switched_off=frozenset({tool} if off else ()))
        decision = decide(tool, reach, rules, Circumstances(sources, doubts, leave))
        without_leave = decide(tool, reach, rules, Circumstances(sources, doubts))
        calmer = decide(tool, reach, Rules(), Circumstances((), (), leave))
        assert strictness(decision) >= strictness(calmer)
        assert strictness(decision) <= strictness(without_leave)
        if off:
            assert isinstance(decision, Forbid)
        elif reach is Reach.USERS_THINGS and (sources or doubts):
            assert isinstance(decision, Ask)

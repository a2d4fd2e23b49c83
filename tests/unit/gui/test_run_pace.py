"""Steps that took no time are seen one after the other, and a run that is over is folded into dots."""

from __future__ import annotations

from aria_desktop.core import events
from aria_desktop.gui.state.run_pace import Dot, dots, up_to
from aria_desktop.gui.state.run_view import Node, NodeLook
from tests.unit.gui.test_run import ALLOWED, DONE, ENDED, FAILED, STARTED, look, run

AGAIN = (*ALLOWED, STARTED, FAILED, events.StepStarted("t1", 2))


def test_each_visit_is_active_before_the_next_one_is_shown() -> None:
    whole = run(*AGAIN)
    assert [visit.node for visit in whole.visits] == [Node.THINK, Node.ASK, Node.ACT, Node.CHECK, Node.THINK]
    first, second = up_to(whole, 1), up_to(whole, 2)
    assert look(first, Node.THINK) is NodeLook.ACTIVE
    assert look(first, Node.ASK) is NodeLook.TODO
    assert look(second, Node.THINK) is NodeLook.DONE
    assert look(second, Node.ASK) is NodeLook.ACTIVE
    assert second.taken == {(Node.THINK, Node.ASK)}


def test_a_way_back_is_drawn_only_once_it_was_taken() -> None:
    whole = run(*AGAIN)
    assert up_to(whole, 4).loop is None
    assert up_to(whole, 5) == whole
    assert whole.loop is not None


def test_a_failure_is_never_shown_as_going_on() -> None:
    assert look(up_to(run(*AGAIN), 4), Node.CHECK) is NodeLook.FAILED


def test_nothing_is_active_before_the_first_visit() -> None:
    assert all(node.look in (NodeLook.TODO, NodeLook.SKIPPED) for node in up_to(run(*AGAIN), 0).nodes)


def test_a_run_that_is_over_in_dots() -> None:
    assert dots(run(*ALLOWED, STARTED, DONE, ENDED)) == (Dot.DONE, Dot.ASKED, Dot.DONE, Dot.DONE, Dot.SKIPPED)
    failed = dots(run(*AGAIN, ENDED))
    assert failed[:4] == (Dot.DONE, Dot.ASKED, Dot.FAILED, Dot.FAILED)

"""Paces a run for the eye: a step that took no time is still seen. What is told of times stays true. Pure."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from itertools import pairwise

from aria_desktop.gui.state.run_view import Node, NodeLook, NodeView, RunView, Visit

SHOWN_MS = 250
"""Each new step is shown at least so long before the next one."""
_ORDER = tuple(Node)


class Dot(StrEnum):
    """A step of a run that is over, folded into a dot."""

    DONE = "done"
    ASKED = "asked"
    FAILED = "failed"
    SKIPPED = "skipped"


def up_to(run: RunView, count: int) -> RunView:
    """The run as it stood when only its first `count` visits had begun."""
    if count >= len(run.visits):
        return run
    seen = run.visits[:count]
    backs = sum(_ORDER.index(b.node) <= _ORDER.index(a.node) for a, b in pairwise(seen))
    steps = ((a.node, b.node) for a, b in pairwise(seen))
    return replace(
        run,
        nodes=tuple(_node(node, seen) for node in run.nodes),
        taken=frozenset((a, b) for a, b in steps if _ORDER.index(b) > _ORDER.index(a)),
        loop=run.loop if backs >= run.loops else None,
        visits=seen,
        over=False,
    )


def _node(node: NodeView, seen: tuple[Visit, ...]) -> NodeView:
    visit = next((one for one in reversed(seen) if one.node is node.node), None)
    if visit is None:
        skipped = node.look is NodeLook.SKIPPED and node.node in (Node.LISTEN, Node.RECOGNISE)
        return node if skipped else replace(node, look=NodeLook.TODO, under="")
    if visit is seen[-1] and visit.look is NodeLook.DONE:
        return replace(node, look=NodeLook.ACTIVE, under="")
    return replace(node, look=visit.look, under=visit.under)


def dots(run: RunView) -> tuple[Dot, ...]:
    """One for each visit, and one for each node at the end that was not needed."""
    found = [_dot(visit) for visit in run.visits]
    return (*found, *(Dot.SKIPPED for node in run.nodes if node.look is NodeLook.SKIPPED and node.node is Node.SPEAK))


def _dot(visit: Visit) -> Dot:
    if visit.look is NodeLook.FAILED:
        return Dot.FAILED
    return Dot.ASKED if visit.node is Node.ASK else Dot.DONE

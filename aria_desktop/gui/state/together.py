"""Several questions of one step as one: a line for each action, and under it all that a question of its own would show.

Pure. What is made here is only shown: each question keeps its own id, its own content and its own answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from aria_desktop.core.approval import ApprovalRequest, Risk, RiskLevel
from aria_desktop.gui.state.difference import Row, RowKind, difference
from aria_desktop.gui.state.shown import one_line
from aria_desktop.gui.state.translation import marks, tr

_LEVELS = dict(zip(RiskLevel, marks("Low.", "Medium.", "High."), strict=True))
_RANKS = (RiskLevel.LOW, RiskLevel.MEDIUM, RiskLevel.HIGH)
_SIGNS = {RowKind.SAME: "  ", RowKind.ADDED: "+ ", RowKind.REMOVED: "- ", RowKind.GAP: "  ... "}


def as_one(requests: Sequence[ApprovalRequest]) -> ApprovalRequest:
    """What a dialog shows for all of them; the very request where there is only one."""
    first = requests[0]
    if len(requests) == 1:
        return first
    count = len(requests)
    worst = max((request.risk.level for request in requests), key=_RANKS.index)
    return replace(
        first,
        tool=", ".join(dict.fromkeys(request.tool for request in requests)),
        question=tr("Do these {count} things?", count=count),
        allow_label=tr("Allow {count} actions", count=count),
        facts=tuple(fact for number, one in enumerate(requests, start=1) for fact in _action(number, one)),
        path="",
        before=None,
        after=None,
        risk=Risk(worst, tr("The highest of these actions. One answer is for all of them.")),
        untrusted=tuple(dict.fromkeys(source for request in requests for source in request.untrusted)),
        doubts=tuple(dict.fromkeys(doubt for request in requests for doubt in request.doubts)),
        offers=(),
    )


def _action(number: int, request: ApprovalRequest) -> Iterator[tuple[str, str]]:
    """The line of the action, and what belongs to it. Labels are code's: no value can get into their column."""
    yield f"{number}.", f"{one_line(request.question)} ({one_line(request.tool)})"
    if request.path:
        yield tr("File"), one_line(request.path)
    yield tr("Risk"), f"{tr(_LEVELS[request.risk.level])} {one_line(request.risk.text)}"
    yield from request.facts
    if request.before is not None or request.after is not None:
        yield tr("Text"), "\n".join(map(_line, difference(request.before, request.after).rows))


def _line(row: Row) -> str:
    return f"{_SIGNS[row.kind]}{row.text}"

"""What the window says of leave that was given for more than one action. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aria_desktop.core.records import GivenLeave
from aria_desktop.gui.state import figures
from aria_desktop.gui.state.shown import one_line
from aria_desktop.gui.state.translation import tr


@dataclass(frozen=True, slots=True)
class LeaveRow:
    id: str
    what: str
    where: str


def leave_rows(leaves: Sequence[GivenLeave], now: float) -> tuple[LeaveRow, ...]:
    """Those that end first come first; `now` is Unix time."""
    return tuple(
        LeaveRow(leave.id, one_line(leave.text), _where(leave, now))
        for leave in sorted(leaves, key=lambda leave: leave.until)
    )


def _where(leave: GivenLeave, now: float) -> str:
    until = figures.day_and_clock(leave.until, now)
    folder = one_line(leave.folder)
    if leave.session_id:
        return tr("In one conversation, in {folder}, until {until}", folder=folder, until=until)
    return tr("In {folder}, until {until}", folder=folder, until=until)

"""The audit as lines for a page: what happened, with which tool, who decided, and how it ended. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from aria_desktop.core.records import AuditRecord
from aria_desktop.core.visible import visible_line
from aria_desktop.gui.state import figures
from aria_desktop.gui.state.translation import mark, tr

_WHAT = {
    "withheld": mark("held back by code"),
    "proposed": mark("wanted by the model"),
    "asked": mark("asked about"),
    "decided": mark("decided"),
    "started": mark("begun"),
    "ended": mark("ended"),
    "purged": mark("older lines removed"),
}
_OUTCOMES = {
    "done": mark("done"),
    "refused": mark("no"),
    "allowed": mark("yes"),
    "failed": mark("did not work"),
    "cancelled": mark("not begun"),
    "unknown": mark("may or may not have happened"),
}


def lines(records: Sequence[AuditRecord], now: float) -> str:
    """The newest first, a line each; `now` is Unix time."""
    return "\n".join(_line(record, now) for record in reversed(records))


def summary(records: Sequence[AuditRecord]) -> str:
    if not records:
        return tr("Nothing was called yet.")
    return tr("The last {lines}, the newest first.", lines=figures.counted(len(records), "line", "lines"))


def _line(record: AuditRecord, now: float) -> str:
    outcome = tr(_OUTCOMES.get(record.outcome, record.outcome))
    words = [figures.day_and_clock(record.at, now), record.tool, tr(_WHAT.get(record.what, record.what)), outcome]
    words.append(tr("by {who}", who=record.by) if record.by else "")
    if record.what == "asked":
        words += [record.question, tr("shown: SHA-256 {hash}", hash=record.shown[:16])]
    return visible_line("  ·  ".join(filter(None, words)))

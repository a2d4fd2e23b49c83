"""The audit as lines for a page: what happened, with which tool, who decided, and how it ended. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from aria_desktop.core.records import AuditRecord
from aria_desktop.core.visible import visible_line
from aria_desktop.gui.state import figures

_WHAT = {
    "withheld": "held back by code",
    "proposed": "wanted by the model",
    "asked": "asked about",
    "decided": "decided",
    "started": "begun",
    "ended": "ended",
    "purged": "older lines removed",
}
_OUTCOMES = {
    "done": "done",
    "refused": "no",
    "allowed": "yes",
    "failed": "did not work",
    "cancelled": "not begun",
    "unknown": "may or may not have happened",
}


def lines(records: Sequence[AuditRecord], now: float) -> str:
    """The newest first, a line each; `now` is Unix time."""
    return "\n".join(_line(record, now) for record in reversed(records))


def summary(records: Sequence[AuditRecord]) -> str:
    if not records:
        return "Nothing was called yet."
    return f"The last {figures.counted(len(records), 'line', 'lines')}, the newest first."


def _line(record: AuditRecord, now: float) -> str:
    outcome = _OUTCOMES.get(record.outcome, record.outcome)
    words = [figures.day_and_clock(record.at, now), record.tool, _WHAT.get(record.what, record.what), outcome]
    words.append(f"by {record.by}" if record.by else "")
    if record.what == "asked":
        words += [record.question, f"shown: SHA-256 {record.shown[:16]}"]
    return visible_line("  ·  ".join(filter(None, words)))

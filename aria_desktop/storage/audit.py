"""The audit: one row for each call, question, decision, start and end, in the order in which they happened.

What must stay true:

* Rows are only added; the database itself refuses to change one, and to remove one outside of a purge, which leaves
  a row of its own. So a row is written in the transaction of what it tells, never afterwards.
* A row holds no words of the user, the model or a file: ids, the tool, who decided, how it ended, and the SHA-256 of
  what was shown. So it stays when a conversation is deleted, and what was asked is told from the conversation, as
  long as that is kept.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Collection, Sequence

from aria_desktop.core import events
from aria_desktop.core.chat import Outcome
from aria_desktop.core.plain import well_formed
from aria_desktop.core.records import AuditRecord
from aria_desktop.storage.database import Database
from aria_desktop.storage.story import Statement

_INSERT = "INSERT INTO audit (at, what, turn_id, call_id, tool, shown, outcome, by) "
_VALUES = f"{_INSERT} VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_OF_QUESTION = f"{_INSERT} SELECT ?, ?, ?, call_id, ?, ?, ?, ? FROM approvals WHERE id = ?"
_SELECT = """
    SELECT a.seq, a.at, a.what, a.turn_id, a.call_id,
        CASE WHEN a.tool = '' THEN ifnull((SELECT tool FROM audit b WHERE b.call_id = a.call_id AND b.tool <> ''), '')
        ELSE a.tool END AS named,
        a.shown, a.outcome, a.by,
        (SELECT request FROM approvals q WHERE q.call_id = a.call_id AND a.call_id <> '' ORDER BY q.seq DESC LIMIT 1)
    FROM audit a"""
_TOOL = re.compile(r"[a-z][a-z0-9_]{0,39}")
_BY = re.compile(r"[a-z0-9 _,:-]{1,120}", re.IGNORECASE)
_OTHER = "(another name)"
"""Of a tool that there can't be: what a model makes up may hold anything."""


def audited(event: events.Event, now: float) -> Sequence[Statement]:
    """The rows that an event of a turn adds; empty for most. `now` is Unix time."""
    match event:
        case events.CallWithheld():
            return [_row(now, "withheld", event.turn_id, event.call.id, _tool(event.call.tool))]
        case events.CallProposed():
            return [_row(now, "proposed", event.turn_id, event.call.id, _tool(event.call.tool))]
        case events.ApprovalRequested(request):
            return [_row(now, "asked", request.turn_id, request.call_id, _tool(request.tool), request.fingerprint)]
        case events.ApprovalDecided():
            return [_decision(event, now)]
        case events.CallStarted():
            return [_row(now, "started", event.turn_id, event.call_id)]
        case events.CallEnded():
            outcome = event.result.outcome.value
            return [_row(now, "ended", event.turn_id, event.call.id, _tool(event.call.tool), outcome=outcome)]
        case events.TurnEnded():
            return cut_off(event.turn_id, now)
        case _:
            return ()


def cut_off(turn_id: str, now: float) -> list[Statement]:
    """The ends of calls that their turn leaves open; to be carried out before they are closed."""
    state = "CASE state WHEN 'running' THEN ? ELSE ? END"
    sql = (
        f"{_INSERT} SELECT ?, 'ended', turn_id, id, '', '', {state}, '' FROM calls"
        " WHERE turn_id = ? AND state IN ('running', 'proposed', 'waiting')"
    )
    return [Statement(sql, (now, Outcome.UNKNOWN.value, Outcome.CANCELLED.value, turn_id), rows=())]


class Audit:
    """For those who change something outside of turns, and for reading. Methods raise StorageError."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def decided(self, turn_id: str, tool: str, shown: str, *, allowed: bool, by: str) -> None:
        """A question outside of turns and its answer; `shown` is the SHA-256 of what was shown."""
        outcome = "allowed" if allowed else "refused"
        self._add(_row(self._clock(), "decided", turn_id, "", tool, shown, outcome, _by(by)))

    def ended(self, turn_id: str, tool: str, outcome: str) -> None:
        self._add(_row(self._clock(), "ended", turn_id, "", tool, outcome=outcome))

    def records(self, last: int, turn_id: str = "", tool: str = "") -> tuple[AuditRecord, ...]:
        """The newest `last` that fit, oldest first; empty filters let everything through."""
        wanted = f"SELECT * FROM ({_SELECT}) WHERE (? = '' OR turn_id = ?) AND (? = '' OR named = ?)"
        with self._database.reading() as connection:
            values = (turn_id, turn_id, tool, tool, last)
            rows = connection.execute(f"{wanted} ORDER BY seq DESC LIMIT ?", values).fetchall()
        return tuple(AuditRecord(*(*row[:-1], _question(row[-1]))) for row in reversed(rows))

    def carried_out(self, turns: Collection[str]) -> list[tuple[str, str]]:
        """Ids and tools of the calls of these turns that were allowed and are done, or may be."""
        found = [(record, turn) for turn in sorted(turns) for record in self.records(10_000, turn)]
        allowed = {record.call_id for record, _ in found if record.what == "decided" and record.outcome == "allowed"}
        ended = [record for record, _ in found if record.what == "ended" and record.call_id in allowed]
        return [(record.call_id, record.tool) for record in ended if record.outcome in (Outcome.DONE, Outcome.UNKNOWN)]

    def purge(self, before: float) -> int:
        """Remove for good what is older than `before` (Unix time); returns how many rows."""
        with self._database.transaction() as connection:
            (through,) = connection.execute("SELECT ifnull(max(seq), 0) FROM audit WHERE at < ?", (before,)).fetchone()
            if not through:
                return 0
            connection.execute("INSERT INTO audit_purges (through, at) VALUES (?, ?)", (through, self._clock()))
            removed = connection.execute("DELETE FROM audit WHERE seq <= ?", (through,)).rowcount
            row = _row(self._clock(), "purged", "", "", outcome=str(removed))
            connection.execute(row.sql, row.values)
        self._database.forget_deleted()
        return removed

    def _add(self, row: Statement) -> None:
        with self._database.transaction() as connection:
            connection.execute(row.sql, row.values)


def _row(
    now: float, what: str, turn_id: str, call_id: str, tool: str = "", shown: str = "", outcome: str = "", by: str = ""
) -> Statement:
    return Statement(_VALUES, (now, what, turn_id, call_id, tool, shown, outcome, by))


def _decision(event: events.ApprovalDecided, now: float) -> Statement:
    decision = event.decision
    outcome = "allowed" if decision.allowed else "refused"
    values = (now, "decided", event.turn_id, "", "", outcome, _by(decision.by), event.request_id)
    return Statement(_OF_QUESTION, values)


def _tool(name: str) -> str:
    return name if _TOOL.fullmatch(name) else _OTHER


def _by(name: str) -> str:
    return name if _BY.fullmatch(name) else "(another)"


def _question(request: str | None) -> str:
    """What was asked, while the conversation is kept."""
    try:
        return well_formed(str(json.loads(request or "{}").get("question", "")))
    except (ValueError, AttributeError):
        return ""

"""What is kept of conversations: sessions, turns, steps, calls, decisions, times.

What must stay true:

* Each call is one transaction, and a kill takes nothing away of it when the call returns. A power cut may take the last
  milliseconds of a turn (`Sync.BEHIND`), but never less is on disk than what a change that has begun needs: the words,
  the question, the decision and the mark that it began are all there before it begins.
* What was said is stored before anything is done with it, that a call begins before it begins, and that it ended
  after it did. So a call that is found running after a crash may or may not have happened: it is unknown, for
  good, and nothing here ever makes it a proposal again.
* A question is stored whole before it is shown, so that it can be asked again after a crash.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterable

from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.earlier import EarlierSummary
from aria_desktop.core.errors import UsageError
from aria_desktop.core.events import ApprovalDecided, ApprovalRequested, CallEnded, CallStarted, Event, TurnEnded
from aria_desktop.core.interfaces import WaitingTurn
from aria_desktop.core.plain import well_formed
from aria_desktop.core.records import AuditRecord, RunRecord, SessionRecord, Source, TurnRecord
from aria_desktop.storage import records, runs
from aria_desktop.storage.audit import Audit, audited, cut_off
from aria_desktop.storage.database import Database
from aria_desktop.storage.search_index import forget_traces, renew_index
from aria_desktop.storage.story import Statement, as_json, close_calls, name_session, statements
from aria_desktop.storage.sync_behind import Sync

CUT_OFF = "ARIA ended before this was finished."
MAY_HAVE_HAPPENED = "ARIA ended in the middle of this. What is marked unknown may or may not have happened."


class Conversations:
    """The `ConversationStore` of the program."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock
        self._asked: set[str] = set()
        """Calls that were asked about, by this process, and have not ended: those that may change something."""

    def new_session(self) -> str:
        """It is listed as soon as it has a turn; one that never gets any is dropped at the next start."""
        session_id = f"s{secrets.token_hex(4)}"
        with self._database.transaction() as connection:
            insert = "INSERT INTO sessions (id, title, created) VALUES (?, '', ?)"
            connection.execute(insert, (session_id, self._clock()))
        return session_id

    def has_session(self, session_id: str) -> bool:
        with self._database.reading() as connection:
            found = connection.execute("SELECT 1 FROM sessions WHERE id = ?", (well_formed(session_id),))
            return found.fetchone() is not None

    def begin_turn(self, session_id: str, turn_id: str, source: Source, words: str, workspace: str) -> None:
        """Raises UsageError when there is no such session.

        The words survive a kill from here on, so nothing is done with words that are not stored; a power cut leaves
        them out only as long as nothing but looking and thinking was done with them.
        """
        if not self.has_session(session_id):
            raise UsageError(f"There is no conversation {session_id}.", "`aria sessions list` shows those there are.")
        values = (turn_id, session_id, source.value, well_formed(workspace), well_formed(words), self._clock())
        insert = Statement(
            "INSERT INTO turns (id, session_id, source, workspace, words, started) VALUES (?, ?, ?, ?, ?, ?)", values
        )
        self._carry_out([insert, name_session(turn_id, words)], Sync.BEHIND)

    def record(self, event: Event) -> None:
        """Raises LookupError for an event of a turn or a call that is not stored."""
        now = self._clock()
        if changes := [*audited(event, now), *statements(event, now)]:
            with self._database.transaction(self._sync_of(event)) as connection:
                _execute(connection, changes)
                if isinstance(event, TurnEnded):
                    renew_index(connection)

    def _sync_of(self, event: Event) -> Sync:
        """What was decided, and that a change begins, is on disk before anything comes of it."""
        match event:
            case ApprovalDecided():
                return Sync.NOW
            case CallStarted() if event.call_id in self._asked:
                return Sync.NOW
            case ApprovalRequested():
                self._asked.add(event.request.call_id)
            case CallEnded():
                self._asked.discard(event.call.id)
            case _:
                pass
        return Sync.BEHIND

    def _carry_out(self, changes: Iterable[Statement], sync: Sync = Sync.NOW) -> None:
        with self._database.transaction(sync) as connection:
            _execute(connection, changes)

    def turns(self, session_id: str, last: int | None = None) -> tuple[TurnRecord, ...]:
        with self._database.reading() as connection:
            return records.turns(connection, session_id, last)

    def summary(self, session_id: str) -> EarlierSummary | None:
        """Of the conversation's beginning; None when there is none yet."""
        with self._database.reading() as connection:
            select = "SELECT text, through, untrusted FROM summaries WHERE session_id = ?"
            found = connection.execute(select, (well_formed(session_id),)).fetchone()
        return EarlierSummary(found[0], found[1], tuple(json.loads(found[2]))) if found else None

    def keep_summary(self, session_id: str, summary: EarlierSummary) -> None:
        """In place of the one before; for a conversation that was deleted meanwhile, not at all."""
        insert = Statement(
            "INSERT INTO summaries (session_id, text, through, untrusted) SELECT id, ?, ?, ? FROM sessions WHERE id = ?"
            " ON CONFLICT (session_id) DO UPDATE SET text = excluded.text, through = excluded.through,"
            " untrusted = excluded.untrusted",
            (well_formed(summary.text), summary.through, as_json(list(summary.untrusted)), session_id),
            rows=(0, 1),
        )
        self._carry_out([insert])

    def sessions(self) -> tuple[SessionRecord, ...]:
        """Those with a turn, the most recent first."""
        with self._database.reading() as connection:
            return records.sessions(connection)

    def run(self, turn_id: str) -> RunRecord | None:
        with self._database.reading() as connection:
            return runs.run(connection, well_formed(turn_id))

    def delete_session(self, session_id: str) -> bool:
        with self._database.transaction() as connection:
            deleted = connection.execute("DELETE FROM sessions WHERE id = ?", (well_formed(session_id),)).rowcount > 0
            forget_traces(connection)
        if deleted:
            self._database.forget_deleted()
        return deleted

    def waiting(self, session_id: str = "") -> tuple[WaitingTurn, ...]:
        with self._database.reading() as connection:
            found = records.waiting_turns(connection, session_id)
        return tuple(
            WaitingTurn(session, turn, workspace, call.question)
            for turn, session, workspace in found
            for call in turn.calls
            if call.question is not None
        )

    def audited(self, last: int, turn_id: str = "", tool: str = "") -> tuple[AuditRecord, ...]:
        return Audit(self._database).records(last, well_formed(turn_id), well_formed(tool))

    def close_orphans(self) -> int:
        """Call once, before anything runs. A turn that only waits for an answer is left waiting."""
        with self._database.transaction() as connection:
            asked = {turn.turn_id for turn, _, _ in records.waiting_turns(connection, "") if _can_go_on(turn)}
            unfinished = connection.execute("SELECT id FROM turns WHERE outcome IS NULL").fetchall()
            cut_off = [turn_id for (turn_id,) in unfinished if turn_id not in asked]
            unknown = sum(_close(connection, turn_id, self._clock()) for turn_id in cut_off)
            connection.execute("DELETE FROM sessions WHERE id NOT IN (SELECT session_id FROM turns)")
        return unknown


def _execute(connection: sqlite3.Connection, changes: Iterable[Statement]) -> None:
    for change in changes:
        met = connection.execute(change.sql, change.values).rowcount
        if change.rows and met not in change.rows:
            raise LookupError(f"{met} rows instead of {change.rows}: {change.sql}")


def _can_go_on(turn: TurnRecord) -> bool:
    """It has a question that can be shown, and nothing in it was under way."""
    states = [call.state for call in turn.calls]
    return "running" not in states and any(call.question for call in turn.calls)


def _close(connection: sqlite3.Connection, turn_id: str, now: float) -> int:
    """End a turn that was cut off. Returns how many of its calls are unknown."""
    for row in cut_off(turn_id, now):
        connection.execute(row.sql, row.values)
    running, others = close_calls(turn_id, CUT_OFF, now)
    unknown = connection.execute(running.sql, running.values).rowcount
    connection.execute(others.sql, others.values)
    connection.execute(
        "UPDATE turns SET outcome = ?, error = 'cut_off', text = ?, ended = ? WHERE id = ?",
        (TurnOutcome.FAILED.value, MAY_HAVE_HAPPENED if unknown else CUT_OFF, now, turn_id),
    )
    return unknown

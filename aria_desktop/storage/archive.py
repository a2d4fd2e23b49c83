"""Stored conversations as wholes: found, renamed, pinned, branched, brought in, and removed by their age."""

from __future__ import annotations

import math
import secrets
import sqlite3
import time
import uuid
from collections.abc import Callable, Sequence

from aria_desktop.core.chat import Outcome, TurnOutcome
from aria_desktop.core.errors import UsageError
from aria_desktop.core.history import Place, SearchResult
from aria_desktop.core.plain import well_formed
from aria_desktop.core.records import TurnRecord
from aria_desktop.core.visible import visible_line
from aria_desktop.storage.database import Database
from aria_desktop.storage.search import search
from aria_desktop.storage.search_index import forget_traces, renew_index
from aria_desktop.storage.story import as_json, title_of
from aria_desktop.storage.sync_behind import Sync

_STATES = frozenset({*map(str, Outcome), "proposed", "waiting", "running"})
IMPORTED = "an imported conversation"
"""The source of everything that came from outside."""
_TURN_COLUMNS = (
    "source, workspace, words, language, answer, outcome, error, text, hint, timings, started, ended, untrusted"
)
_CALL_COLUMNS = "step, tool, arguments, state, result, answer, proposed, started, ended"
_NOT_ENDED = {"proposed": Outcome.CANCELLED.value, "waiting": Outcome.CANCELLED.value, "running": Outcome.UNKNOWN.value}


class Archive:
    """The `ConversationArchive` of the program."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def search(
        self, text: str, places: Sequence[Place], since: float, most: int, *, newest_first: bool
    ) -> SearchResult:
        with self._database.transaction(Sync.BEHIND) as connection:
            renew_index(connection)
            return search(connection, text, places, since, most, newest_first=newest_first)

    def rename(self, session_id: str, title: str) -> None:
        line = title_of(well_formed(title))
        if not line:
            raise UsageError("A conversation needs a title.", "Give it a word or two.")
        with self._database.transaction() as connection:
            connection.execute("UPDATE sessions SET title = ? WHERE id = ?", (line, well_formed(session_id)))

    def pin(self, session_id: str, pinned: bool) -> None:
        with self._database.transaction() as connection:
            connection.execute("UPDATE sessions SET pinned = ? WHERE id = ?", (int(pinned), well_formed(session_id)))

    def branch(self, session_id: str, turn_id: str) -> str:
        with self._database.transaction() as connection:
            turns = _turns_up_to(connection, well_formed(session_id), well_formed(turn_id))
            found = connection.execute("SELECT title FROM sessions WHERE id = ?", (well_formed(session_id),)).fetchone()
            branch = self._new_session(connection, found[0])
            for old in turns:
                _copy_turn(connection, old, branch)
            renew_index(connection)
        return branch

    def add(self, title: str, turns: Sequence[TurnRecord]) -> str:
        if not turns:
            raise UsageError("The conversation has no turns.", "There is nothing to bring in.")
        for turn in turns:
            _refuse_impossible(turn)
        first = next((turn.words for turn in turns if turn.words), "")
        with self._database.transaction() as connection:
            session_id = self._new_session(connection, title_of(well_formed(title or first)))
            for turn in turns:
                self._add_turn(connection, session_id, turn)
            renew_index(connection)
        return session_id

    def forget_older(self, days: int) -> int:
        """Remove conversations whose last turn is older, but for pinned ones and those in which a question waits.
        Returns how many. 0 days: none."""
        if days <= 0:
            return 0
        before = self._clock() - days * 86_400
        with self._database.transaction() as connection:
            gone = connection.execute(_REMOVE_OLDER, (before,)).rowcount
            if gone:
                forget_traces(connection)
        if gone:
            self._database.forget_deleted()
        return gone

    def _new_session(self, connection: sqlite3.Connection, title: str) -> str:
        session_id = f"s{secrets.token_hex(4)}"
        insert = "INSERT INTO sessions (id, title, created) VALUES (?, ?, ?)"
        connection.execute(insert, (session_id, title, self._clock()))
        return session_id

    def _add_turn(self, connection: sqlite3.Connection, session_id: str, turn: TurnRecord) -> None:
        turn_id = _new_turn_id()
        outcome = turn.outcome or TurnOutcome.FAILED
        # One that lies ahead would stay on top, and never be old enough to be removed.
        started = min(turn.started, self._clock())
        untrusted = list(dict.fromkeys((IMPORTED, *map(well_formed, turn.untrusted))))
        connection.execute(
            "INSERT INTO turns (id, session_id, source, workspace, words, answer, outcome, text, timings, started,"
            " ended, untrusted) VALUES (?, ?, ?, '', ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(turn_id, session_id, turn.source.value, well_formed(turn.words), well_formed(turn.answer)),
                *(outcome.value, well_formed(turn.text), as_json(dict(turn.timings)), started, started),
                as_json(untrusted),
            ),
        )
        for step, record in enumerate(turn.calls, 1):
            connection.execute(
                "INSERT INTO calls (id, turn_id, step, tool, arguments, state, result, proposed)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *(_new_turn_id(), turn_id, step, well_formed(record.call.tool)),
                    as_json(dict(record.call.arguments)),
                    _NOT_ENDED.get(record.state, well_formed(record.state)),
                    *(well_formed(record.result), started),
                ),
            )


_LAST_TIME = 250_000_000_000.0
"""Unix time in the year 9892; calendars here end with the year 9999."""


def _refuse_impossible(turn: TurnRecord) -> None:
    """Raise UsageError for what no conversation of ours holds, and what nobody could show."""
    if not 0 <= turn.started <= _LAST_TIME or not all(map(math.isfinite, turn.timings.values())):
        raise UsageError("A time in the conversation is no time.", "Export it again.")
    state = next((record.state for record in turn.calls if record.state not in _STATES), None)
    if state is not None:
        raise UsageError(f'A step of the conversation is in a state "{visible_line(state)[:40]}".', "Export it again.")


_REMOVE_OLDER = """
    DELETE FROM sessions WHERE pinned = 0
    AND id IN (SELECT session_id FROM turns GROUP BY session_id HAVING max(started) < ?)
    AND id NOT IN (SELECT t.session_id FROM turns t JOIN calls c ON c.turn_id = t.id WHERE c.state = 'waiting')"""


def _turns_up_to(connection: sqlite3.Connection, session_id: str, turn_id: str) -> list[str]:
    """Raises UsageError."""
    rows = connection.execute(
        "SELECT id, outcome FROM turns WHERE session_id = ? ORDER BY seq", (session_id,)
    ).fetchall()
    ids = [found for found, _ in rows]
    if turn_id not in ids:
        raise UsageError(f"The conversation has no turn {turn_id}.", "`aria sessions show ID --json` shows its turns.")
    kept = rows[: ids.index(turn_id) + 1]
    if any(outcome is None for _, outcome in kept):
        raise UsageError("A turn of it has not ended.", "Wait for it, or branch before it.")
    return [found for found, _ in kept]


def _copy_turn(connection: sqlite3.Connection, old: str, session_id: str) -> None:
    """With its calls; steps, questions and answers belong to what happened and stay with it."""
    new = _new_turn_id()
    copy = f"INSERT INTO turns (id, session_id, {_TURN_COLUMNS}) SELECT ?, ?, {_TURN_COLUMNS} FROM turns WHERE id = ?"
    connection.execute(copy, (new, session_id, old))
    for (call,) in connection.execute("SELECT id FROM calls WHERE turn_id = ? ORDER BY seq", (old,)).fetchall():
        copy = f"INSERT INTO calls (id, turn_id, {_CALL_COLUMNS}) SELECT ?, ?, {_CALL_COLUMNS} FROM calls WHERE id = ?"
        connection.execute(copy, (_new_turn_id(), new, call))


def _new_turn_id() -> str:
    return uuid.uuid4().hex[:12]

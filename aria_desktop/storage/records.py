"""Rows of the database as the values that the rest of the program knows."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from aria_desktop.core.approval import ApprovalDecision, ApprovalRequest
from aria_desktop.core.chat import ToolCall, TurnOutcome
from aria_desktop.core.plain import from_plain
from aria_desktop.core.records import CallRecord, SessionRecord, Source, TurnRecord

_SESSIONS = """
    SELECT s.id, s.title, max(t.started), count(*),
        EXISTS (SELECT 1 FROM calls c JOIN turns w ON w.id = c.turn_id
                WHERE w.session_id = s.id AND c.state = 'waiting'),
        s.pinned, min(t.started)
    FROM sessions s JOIN turns t ON t.session_id = s.id
    GROUP BY s.id ORDER BY max(t.seq) DESC"""
_TURNS = """
    SELECT id, source, words, answer, outcome, started, timings, text, session_id, workspace, untrusted, heard_answer
    FROM turns WHERE {which} ORDER BY seq"""
_CALLS = """
    SELECT c.turn_id, c.id, c.tool, c.arguments, c.state, c.result, a.allowed, a.decided_by, a.request
    FROM calls c LEFT JOIN approvals a ON a.seq = (SELECT max(seq) FROM approvals WHERE call_id = c.id)
    WHERE c.turn_id IN (SELECT id FROM turns WHERE {which}) ORDER BY c.seq"""
_LAST = "seq IN (SELECT seq FROM turns WHERE session_id = ? ORDER BY seq DESC LIMIT ?)"
_WAITING = "id IN (SELECT turn_id FROM calls WHERE state = 'waiting') AND outcome IS NULL"

Row = Sequence[Any]


def sessions(connection: sqlite3.Connection) -> tuple[SessionRecord, ...]:
    """Those that have a turn, the one with the newest first."""
    rows = connection.execute(_SESSIONS)
    return tuple(
        SessionRecord(id_, title, updated, turns, bool(waits), bool(pinned), began)
        for id_, title, updated, turns, waits, pinned, began in rows
    )


def turns(connection: sqlite3.Connection, session_id: str, last: int | None) -> tuple[TurnRecord, ...]:
    """Oldest first; `last` keeps only so many of the newest."""
    read = _turns(connection, _LAST, (session_id, -1 if last is None else last))
    return tuple(turn for turn, _, _ in read)


def turn_of_id(connection: sqlite3.Connection, turn_id: str) -> TurnRecord | None:
    found = _turns(connection, "id = ?", (turn_id,))
    return found[0][0] if found else None


def waiting_turns(connection: sqlite3.Connection, session_id: str) -> list[tuple[TurnRecord, str, str]]:
    """Unfinished turns with a waiting call, each with its session and its workspace; all when no session is named."""
    if session_id:
        return _turns(connection, f"{_WAITING} AND session_id = ?", (session_id,))
    return _turns(connection, _WAITING, ())


def _turns(connection: sqlite3.Connection, which: str, values: Row) -> list[tuple[TurnRecord, str, str]]:
    calls: dict[str, list[CallRecord]] = {}
    for turn_id, *row in connection.execute(_CALLS.format(which=which), values):
        calls.setdefault(turn_id, []).append(_call(row))
    rows = connection.execute(_TURNS.format(which=which), values)
    return [(_turn(row, calls), row[8], row[9]) for row in rows]


def _turn(row: Row, calls: Mapping[str, list[CallRecord]]) -> TurnRecord:
    turn_id, source, words, answer, outcome, started, timings, text, _, _, untrusted, heard = row
    return TurnRecord(
        turn_id=turn_id,
        source=Source(source),
        words=words,
        answer=answer,
        outcome=None if outcome is None else TurnOutcome(outcome),
        started=started,
        calls=tuple(calls.get(turn_id, ())),
        timings=json.loads(timings),
        text=text,
        untrusted=tuple(json.loads(untrusted)),
        heard=heard,
    )


def _call(row: Row) -> CallRecord:
    call_id, tool, arguments, state, result, allowed, decided_by, request = row
    return CallRecord(
        call=ToolCall(call_id, tool, json.loads(arguments)),
        state=state,
        decision=None if allowed is None else ApprovalDecision(bool(allowed), decided_by),
        result=result,
        question=_question(request) if state == "waiting" and request else None,
    )


def _question(request: str) -> ApprovalRequest | None:
    """None when another version wrote it in a form that this one can't show whole."""
    try:
        question: ApprovalRequest = from_plain(ApprovalRequest, json.loads(request))
    except ValueError:
        return None
    return question

"""How a turn went, read back from its rows: replies with their prompts, calls with their times."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from typing import Any, TypeVar

from aria_desktop.core.approval import ApprovalDecision
from aria_desktop.core.chat import Message, ToolCall, ToolChoice
from aria_desktop.core.plain import from_plain
from aria_desktop.core.records import RunRecord, StepRecord, TimedCall
from aria_desktop.core.transcript import Word
from aria_desktop.storage import records

_T = TypeVar("_T")
_STEPS = """
    SELECT step, received, raw, prompt_tokens, reused_tokens, tokens, seconds, seconds_to_first, choices
    FROM steps WHERE turn_id = ? ORDER BY seq"""
_PROMPTS = "SELECT step, attempt, attempts, asked, messages, unchanging FROM prompts WHERE turn_id = ? ORDER BY seq"
_CALLS = """
    SELECT c.step, c.id, c.tool, c.arguments, c.state, c.result, c.proposed, c.started, c.ended,
        a.asked, a.decided, a.allowed, a.decided_by, json_extract(a.request, '$.question')
    FROM calls c LEFT JOIN approvals a ON a.seq = (SELECT max(seq) FROM approvals WHERE call_id = c.id)
    WHERE c.turn_id = ? ORDER BY c.seq"""


def run(connection: sqlite3.Connection, turn_id: str) -> RunRecord | None:
    turn = records.turn_of_id(connection, turn_id)
    if turn is None:
        return None
    select = "SELECT language, heard, audio_seconds, ended FROM turns WHERE id = ?"
    language, heard, audio_seconds, ended = connection.execute(select, (turn_id,)).fetchone()
    return RunRecord(
        turn=turn,
        language=language,
        heard=_all(Word, heard),
        audio_seconds=audio_seconds,
        steps=_steps(connection, turn_id),
        calls=tuple(_call(row) for row in connection.execute(_CALLS, (turn_id,))),
        ended=ended,
    )


def _steps(connection: sqlite3.Connection, turn_id: str) -> tuple[StepRecord, ...]:
    """The prompts of one step are in the order of its replies; a reply that no model gave has none."""
    prompts = defaultdict(list)
    for step, *row in connection.execute(_PROMPTS, (turn_id,)):
        prompts[step].append(row)
    found = []
    for step, received, raw, prompt_tokens, reused, tokens, seconds, to_first, choices in connection.execute(
        _STEPS, (turn_id,)
    ):
        row = prompts[step].pop(0) if prompts[step] else (1, 1, received - seconds, "[]", 0)
        attempt, attempts, asked, messages, unchanging = row
        counts = (prompt_tokens, reused, tokens, seconds, to_first)
        asked_with = (attempt, attempts, asked, received, _all(Message, messages), unchanging)
        found.append(StepRecord(step, *asked_with, raw, *counts, _all(ToolChoice, choices)))
    return tuple(found)


def _call(row: tuple[Any, ...]) -> TimedCall:
    step, id_, tool, arguments, state, result, proposed, started, ended, asked, decided, allowed, by, question = row
    return TimedCall(
        step=step,
        call=ToolCall(id_, tool, json.loads(arguments)),
        state=state,
        result=result,
        proposed=proposed,
        asked=asked,
        decided=decided,
        decision=None if allowed is None else ApprovalDecision(bool(allowed), by),
        question=question or "",
        started=started,
        ended=ended,
    )


def _all(kind: type[_T], text: str) -> tuple[_T, ...]:
    """None of them when another version, or a broken page, wrote one that can't be read."""
    try:
        return tuple(from_plain(kind, data) for data in json.loads(text))
    except ValueError:
        return ()

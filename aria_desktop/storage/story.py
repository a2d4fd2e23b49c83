"""What an event of a turn changes in the database, as statements; pure.

Each event becomes the statements that store it. Every one of them must meet exactly one row: an event of a turn
or a call that is not stored is a mistake of the program, found at once and not months later in the history.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from aria_desktop.core import events
from aria_desktop.core.chat import Outcome, ToolCall, TurnOutcome
from aria_desktop.core.plain import to_plain, well_formed

TITLE_LENGTH = 60
"""Characters."""
Value = str | int | float | None


@dataclass(frozen=True, slots=True)
class Statement:
    sql: str
    values: tuple[Value, ...]
    rows: tuple[int, ...] = (1,)
    """How many rows it may meet; empty: any number."""


def title_of(words: str) -> str:
    """The first words, on one line and cut between words."""
    line = " ".join(words.split())
    if len(line) <= TITLE_LENGTH:
        return line
    cut = line[:TITLE_LENGTH]
    return f"{cut.rpartition(' ')[0] or cut[:-1]}…"


def as_json(data: object) -> str:
    return well_formed(json.dumps(data, ensure_ascii=False))


def statements(event: events.Event, now: float) -> Sequence[Statement]:
    """Empty for events that hold nothing to keep. `now` is Unix time."""
    match event:
        case events.Heard():
            return _heard(event)
        case events.PromptSent():
            return [_prompt(event, now)]
        case events.ReplyReceived():
            return [_reply(event, now)]
        case events.UntrustedTextRead():
            return [_untrusted(event)]
        case events.CallProposed():
            return [_proposed(event.turn_id, event.step, event.call, now)]
        case events.ApprovalRequested():
            return _asked(event, now)
        case events.ApprovalDecided():
            return _decided(event, now)
        case events.CallStarted():
            return [Statement("UPDATE calls SET state = 'running', started = ? WHERE id = ?", (now, event.call_id))]
        case events.CallEnded():
            return [_ended(event, now)]
        case events.AnswerGiven():
            return [Statement("UPDATE turns SET answer = ? WHERE id = ?", (well_formed(event.text), event.turn_id))]
        case events.SpeakingEnded(interrupted=True):
            return [
                Statement("UPDATE turns SET heard_answer = ? WHERE id = ?", (well_formed(event.heard), event.turn_id))
            ]
        case events.TurnEnded():
            return _turn_ended(event, now)
        case _:
            return ()


def name_session(turn_id: str, words: str) -> Statement:
    """The first turn with words gives its session the title."""
    return Statement(
        "UPDATE sessions SET title = ? WHERE title = '' AND id = (SELECT session_id FROM turns WHERE id = ?)",
        (title_of(well_formed(words)), turn_id),
        rows=(0, 1),
    )


def _heard(event: events.Heard) -> Sequence[Statement]:
    words, heard = well_formed(event.text), as_json([to_plain(word) for word in event.words])
    update = "UPDATE turns SET words = ?, language = ?, heard = ?, audio_seconds = ? WHERE id = ?"
    values = (words, event.language, heard, event.audio_seconds, event.turn_id)
    return [Statement(update, values), name_session(event.turn_id, words)]


def _prompt(event: events.PromptSent, now: float) -> Statement:
    messages = as_json([to_plain(message) for message in event.messages])
    return Statement(
        "INSERT INTO prompts (turn_id, step, attempt, attempts, messages, unchanging, asked)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (event.turn_id, event.step, event.attempt, event.attempts, messages, event.unchanging, now),
    )


def _reply(event: events.ReplyReceived, now: float) -> Statement:
    tokens = (event.prompt_tokens, event.reused_tokens, event.tokens)
    choices, first = as_json([to_plain(choice) for choice in event.choices]), event.seconds_to_first
    return Statement(
        "INSERT INTO steps (turn_id, step, raw, prompt_tokens, reused_tokens, tokens, seconds, received, choices,"
        " seconds_to_first) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (event.turn_id, event.step, well_formed(event.raw), *tokens, event.seconds, now, choices, first),
    )


def _untrusted(event: events.UntrustedTextRead) -> Statement:
    """Added to the sources of its turn, each only once."""
    source = well_formed(event.source)
    return Statement(
        "UPDATE turns SET untrusted = json_insert(untrusted, '$[#]', ?) WHERE id = ?"
        " AND NOT EXISTS (SELECT 1 FROM json_each(untrusted) WHERE value = ?)",
        (source, event.turn_id, source),
        rows=(0, 1),
    )


def _proposed(turn_id: str, step: int, call: ToolCall, now: float) -> Statement:
    return Statement(
        "INSERT INTO calls (id, turn_id, step, tool, arguments, state, proposed) VALUES (?, ?, ?, ?, ?, 'proposed', ?)",
        (call.id, turn_id, step, well_formed(call.tool), as_json(dict(call.arguments)), now),
    )


def _asked(event: events.ApprovalRequested, now: float) -> Sequence[Statement]:
    """A question that is asked again after a restart keeps its row and its id."""
    request = event.request
    return [
        Statement(
            "INSERT INTO approvals (id, call_id, request, asked) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (id) DO UPDATE SET request = excluded.request, asked = excluded.asked",
            (request.id, request.call_id, as_json(to_plain(request)), now),
        ),
        Statement("UPDATE calls SET state = 'waiting' WHERE id = ?", (request.call_id,)),
    ]


def _decided(event: events.ApprovalDecided, now: float) -> Sequence[Statement]:
    """The call is a proposal again, now with a decision, until it starts or ends."""
    decision = event.decision
    return [
        Statement(
            "UPDATE approvals SET allowed = ?, decided_by = ?, decided = ?, seconds = ? WHERE id = ?",
            (int(decision.allowed), well_formed(decision.by), now, event.seconds, event.request_id),
        ),
        Statement(
            "UPDATE calls SET state = 'proposed' WHERE id = (SELECT call_id FROM approvals WHERE id = ?)",
            (event.request_id,),
        ),
    ]


def _ended(event: events.CallEnded, now: float) -> Statement:
    result = event.result
    return Statement(
        "UPDATE calls SET state = ?, result = ?, answer = ?, arguments = ?, ended = ? WHERE id = ?",
        (
            result.outcome.value,
            well_formed(result.text),
            well_formed(result.answer),
            as_json(dict(event.call.arguments)),
            now,
            event.call.id,
        ),
    )


def _turn_ended(event: events.TurnEnded, now: float) -> Sequence[Statement]:
    """Where nothing was heard there was no turn, so none is kept. A call that the turn leaves open ends with it."""
    if event.outcome is TurnOutcome.NOTHING_HEARD:
        return [Statement("DELETE FROM turns WHERE id = ?", (event.turn_id,), rows=(0, 1))]
    words = (well_formed(event.answer), event.error, well_formed(event.text), well_formed(event.hint))
    return [
        Statement(
            "UPDATE turns SET answer = ?, error = ?, text = ?, hint = ?, outcome = ?, timings = ?, ended = ?"
            " WHERE id = ?",
            (*words, event.outcome.value, as_json(dict(event.timings)), now, event.turn_id),
        ),
        *close_calls(event.turn_id, "", now),
    ]


def close_calls(turn_id: str, reason: str, now: float) -> tuple[Statement, Statement]:
    """What was running may have happened; what was not yet started did not. The first meets the unknown ones."""
    end = "UPDATE calls SET state = ?, result = ?, ended = ? WHERE turn_id = ? AND state"
    return (
        Statement(f"{end} = 'running'", (Outcome.UNKNOWN.value, reason, now, turn_id), rows=()),
        Statement(f"{end} IN ('proposed', 'waiting')", (Outcome.CANCELLED.value, reason, now, turn_id), rows=()),
    )

"""A conversation as a file: Markdown to be read, JSON that can be brought in again."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from aria_desktop.core import times
from aria_desktop.core.errors import UsageError
from aria_desktop.core.plain import from_plain, to_plain, well_formed
from aria_desktop.core.records import CallRecord, SessionRecord, TurnRecord
from aria_desktop.core.visible import visible, visible_line

FORMAT, VERSION = "aria conversation", 1
LARGEST = 12_000_000
"""Bytes of a file that is brought in: it has to pass the local socket in one line."""


def as_json(session: SessionRecord, turns: Sequence[TurnRecord]) -> str:
    data = {"format": FORMAT, "version": VERSION, "title": session.title, "turns": [to_plain(turn) for turn in turns]}
    return well_formed(json.dumps(data, ensure_ascii=False, indent=1)) + "\n"


def from_json(data: bytes) -> tuple[str, tuple[TurnRecord, ...]]:
    """Title and turns. Raises UsageError for everything that `as_json` would not have written."""
    if len(data) > LARGEST:
        raise UsageError(f"The file has {len(data):,} bytes; {LARGEST:,} are the most.", "Export fewer turns.")
    try:
        found = json.loads(data)
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise UsageError("The file holds no conversation.", "`aria sessions export ID --json` writes such files.")
        if found.get("version") != VERSION:
            raise UsageError("The conversation was written by a newer ARIA.", "Bring it in with that one.")
        turns = tuple(from_plain(TurnRecord, turn) for turn in found["turns"])
        if not all(times.possible(turn.started) for turn in turns):
            raise ValueError("a turn began at a time that no calendar has")
        return str(found["title"]), turns
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        reason = visible_line(str(error).splitlines()[0]) if str(error) else type(error).__name__
        raise UsageError(f"The file can't be understood: {reason}.", "Export it again.") from error


def as_markdown(session: SessionRecord, turns: Sequence[TurnRecord]) -> str:
    """To be read by people: what was said is quoted, so that nothing in it is a heading or a link of ours."""
    parts = [f"# {_plain(session.title) or 'Conversation'}", *map(_turn, turns)]
    return "\n\n".join(parts) + "\n"


def _turn(turn: TurnRecord) -> str:
    lines = [f"## {times.minute(turn.started)}, {turn.source.value}", _quoted(turn.words) or "> (not recognised)"]
    lines += [_call(call) for call in turn.calls]
    if turn.answer:
        lines.append(f"**ARIA:**\n\n{_fenced(turn.answer)}")
    if turn.text:
        lines.append(f"*{_plain(turn.text)}*")
    return "\n\n".join(lines)


def _call(record: CallRecord) -> str:
    arguments = json.dumps(dict(record.call.arguments), ensure_ascii=False, indent=1)
    by = ""
    if record.decision is not None:
        by = f", {'allowed' if record.decision.allowed else 'refused'} by {_plain(record.decision.by)}"
    parts = [f"- `{record.call.tool}` ({_plain(record.state)}{by})", _fenced(arguments)]
    if record.result:
        parts.append(_fenced(record.result))
    return "\n\n".join(parts)


def _plain(text: str) -> str:
    """On one line, with nothing that Markdown would take for its own."""
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]<>#|!~" else sign for sign in visible_line(" ".join(text.split())))


def _quoted(text: str) -> str:
    return "\n".join(f"> {_plain(line)}" for line in text.splitlines())


def _fenced(text: str) -> str:
    """A block of text as it is, closed by more marks than stand in it."""
    shown = visible(text)
    longest = max((len(run) for run in _runs(shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{shown}\n{fence}"


def _runs(text: str) -> list[str]:
    return re.findall("`+", text)

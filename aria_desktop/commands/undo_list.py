"""Changes and what is kept of them, as `aria undo` prints them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from aria_desktop.core import times
from aria_desktop.core.errors import UsageError
from aria_desktop.core.visible import visible_json, visible_line
from aria_desktop.safety.journal import Action, ActionState, Journal
from aria_desktop.safety.trash_content import Kept, TrashContent
from aria_desktop.safety.undo import UndoPlan
from aria_desktop.safety.undo_choice import chains

_STATES = {
    ActionState.DONE: "",
    ActionState.FAILED: "failed",
    ActionState.UNKNOWN: "may or may not have happened",
    ActionState.NO_EFFECT: "had no effect",
    ActionState.DAMAGED: "its record is damaged and it can't be undone",
}


def listed(actions: Sequence[Action], *, as_json: bool) -> str:
    """A line for each change, the newest last."""
    undone = frozenset(chain.made.number for chain in chains(actions) if not chain.stands)
    if as_json:
        rows = [asdict(action) | {"undone": action.number in undone} for action in actions]
        return visible_json(json.dumps(rows, ensure_ascii=False))
    if not actions:
        return "no changes yet"
    turns = {action.deed.turn_id for action in actions}
    width = max(map(len, turns))
    return "\n".join(_line(action, width, undone=action.number in undone) for action in actions)


def _line(action: Action, width: int, *, undone: bool) -> str:
    state = "undone" if undone else _STATES[action.state]
    turn = action.deed.turn_id.ljust(width)
    words = f"{action.number:>5}  {times.minute(action.at)}  {turn}  {visible_line(action.title)}"
    return f"{words} ({state})" if state else words


def shown_trash(journal: Journal, *, as_json: bool) -> str:
    entries = TrashContent(journal.trash).entries()
    if as_json:
        return visible_json(json.dumps([asdict(entry) for entry in entries], ensure_ascii=False))
    total = sum(entry.size for entry in entries)
    lines = [_entry(entry) for entry in entries]
    limits = f"kept for {journal.keeping.days} days, at most {journal.keeping.size // 1_000_000:,} MB"
    return "\n".join([*lines, f"{len(entries)} things, {total:,} bytes; {limits}"])


def _entry(entry: Kept) -> str:
    what = "old content of " if entry.why == "copied" else ""
    where = f"{entry.workspace}/{entry.path}" if entry.path else "its note can't be read"
    return f"{entry.name}  {times.minute(entry.at)}  {entry.size:>12,}  {what}{visible_line(where)}"


def entry_named(content: TrashContent, name: str) -> str:
    """Raises UsageError."""
    if name not in {entry.name for entry in content.entries()}:
        raise UsageError(f'There is no "{name}" in the trash.', "`aria undo trash` shows what there is.")
    return name


def told_idle(plan: UndoPlan) -> str:
    """Why a plan takes nothing back."""
    refused = [f"change {one.action.number}, {visible_line(one.action.title)}: {one.reason}" for one in plan.refused]
    idle = [f"change {one.number}, {visible_line(one.title)}: all is as it was before it" for one in plan.idle]
    return "\n".join(["nothing was undone", *(f"  {visible_line(line)}" for line in (*refused, *idle))])

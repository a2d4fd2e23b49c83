"""What a change does to a text, line by line, as the confirmation shows it.

Nothing is ever left out of sight silently: unchanged stretches become a row that says how many lines it
stands for, and every changed line is there in full.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from aria_desktop.gui.state.translation import counted

CONTEXT = 3
"""Unchanged lines shown around a change."""
_COMPARED = 4_000_000
"""Products of line counts up to which lines are matched; beyond, the whole middle counts as replaced."""


class RowKind(StrEnum):
    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"
    GAP = "gap"


@dataclass(frozen=True, slots=True)
class Row:
    kind: RowKind
    text: str
    """Without its line break; for a gap, what it stands for."""
    old: int | None = None
    """Line number before, from 1."""
    new: int | None = None
    changed: tuple[tuple[int, int], ...] = ()
    """Stretches of `text` that differ from the line it replaces."""
    unfinished: bool = False
    """The text's last line, without a line break, where the other text has one."""


@dataclass(frozen=True, slots=True)
class Difference:
    rows: tuple[Row, ...]
    added: int
    removed: int


def difference(before: str | None, after: str | None) -> Difference:
    """None stands for "no such file": all lines of the other text are then new (or gone)."""
    old, new = _lines(before or ""), _lines(after or "")
    rows = tuple(_with_gaps(list(_all_rows(old, new))))
    return Difference(
        rows,
        added=sum(row.kind is RowKind.ADDED for row in rows),
        removed=sum(row.kind is RowKind.REMOVED for row in rows),
    )


def _lines(text: str) -> list[str]:
    """With their breaks, so that a missing last one counts. Only a line feed breaks a line: a lone carriage
    return could paint over what stands before it."""
    parts = text.split("\n")
    return [part + "\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _all_rows(old: Sequence[str], new: Sequence[str]) -> Iterator[Row]:
    for tag, old_start, old_end, new_start, new_end in _opcodes(old, new):
        if tag == "equal":
            for step in range(old_end - old_start):
                yield Row(RowKind.SAME, _bare(old[old_start + step]), old_start + step + 1, new_start + step + 1)
        else:
            yield from _replaced(old[old_start:old_end], new[new_start:new_end], old_start, new_start)


def _opcodes(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, int, int, int, int]]:
    shorter = min(len(old), len(new))
    head = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    rest = shorter - head
    tail = next((i for i in range(rest) if old[-1 - i] != new[-1 - i]), rest)
    old_end, new_end = len(old) - tail, len(new) - tail
    if head:
        yield "equal", 0, head, 0, head
    if (old_end - head) * (new_end - head) > _COMPARED:
        yield "replace", head, old_end, head, new_end
    else:
        matcher = SequenceMatcher(None, old[head:old_end], new[head:new_end], autojunk=False)
        for tag, a, b, c, d in matcher.get_opcodes():
            yield tag, a + head, b + head, c + head, d + head
    if tail:
        yield "equal", old_end, len(old), new_end, len(new)


def _replaced(old: Sequence[str], new: Sequence[str], old_start: int, new_start: int) -> Iterator[Row]:
    pairs = [_word_changes(_bare(a), _bare(b)) for a, b in zip(old, new, strict=False)]
    break_differs = bool(old and new) and old[-1].endswith("\n") != new[-1].endswith("\n")
    for index, line in enumerate(old):
        changed = pairs[index][0] if index < len(pairs) else ()
        unfinished = break_differs and not line.endswith("\n")
        yield Row(RowKind.REMOVED, _bare(line), old_start + index + 1, None, changed, unfinished)
    for index, line in enumerate(new):
        changed = pairs[index][1] if index < len(pairs) else ()
        unfinished = break_differs and not line.endswith("\n")
        yield Row(RowKind.ADDED, _bare(line), None, new_start + index + 1, changed, unfinished)


def _word_changes(old: str, new: str) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
    """Stretches of both lines that differ; none where the lines have too little in common to compare."""
    if len(old) * len(new) > _COMPARED // 100:
        return (), ()
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < 0.5:
        return (), ()
    differing = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    return (
        tuple((a, b) for _, a, b, _, _ in differing if b > a),
        tuple((c, d) for _, _, _, c, d in differing if d > c),
    )


def _with_gaps(rows: Sequence[Row]) -> Iterator[Row]:
    near = _near_a_change(rows)
    hidden = 0
    for row, shown in zip(rows, near, strict=True):
        if shown:
            if hidden:
                yield _gap(hidden)
            hidden = 0
            yield row
        else:
            hidden += 1
    if hidden:
        yield _gap(hidden)


def _near_a_change(rows: Sequence[Row]) -> list[bool]:
    near = [False] * len(rows)
    for index, row in enumerate(rows):
        if row.kind is not RowKind.SAME:
            first, last = max(0, index - CONTEXT), min(len(rows), index + CONTEXT + 1)
            near[first:last] = [True] * (last - first)
    return near


def _gap(lines: int) -> Row:
    return Row(RowKind.GAP, counted(lines, "unchanged line", "unchanged lines"))


def _bare(line: str) -> str:
    return line.removesuffix("\n")

"""Full-text search over all turns, by the index of `search_index`.

A turn is found when it has every word of the text, each as the beginning of a word, whatever the case and accents.
What is searched for is always data: every word reaches SQLite in quotation marks, so no sign in it is an operator.
"""

from __future__ import annotations

import json
import re
import sqlite3
import time
from collections.abc import Sequence
from typing import Any

from aria_desktop.core.history import Place, SearchHit, SearchResult
from aria_desktop.core.plain import well_formed
from aria_desktop.core.records import Source

_LONGEST = 1000
"""Characters of a text that are looked at."""
_BEGIN, _END = "\ue000", "\ue001"
"""Signs of the private use area, put around hits; a text that holds one itself gets a mark too many at worst."""
_AROUND = 16
"""Words of a line that is shown."""
_MATCHES = "SELECT rowid FROM search WHERE search MATCH ?"
_ALL_MATCHES = "SELECT count(*) FROM search WHERE search MATCH ?"
_SNIPPETS = ", ".join(
    f"snippet(search, {column}, '{_BEGIN}', '{_END}', '…', {_AROUND})" for column in range(len(Place))
)
_SHOWN = f"""
    SELECT t.seq, t.session_id, s.title, t.id, t.started, t.source, {_SNIPPETS}
    FROM search JOIN turns t ON t.seq = search.rowid JOIN sessions s ON s.id = t.session_id
    WHERE search MATCH ? AND +search.rowid IN (SELECT value FROM json_each(?))"""
"""The plus has SQLite go through all matches once, instead of looking for the words anew for each row."""


def search(
    connection: sqlite3.Connection, text: str, places: Sequence[Place], since: float, most: int, *, newest_first: bool
) -> SearchResult:
    """Empty for a text without letters and digits, and for no places."""
    began = time.perf_counter()
    words = _words(text)
    if not words or not places:
        return SearchResult((), 0, 0, {}, 0.0)
    query = _query(words, places)
    numbers = _numbers(connection, query, since, most, newest_first=newest_first)
    shown = {row[0]: row[1:] for row in connection.execute(_SHOWN, (query, json.dumps(numbers)))}
    hits = tuple(_hit(connection, shown[number], places) for number in numbers)
    turns, sessions = connection.execute(
        f"SELECT count(*), count(DISTINCT session_id) FROM turns WHERE seq IN ({_MATCHES}) AND started >= ?",
        (query, since),
    ).fetchone()
    counts = {place.value: _count(connection, _query(words, [place]), since) for place in Place}
    return SearchResult(hits, turns, sessions, counts, time.perf_counter() - began)


def _numbers(connection: sqlite3.Connection, query: str, since: float, most: int, *, newest_first: bool) -> list[int]:
    """Rows of the index in order. What is shown of them is asked for afterwards: SQLite would make it for each match
    before it sorts them."""
    order = "rowid DESC" if newest_first else "rank, rowid DESC"
    recent = "AND rowid IN (SELECT seq FROM turns WHERE started >= ?)" if since else ""
    select = f"SELECT rowid FROM search WHERE search MATCH ? {recent} ORDER BY {order} LIMIT ?"
    return [number for (number,) in connection.execute(select, (query, since, most) if since else (query, most))]


def _words(text: str) -> list[str]:
    return [word for word in well_formed(text)[:_LONGEST].split() if any(sign.isalnum() for sign in word)]


def _query(words: Sequence[str], places: Sequence[Place]) -> str:
    quoted = " AND ".join('"' + word.replace("\x00", "").replace('"', '""') + '"*' for word in words)
    return f"{{{' '.join(place.value for place in places)}}} : ({quoted})"


def _count(connection: sqlite3.Connection, query: str, since: float) -> int:
    select = f"SELECT count(*) FROM turns WHERE started >= ? AND seq IN ({_MATCHES})" if since else _ALL_MATCHES
    return int(connection.execute(select, (since, query) if since else (query,)).fetchone()[0])


def _hit(connection: sqlite3.Connection, row: Sequence[Any], places: Sequence[Place]) -> SearchHit:
    session_id, title, turn_id, at, source, *snippets = row
    lines = {place: snippet for place, snippet in zip(Place, snippets, strict=True) if place in places}
    place = next((place for place, line in lines.items() if _BEGIN in line), places[0])
    line, marks = unmarked(lines[place])
    files, tools = _of_calls(connection, turn_id)
    return SearchHit(session_id, title, turn_id, at, Source(source), place, line, marks, files, tools)


def unmarked(text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """A marked text without its marks, and where they were."""
    line, marks, start = "", [], -1
    for piece in re.split(f"([{_BEGIN}{_END}])", text):
        if piece == _BEGIN:
            start = len(line)
        elif piece == _END:
            if 0 <= start < len(line):
                marks.append((start, len(line)))
            start = -1
        else:
            line += piece
    return line, tuple(marks)


def _of_calls(connection: sqlite3.Connection, turn_id: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of files and tools of a turn, each once."""
    files: dict[str, None] = {}
    tools: dict[str, None] = {}
    for tool, arguments in connection.execute(
        "SELECT tool, arguments FROM calls WHERE turn_id = ? ORDER BY seq", (turn_id,)
    ):
        tools[tool] = None
        given = json.loads(arguments)
        files.update({str(given[name]): None for name in ("path", "source", "destination") if name in given})
    return tuple(files), tuple(tools)

"""Reads what can still be read of a damaged database, table by table, into a new one.

What must stay true: the damaged file is opened read-only and as a copy; every row that SQLite can still reach comes
over, from before and from behind the damaged place; the new file is of a shape that a migration made, and nothing of
the old file's schema but rows is taken, so that a planted trigger or view stays behind.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from aria_desktop.core.chat import TurnOutcome
from aria_desktop.core.records import Source
from aria_desktop.storage.database_file import make_private
from aria_desktop.storage.migrations import Migration
from aria_desktop.storage.search_index import INDEX

_MOST_PROBES = 200_000
"""Rows asked for one by one between the two ends that can be read."""
_PLACEHOLDER = "Recovered"
"""Title of a conversation whose own row is lost."""

Row = tuple[object, ...]


def rescue(damaged: Path, fresh: sqlite3.Connection, migrations: Sequence[Migration]) -> Mapping[str, int]:
    """Fill `fresh`, an empty file, up to the version that the damaged one had. Returns the rows of each table.

    Raises sqlite3.Error for trouble with `fresh` alone; of a file that can't be read at all nothing comes.
    """
    version = _stated_version(damaged, len(migrations))
    for number, migration in enumerate(migrations[:version], 1):
        fresh.execute("BEGIN")
        migration(fresh)
        fresh.execute(f"PRAGMA user_version = {number}")
        fresh.execute("COMMIT")
    kept = _copied(damaged, fresh, "mode=ro") if _has_journal(damaged) else {}
    # A journal that belongs to another database hides this one's rows.
    kept = kept if any(kept.values()) else _copied(damaged, fresh, "immutable=1")
    if any(kept.values()):
        return kept
    with _with_another_header(damaged, fresh) as work:
        return _copied(work, fresh, "immutable=1")


_UNKNOWN = '["an earlier turn"]'
"""Sources of text that nobody vouches for, where they can't be read any more."""
_NO_SOURCES = "NOT json_valid(untrusted) OR json_type(untrusted) <> 'array'"


def mend(fresh: sqlite3.Connection) -> None:
    """After the last migration: what a row of a broken page says where only certain values make sense."""
    for statement in (
        f"UPDATE turns SET source = 'text' WHERE source NOT IN ({_listed(Source)})",
        f"UPDATE turns SET outcome = 'failed' WHERE outcome NOT IN ({_listed(TurnOutcome)})",
        "UPDATE turns SET timings = '{}' WHERE NOT json_valid(timings) OR json_type(timings) <> 'object'",
        f"UPDATE turns SET untrusted = '{_UNKNOWN}' WHERE {_NO_SOURCES}",
        f"UPDATE summaries SET untrusted = '{_UNKNOWN}' WHERE {_NO_SOURCES}",
        *(
            f"UPDATE {table} SET {column} = '[]' WHERE NOT json_valid({column}) OR json_type({column}) <> 'array'"
            for table, column in (("turns", "heard"), ("steps", "choices"), ("prompts", "messages"))
        ),
        "DELETE FROM calls WHERE NOT json_valid(arguments) OR json_type(arguments) <> 'object'",
        "DELETE FROM approvals WHERE NOT json_valid(request) OR json_type(request) <> 'object'",
    ):
        fresh.execute(statement)


def _listed(values: type[Source] | type[TurnOutcome]) -> str:
    return ", ".join(f"'{value}'" for value in values)


@contextlib.contextmanager
def _with_another_header(damaged: Path, fresh: sqlite3.Connection) -> Iterator[Path]:
    """A copy, for the time of the rescue, that begins as a whole file of ours does: a header that lies about the size
    of the pages or their number, or says nothing, hides every row. Fields as in sqlite.org/fileformat.html, 1.3."""
    whole = Path(fresh.execute("PRAGMA database_list").fetchone()[2])
    header = bytearray(whole.read_bytes()[:100])
    work = whole.with_name(f"{whole.name}.work")
    work.unlink(missing_ok=True)
    make_private(work)
    try:
        shutil.copyfile(damaged, work)
        header[28:32] = (work.stat().st_size // int.from_bytes(header[16:18])).to_bytes(4)
        header[32:40] = bytes(8)
        with work.open("r+b") as file:
            file.write(header)
        yield work
    finally:
        work.unlink(missing_ok=True)


def _copied(damaged: Path, fresh: sqlite3.Connection, mode: str) -> Mapping[str, int]:
    """`mode`: with its write-ahead journal ("mode=ro") or without ("immutable=1")."""
    with _readable(damaged, mode) as source:
        fresh.execute("BEGIN")
        kept = {table: _copy(source, fresh, table) for table in _tables(fresh)}
        _copy_sequences(source, fresh)
        _mend_references(fresh)
        fresh.execute("COMMIT")
    return kept


def _has_journal(path: Path) -> bool:
    journal = path.with_name(f"{path.name}-wal")
    return journal.exists() and journal.stat().st_size > 0


def _stated_version(path: Path, newest: int) -> int:
    """As its header says; where that is not possible, the present one: what has no table then has no row."""
    with path.open("rb") as file:
        stated = int.from_bytes(file.read(64)[60:64].ljust(4, b"\0"))
    return stated if 1 <= stated <= newest else newest


@contextlib.contextmanager
def _readable(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(f"{path.as_uri()}?{mode}", uri=True, isolation_level=None)
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    with contextlib.closing(connection):
        with contextlib.suppress(sqlite3.Error):
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA cell_size_check = ON")
        yield connection


def _tables(connection: sqlite3.Connection) -> list[str]:
    """In the order in which they were made, so that what others refer to comes first. The search index is none of
    them: what comes over is noted for it by triggers."""
    select = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid"
    return [name for (name,) in connection.execute(select) if not name.startswith(INDEX)]


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]


def _copy(source: sqlite3.Connection, fresh: sqlite3.Connection, table: str) -> int:
    try:
        is_table = source.execute("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", (table,)).fetchone()
        there = _columns(source, table) if is_table else []
    except sqlite3.Error:
        return 0
    columns = [column for column in _columns(fresh, table) if column in there]
    if not columns:
        return 0
    names, marks = ", ".join(columns), ", ".join("?" * (len(columns) + 1))
    insert = f"INSERT OR IGNORE INTO {table} (rowid, {names}) VALUES ({marks})"
    before = fresh.total_changes
    for row in _rows(source, f"SELECT rowid, {names} FROM {table} NOT INDEXED"):
        # A damaged row can hold what its column forbids; the ones beside it are not lost with it.
        with contextlib.suppress(sqlite3.IntegrityError, sqlite3.DataError):
            fresh.execute(insert, row)
    return fresh.total_changes - before


def _rows(source: sqlite3.Connection, select: str) -> Iterator[Row]:
    """From the beginning up to the damage, from the end back to it, and what can be reached between one by one."""
    first = last = 0
    whole = False
    with contextlib.suppress(sqlite3.Error):
        for row in source.execute(f"{select} ORDER BY rowid"):
            yield row
            first = row[0]
        whole = True
    if whole:
        return
    with contextlib.suppress(sqlite3.Error):
        for row in source.execute(f"{select} WHERE rowid > ? ORDER BY rowid DESC", (first,)):
            yield row
            last = row[0]
    for number in range(first + 1, min(last, first + _MOST_PROBES)):
        with contextlib.suppress(sqlite3.Error):
            yield from source.execute(f"{select} WHERE rowid = ?", (number,)).fetchall()


def _copy_sequences(source: sqlite3.Connection, fresh: sqlite3.Connection) -> None:
    """Numbers that were given once are not given again, also those of rows that are lost."""
    with contextlib.suppress(sqlite3.Error):
        for name, number in source.execute("SELECT name, seq FROM sqlite_sequence").fetchall():
            fresh.execute("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", (number, name))


def _mend_references(fresh: sqlite3.Connection) -> None:
    """A turn whose conversation is lost gets one; what belongs to a turn or a call that is lost says nothing
    without it."""
    fresh.execute(
        "INSERT OR IGNORE INTO sessions (id, title, created) SELECT session_id, ?, min(started) FROM turns"
        " WHERE session_id NOT IN (SELECT id FROM sessions) GROUP BY session_id",
        (_PLACEHOLDER,),
    )
    while broken := fresh.execute("PRAGMA foreign_key_check").fetchall():
        for table, number, *_ in broken:
            fresh.execute(f"DELETE FROM {table} WHERE rowid = ?", (number,))

"""The full-text index over all turns: what is in it, and how it stays true.

A row for each turn, by its `seq`: what was said, the reply, the calls with their arguments and results, the names of
files. Triggers note which turns changed, so that no statement can forget it; the index takes them in when a turn ends,
so that a running turn does not wait for it, and before a search. (In a file that is not trusted, as no file of ours
is, SQLite lets no trigger write to the index itself.)
"""

from __future__ import annotations

import sqlite3

INDEX = "search"
"""What the tables of the index begin with."""
_MOST = 20_000
"""Characters of one call that are found."""
_ARGUMENTS = "json_tree(iif(json_valid(c.arguments), c.arguments, '{}'))"
_CALLS = f"""
    ifnull((SELECT group_concat(substr(c.tool || ' ' || ifnull((
        SELECT group_concat(atom, ' ') FROM {_ARGUMENTS} WHERE atom IS NOT NULL), '') || ' ' || c.result, 1, {_MOST}),
        char(10)) FROM calls c WHERE c.turn_id = t.id), '')"""
_FILES = f"""
    ifnull((SELECT group_concat(j.atom, char(10)) FROM calls c, {_ARGUMENTS} j
    WHERE c.turn_id = t.id AND j.key IN ('path', 'source', 'destination') AND j.type = 'text'), '')"""
_ROWS = f"SELECT t.seq, t.words, t.answer, {_CALLS}, {_FILES} FROM turns t"
_INSERT = "INSERT INTO search (rowid, words, reply, calls, files)"
_OF_CALL = "INSERT OR IGNORE INTO search_due SELECT seq FROM turns WHERE id ="
TABLES = (
    """CREATE VIRTUAL TABLE search USING fts5 (
        words, reply, calls, files, tokenize = 'unicode61 remove_diacritics 2', prefix = '3'
    )""",
    "CREATE TABLE search_due (seq INTEGER PRIMARY KEY) STRICT",
    """CREATE TRIGGER search_turn_added AFTER INSERT ON turns
        BEGIN INSERT OR IGNORE INTO search_due VALUES (NEW.seq); END""",
    """CREATE TRIGGER search_turn_changed AFTER UPDATE OF words, answer ON turns
        BEGIN INSERT OR IGNORE INTO search_due VALUES (NEW.seq); END""",
    """CREATE TRIGGER search_turn_removed AFTER DELETE ON turns
        BEGIN INSERT OR IGNORE INTO search_due VALUES (OLD.seq); END""",
    f"CREATE TRIGGER search_call_added AFTER INSERT ON calls BEGIN {_OF_CALL} NEW.turn_id; END",
    f"CREATE TRIGGER search_call_changed AFTER UPDATE OF arguments, result ON calls BEGIN {_OF_CALL} NEW.turn_id; END",
    f"CREATE TRIGGER search_call_removed AFTER DELETE ON calls BEGIN {_OF_CALL} OLD.turn_id; END",
)
"""What a migration makes; part of a release, so never edited."""


def fill_index(connection: sqlite3.Connection) -> None:
    """From all turns that there are."""
    connection.execute(f"{_INSERT} {_ROWS}")


def renew_index(connection: sqlite3.Connection) -> None:
    """Take in all that changed since the last time. Inside a transaction."""
    connection.execute("DELETE FROM search WHERE rowid IN (SELECT seq FROM search_due)")
    connection.execute(f"{_INSERT} {_ROWS} WHERE t.seq IN (SELECT seq FROM search_due)")
    connection.execute("DELETE FROM search_due")


def forget_traces(connection: sqlite3.Connection) -> None:
    """After rows are gone, in the same transaction: until its older parts are merged, the index keeps their words."""
    renew_index(connection)
    connection.execute("INSERT INTO search (search) VALUES ('optimize')")

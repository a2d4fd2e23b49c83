"""How the database came to its present shape: an append-only list of functions.

What is in a release is never edited, reordered or removed; a change of the tables is a new function at the end.
`PRAGMA user_version` is the number of functions a file has been through. Each runs in a transaction of its own,
on a file that was copied before (`storage.database`).
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable

from aria_desktop.storage.search_index import TABLES, fill_index

Migration = Callable[[sqlite3.Connection], None]


def m001_conversations(connection: sqlite3.Connection) -> None:
    """Sessions hold turns, turns hold steps and calls, calls hold the questions that were asked about them.

    Times are Unix seconds. `seq` is the order in which things happened, whatever the clock said.
    """
    for table in (
        """CREATE TABLE sessions (
            id TEXT PRIMARY KEY,
            title TEXT NOT NULL,
            created REAL NOT NULL
        ) STRICT""",
        """CREATE TABLE turns (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            session_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
            source TEXT NOT NULL,
            workspace TEXT NOT NULL,
            words TEXT NOT NULL,
            language TEXT NOT NULL DEFAULT '',
            answer TEXT NOT NULL DEFAULT '',
            outcome TEXT,
            error TEXT NOT NULL DEFAULT '',
            text TEXT NOT NULL DEFAULT '',
            hint TEXT NOT NULL DEFAULT '',
            timings TEXT NOT NULL DEFAULT '{}',
            started REAL NOT NULL,
            ended REAL
        ) STRICT""",
        "CREATE INDEX turns_of_session ON turns (session_id, seq)",
        "CREATE INDEX open_turns ON turns (seq) WHERE outcome IS NULL",
        """CREATE TABLE steps (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            turn_id TEXT NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
            step INTEGER NOT NULL,
            raw TEXT NOT NULL,
            prompt_tokens INTEGER NOT NULL,
            reused_tokens INTEGER NOT NULL,
            tokens INTEGER NOT NULL,
            seconds REAL NOT NULL,
            received REAL NOT NULL
        ) STRICT""",
        "CREATE INDEX steps_of_turn ON steps (turn_id, seq)",
        """CREATE TABLE calls (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            turn_id TEXT NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
            step INTEGER NOT NULL,
            tool TEXT NOT NULL,
            arguments TEXT NOT NULL,
            state TEXT NOT NULL,
            result TEXT NOT NULL DEFAULT '',
            answer TEXT NOT NULL DEFAULT '',
            proposed REAL NOT NULL,
            started REAL,
            ended REAL
        ) STRICT""",
        "CREATE INDEX calls_of_turn ON calls (turn_id, seq)",
        "CREATE INDEX open_calls ON calls (state) WHERE state IN ('proposed', 'waiting', 'running')",
        """CREATE TABLE approvals (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            call_id TEXT NOT NULL REFERENCES calls (id) ON DELETE CASCADE,
            request TEXT NOT NULL,
            asked REAL NOT NULL,
            allowed INTEGER,
            decided_by TEXT NOT NULL DEFAULT '',
            decided REAL,
            seconds REAL
        ) STRICT""",
        "CREATE INDEX approvals_of_call ON approvals (call_id, seq)",
    ):
        connection.execute(table)


def m002_facts(connection: sqlite3.Connection) -> None:
    """What the user has told ARIA to remember. A fact outlives the turn in which it was told.

    AUTOINCREMENT, so that the number of a fact that was forgotten is never given to another one.
    """
    connection.execute(
        """CREATE TABLE facts (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            text TEXT NOT NULL,
            kept REAL NOT NULL,
            turn_id TEXT NOT NULL
        ) STRICT"""
    )


def m003_summaries(connection: sqlite3.Connection) -> None:
    """What stands for the turns of a conversation up to `through`. It goes with its session."""
    connection.execute(
        """CREATE TABLE summaries (
            session_id TEXT PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
            text TEXT NOT NULL,
            through TEXT NOT NULL
        ) STRICT"""
    )


def m004_audit(connection: sqlite3.Connection) -> None:
    """What was called, asked, decided and done (`storage.audit`). Rows are added and never changed; they are removed
    by a purge alone, which says first up to where."""
    for statement in (
        """CREATE TABLE audit (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            at REAL NOT NULL,
            what TEXT NOT NULL,
            turn_id TEXT NOT NULL,
            call_id TEXT NOT NULL,
            tool TEXT NOT NULL,
            shown TEXT NOT NULL,
            outcome TEXT NOT NULL,
            by TEXT NOT NULL
        ) STRICT""",
        "CREATE INDEX audit_of_call ON audit (call_id)",
        "CREATE INDEX audit_of_turn ON audit (turn_id)",
        """CREATE TABLE audit_purges (
            through INTEGER NOT NULL,
            at REAL NOT NULL
        ) STRICT""",
        """CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
            BEGIN SELECT RAISE(ABORT, 'the audit is only added to'); END""",
        """CREATE TRIGGER audit_is_not_removed BEFORE DELETE ON audit
            WHEN OLD.seq > ifnull((SELECT max(through) FROM audit_purges), 0)
            BEGIN SELECT RAISE(ABORT, 'the audit is only added to'); END""",
    ):
        connection.execute(statement)


def m005_untrusted(connection: sqlite3.Connection) -> None:
    """Where text in a turn, or in a summary, comes from that nobody vouches for: a JSON list of sources.

    Of what is older nobody noted it, so every conversation in which a file may have been read counts as having it.
    """
    for table in ("turns", "summaries"):
        connection.execute(f"ALTER TABLE {table} ADD COLUMN untrusted TEXT NOT NULL DEFAULT '[]'")
    unknown = json.dumps(["an earlier turn"])
    with_calls = "SELECT t.session_id FROM turns t JOIN calls c ON c.turn_id = t.id"
    connection.execute(f"UPDATE turns SET untrusted = ? WHERE session_id IN ({with_calls})", (unknown,))
    connection.execute(f"UPDATE summaries SET untrusted = ? WHERE session_id IN ({with_calls})", (unknown,))


def m006_runs(connection: sqlite3.Connection) -> None:
    """What a turn is seen again with: the prompts, how sure the model was, how sure the recogniser was of each word.

    Of the messages of a prompt only those are kept that are not the same in every prompt.
    """
    for statement in (
        """CREATE TABLE prompts (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            turn_id TEXT NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
            step INTEGER NOT NULL,
            attempt INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            messages TEXT NOT NULL,
            unchanging INTEGER NOT NULL,
            asked REAL NOT NULL
        ) STRICT""",
        "CREATE INDEX prompts_of_turn ON prompts (turn_id, seq)",
        "ALTER TABLE steps ADD COLUMN choices TEXT NOT NULL DEFAULT '[]'",
        "ALTER TABLE steps ADD COLUMN seconds_to_first REAL NOT NULL DEFAULT 0",
        "ALTER TABLE turns ADD COLUMN heard TEXT NOT NULL DEFAULT '[]'",
        "ALTER TABLE turns ADD COLUMN audio_seconds REAL NOT NULL DEFAULT 0",
    ):
        connection.execute(statement)


def m007_heard_answers(connection: sqlite3.Connection) -> None:
    """What was heard of an answer whose speaking was interrupted; NULL where it was not."""
    connection.execute("ALTER TABLE turns ADD COLUMN heard_answer TEXT")


def m008_transcripts(connection: sqlite3.Connection) -> None:
    """Sound files that are being written down: how far, and what was heard. `identity` tells the file by its content,
    with the language and the model that it is heard with."""
    for table in (
        """CREATE TABLE transcripts (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            identity TEXT NOT NULL UNIQUE,
            language TEXT NOT NULL DEFAULT '',
            done REAL NOT NULL DEFAULT 0,
            begun REAL NOT NULL
        ) STRICT""",
        """CREATE TABLE transcript_segments (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            number INTEGER NOT NULL REFERENCES transcripts ON DELETE CASCADE,
            text TEXT NOT NULL,
            begins REAL NOT NULL,
            ends REAL NOT NULL,
            words TEXT NOT NULL
        ) STRICT""",
        "CREATE INDEX segments_of_transcript ON transcript_segments (number, seq)",
    ):
        connection.execute(table)


def m009_search(connection: sqlite3.Connection) -> None:
    """A full-text index with a row for each turn (`storage.search_index`), and conversations that are pinned."""
    connection.execute("ALTER TABLE sessions ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0")
    for table in TABLES:
        connection.execute(table)
    fill_index(connection)


MIGRATIONS: tuple[Migration, ...] = (
    m001_conversations,
    m002_facts,
    m003_summaries,
    m004_audit,
    m005_untrusted,
    m006_runs,
    m007_heard_answers,
    m008_transcripts,
    m009_search,
)

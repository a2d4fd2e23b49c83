"""Ways in which a database file can be bad: security.md 3.10 has 22 of them, each done to a whole one here."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path

from aria_desktop.storage.migrations import MIGRATIONS


def overwrite(path: Path, offset: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(data)


def run_sql(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def text(path: Path) -> None:
    path.write_text("This is my shopping list.\n" * 100)


def short(path: Path) -> None:
    os.truncate(path, 50)


def only_a_header(path: Path) -> None:
    os.truncate(path, 100)


def one_page(path: Path) -> None:
    os.truncate(path, 4096)


def half(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def without_the_last_bytes(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 10)


def noise_in_the_header(path: Path) -> None:
    overwrite(path, 0, bytes(range(100)))


def noise_in_the_schema(path: Path) -> None:
    overwrite(path, 100, bytes(range(100)))


def noise_in_a_leaf(path: Path) -> None:
    overwrite(path, path.stat().st_size - 4096, bytes(range(100)))


def zeros_in_the_middle(path: Path) -> None:
    overwrite(path, path.stat().st_size // 2 // 4096 * 4096, bytes(4096))


def another_page_size(path: Path) -> None:
    overwrite(path, 16, (512).to_bytes(2))


def fifty_gigabytes_by_its_header(path: Path) -> None:
    overwrite(path, 28, (50 * 2**30 // 4096).to_bytes(4))


def of_another_program(path: Path) -> None:
    path.unlink()
    run_sql(path, "CREATE TABLE bookmarks (x)")


def with_a_planted_trigger(path: Path) -> None:
    run_sql(path, "CREATE TRIGGER evil AFTER INSERT ON turns BEGIN DELETE FROM sessions; END")


def with_a_planted_view(path: Path) -> None:
    run_sql(path, "DROP TABLE steps", "CREATE VIEW steps AS SELECT 1")


def with_a_planted_virtual_table(path: Path) -> None:
    run_sql(path, "CREATE VIRTUAL TABLE evil USING fts5 (x)")


def half_migrated(path: Path) -> None:
    """It says that it is a version older, and has what the next one brings."""
    run_sql(path, f"PRAGMA user_version = {len(MIGRATIONS) - 1}")


def with_a_table_less(path: Path) -> None:
    run_sql(path, "DROP TABLE approvals")


def with_a_turn_of_no_session(path: Path) -> None:
    run_sql(path, "DELETE FROM sessions")


def never_migrated(path: Path) -> None:
    run_sql(path, "PRAGMA user_version = 0")


def with_the_journal_of_another_database(path: Path) -> None:
    """It belongs to a file with other tables, and SQLite can't tell."""
    other = path.with_name("other.db")
    connection = sqlite3.connect(other, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE other (x)")
    shutil.copyfile(path.with_name("other.db-wal"), path.with_name("aria.db-wal"))
    connection.close()


def with_a_rollback_journal_of_another_database(path: Path) -> None:
    path.with_name("aria.db-journal").write_bytes(bytes.fromhex("d9d505f920a163d7") + bytes(600))


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def link_to_nothing(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.with_name("nothing"))


def gone_with_its_journal_left(path: Path) -> None:
    path.with_name("aria.db-wal").write_bytes(b"frames of somebody's conversations")
    path.unlink()


DAMAGE = (
    emptied,
    text,
    short,
    only_a_header,
    one_page,
    half,
    without_the_last_bytes,
    noise_in_the_header,
    noise_in_the_schema,
    noise_in_a_leaf,
    zeros_in_the_middle,
    another_page_size,
    fifty_gigabytes_by_its_header,
    with_a_planted_trigger,
    with_a_planted_view,
    with_a_planted_virtual_table,
    half_migrated,
    with_a_table_less,
    with_a_turn_of_no_session,
    never_migrated,
    with_the_journal_of_another_database,
)
"""What can be put right: the file is ours, or in its place."""
FOREIGN = (
    of_another_program,
    with_a_rollback_journal_of_another_database,
    folder,
    pipe,
    link_to_nothing,
    gone_with_its_journal_left,
)
"""What is nobody's to repair: it is said and left alone."""
HARM = (*DAMAGE, *FOREIGN)

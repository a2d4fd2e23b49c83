"""What the user has told ARIA to remember: a plain list, and what was deleted from it is gone from the disk.

Which facts may be kept, how many and how long, is decided by `tools.memory`; this only stores and lists.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from aria_desktop.core.plain import well_formed
from aria_desktop.core.records import Fact
from aria_desktop.storage.database import Database


class Facts:
    """The `FactStore` of the program."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def facts(self) -> tuple[Fact, ...]:
        with self._database.reading() as connection:
            rows = connection.execute("SELECT number, text, kept, turn_id FROM facts ORDER BY number DESC").fetchall()
        return tuple(Fact(*row) for row in rows)

    def keep(self, text: str, turn_id: str) -> Fact:
        now, text = self._clock(), well_formed(text)
        with self._database.transaction() as connection:
            insert = "INSERT INTO facts (text, kept, turn_id) VALUES (?, ?, ?) RETURNING number"
            (number,) = connection.execute(insert, (text, now, turn_id)).fetchone()
        return Fact(number, text, now, turn_id)

    def forget(self, number: int) -> bool:
        return self._deleted("DELETE FROM facts WHERE number = ?", (number,)) > 0

    def clear(self) -> int:
        return self._deleted("DELETE FROM facts", ())

    def _deleted(self, sql: str, values: tuple[int, ...]) -> int:
        with self._database.transaction() as connection:
            count = connection.execute(sql, values).rowcount
        if count:
            self._database.forget_deleted()
        return count

"""What was written down of a sound file so far, so that a killed program goes on where it was.

Nothing stays of a file that was done: whoever asked for its text has it then. What was left unfinished is forgotten
after `DAYS`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence

from aria_desktop.core.interfaces import StoredTranscript
from aria_desktop.core.plain import well_formed
from aria_desktop.core.transcript import Segment, Word
from aria_desktop.storage.database import Database
from aria_desktop.storage.story import as_json
from aria_desktop.storage.sync_behind import Sync

DAYS = 30


class Transcripts:
    """The `TranscriptStore` of the program."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def begin(self, identity: str) -> StoredTranscript:
        now = self._clock()
        with self._database.transaction() as connection:
            old = connection.execute("DELETE FROM transcripts WHERE begun < ?", (now - DAYS * 86_400,)).rowcount
            connection.execute(
                "INSERT INTO transcripts (identity, begun) VALUES (?, ?) ON CONFLICT (identity) DO NOTHING",
                (well_formed(identity), now),
            )
            select = "SELECT number, done, language FROM transcripts WHERE identity = ?"
            number, done, language = connection.execute(select, (well_formed(identity),)).fetchone()
            rows = connection.execute(
                "SELECT text, begins, ends, words FROM transcript_segments WHERE number = ? ORDER BY seq", (number,)
            ).fetchall()
        if old:
            self._database.forget_deleted()
        return StoredTranscript(number, done, language, tuple(_segment(*row) for row in rows))

    def keep(self, number: int, done: float, language: str, segments: Sequence[Segment]) -> None:
        insert = "INSERT INTO transcript_segments (number, text, begins, ends, words) VALUES (?, ?, ?, ?, ?)"
        with self._database.transaction(Sync.BEHIND) as connection:
            update = "UPDATE transcripts SET done = ?, language = ? WHERE number = ?"
            connection.execute(update, (done, language, number))
            connection.executemany(insert, [(number, *_row(segment)) for segment in segments])

    def finish(self, number: int) -> None:
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM transcripts WHERE number = ?", (number,))
        self._database.forget_deleted()


def _row(segment: Segment) -> tuple[str, float, float, str]:
    words = [[word.text, word.start, word.end, word.probability] for word in segment.words]
    return well_formed(segment.text), segment.start, segment.end, as_json(words)


def _segment(text: str, begins: float, ends: float, words: str) -> Segment:
    return Segment(text, begins, ends, tuple(Word(*word) for word in json.loads(words)))

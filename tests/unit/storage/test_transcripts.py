"""What was written down of a sound file survives, and goes when it is handed over."""

from __future__ import annotations

from pathlib import Path

from aria_desktop.core.transcript import Segment, Word
from aria_desktop.storage.database import Database
from aria_desktop.storage.lock import DatabaseLock
from aria_desktop.storage.transcripts import DAYS, Transcripts

FIRST = Segment("Grüße \ud800.", 0.0, 1.5, (Word("Grüße", 0.0, 1.0, 0.9),))
SECOND = Segment("Two.", 21.0, 22.0)


def test_it_goes_on_after_the_database_was_closed(path: Path, lock: DatabaseLock) -> None:
    with Database.open(path, lock) as database:
        begun = Transcripts(database).begin("a en tiny")
        assert (begun.done, begun.language, begun.segments) == (0.0, "", ())
        Transcripts(database).keep(begun.number, 20.5, "de", [FIRST])
        Transcripts(database).keep(begun.number, 41.0, "de", [SECOND])
    with Database.open(path, lock) as database:
        found = Transcripts(database).begin("a en tiny")
        other = Transcripts(database).begin("a en base")
    assert (found.number, found.done, found.language) == (begun.number, 41.0, "de")
    assert [segment.text for segment in found.segments] == ["Grüße \ufffd.", "Two."]
    assert found.segments[0].words == FIRST.words
    assert (other.done, other.segments) == (0.0, ())


def test_nothing_stays_of_what_was_handed_over(path: Path, lock: DatabaseLock) -> None:
    with Database.open(path, lock) as database:
        begun = Transcripts(database).begin("a")
        Transcripts(database).keep(begun.number, 20.5, "de", [Segment("A very secret word.", 0.0, 1.0)])
        Transcripts(database).finish(begun.number)
        assert Transcripts(database).begin("a").segments == ()
    assert b"secret" not in path.read_bytes()


def test_what_was_left_unfinished_is_forgotten_after_a_while(path: Path, lock: DatabaseLock) -> None:
    now = [1e9]
    with Database.open(path, lock) as database:
        transcripts = Transcripts(database, lambda: now[0])
        begun = transcripts.begin("a")
        transcripts.keep(begun.number, 20.5, "de", [SECOND])
        now[0] += (DAYS - 1) * 86_400
        assert transcripts.begin("a").segments == (SECOND,)
        now[0] += 2 * 86_400
        assert transcripts.begin("a").segments == ()

"""`aria bench search`: full-text search over 10,000 stored turns, as somebody types."""

from __future__ import annotations

import itertools
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from aria_desktop.core.chat import ToolCall, TurnOutcome
from aria_desktop.core.history import EVERYWHERE
from aria_desktop.core.records import CallRecord, Source, TurnRecord
from aria_desktop.evaluation.report import Figure, Report, machine_line
from aria_desktop.storage.archive import Archive
from aria_desktop.storage.database import Database
from aria_desktop.storage.lock import DatabaseLock

GOAL_MS = 300.0
SHOWN = 200
"""Hits that the window asks for."""
_IN_ONE = 100
"""Turns of one conversation."""
_SYLLABLES = [begin + end for begin in "bdfgklmnprstvz" for end in ("a", "e", "i", "o", "u", "an", "er", "il")]
_DAY_S = 86_400.0


@dataclass(frozen=True, slots=True)
class Searched:
    text: str
    turns: int
    """That have it."""
    seconds: float


def run(turns: int, queries: int) -> Report:
    with tempfile.TemporaryDirectory(prefix="aria-search-") as folder, stored(Path(folder), turns) as archive:
        items = [_measured(archive, text) for text in _typed(queries)]
    waits = [1000 * item.seconds for item in items]
    figures = (
        Figure("turns stored", turns, ""),
        Figure("searches", len(items), ""),
        Figure("turns that a search finds, median", statistics.median(item.turns for item in items), ""),
        Figure("the first search after the start", waits[0], "ms", limit=GOAL_MS),
        Figure("a search, median", statistics.median(waits), "ms", limit=GOAL_MS),
        Figure("a search, slowest", max(waits), "ms", limit=GOAL_MS),
    )
    return Report("search", machine_line(), figures, tuple(asdict(item) for item in items))


@contextmanager
def stored(folder: Path, turns: int) -> Iterator[Archive]:
    """Conversations of random words in `folder`, closed and opened again, so that nothing of the index is in memory."""
    with DatabaseLock.take(folder / "search.lock", "benchmark") as lock:
        with closing(Database.open(folder / "search.db", lock)) as database:
            _fill(Archive(database), turns)
        with closing(Database.open(folder / "search.db", lock)) as database:
            yield Archive(database)


def _fill(archive: Archive, turns: int) -> None:
    words = _Words()
    for first in range(0, turns, _IN_ONE):
        archive.add(words(5), [_turn(words, number) for number in range(first, min(turns, first + _IN_ONE))])


class _Words:
    """A vocabulary whose words are as unequally frequent as those of a language (Zipf's law), always the same."""

    def __init__(self) -> None:
        self.random = random.Random(7)
        self.all = list(dict.fromkeys(self._word() for _ in range(6000)))
        self._weights = [1 / rank for rank in range(1, len(self.all) + 1)]

    def __call__(self, count: int) -> str:
        return " ".join(self.random.choices(self.all, self._weights, k=count))

    def _word(self) -> str:
        return "".join(self.random.choices(_SYLLABLES, k=self.random.choice((1, 2, 2, 3, 3, 4))))


def _turn(words: _Words, number: int) -> TurnRecord:
    name = f"{words(1)}/{words(1)}.txt"
    call = CallRecord(ToolCall(f"c{number}", "read_file", {"path": name}), "done", None, words(60))
    began = 1_700_000_000.0 + number * _DAY_S / 30
    return TurnRecord(
        f"t{number}", Source.MICROPHONE, words(12), words(40), TurnOutcome.ANSWERED, began, (call,), {"total": 2.0}
    )


def _typed(queries: int) -> Iterator[str]:
    """From frequent words to rare ones, each from its third letter to its last, and two words at once."""
    vocabulary = _Words().all
    texts = (text for step in itertools.count() for text in _texts(vocabulary, step))
    return itertools.islice(texts, queries)


def _texts(vocabulary: list[str], step: int) -> list[str]:
    word = vocabulary[(step * 37) % len(vocabulary)]
    return [*(word[:length] for length in range(min(3, len(word)), len(word) + 1)), f"{word} {vocabulary[step % 10]}"]


def _measured(archive: Archive, text: str) -> Searched:
    began = time.perf_counter()
    found = archive.search(text, EVERYWHERE, 0.0, SHOWN, newest_first=True)
    return Searched(text, found.turns, time.perf_counter() - began)

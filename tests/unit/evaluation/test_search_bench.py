from __future__ import annotations

from pathlib import Path

from aria_desktop.core.history import EVERYWHERE
from aria_desktop.evaluation import search


def test_each_search_is_kept_and_most_find_something() -> None:
    report = search.run(turns=250, queries=40)
    figures = {figure.name: figure for figure in report.figures}
    assert len(report.items) == figures["searches"].value == 40
    assert sum(item["turns"] > 0 for item in report.items) > 30  # type: ignore[operator]
    assert figures["a search, slowest"].limit == search.GOAL_MS


def test_the_last_conversation_holds_what_is_left(tmp_path: Path) -> None:
    with search.stored(tmp_path, 250) as archive:
        assert archive.search("read_file", EVERYWHERE, 0.0, 1000, newest_first=True).turns == 250

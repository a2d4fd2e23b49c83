from __future__ import annotations

from aria_desktop.evaluation import cage


def test_each_pair_is_kept_and_the_figures_come_from_them() -> None:
    report = cage.run(rounds=3)
    figures = {figure.name: figure for figure in report.figures}
    assert len(report.items) == 3
    assert all(item["plain_s"] > 0 and item["caged_s"] > 0 for item in report.items)  # type: ignore[operator]
    assert figures["pairs measured"].value == 3
    assert figures["added by the cage, median"].limit == cage.ADDED_MS


def test_one_pair_is_enough() -> None:
    assert cage.run(rounds=1).items

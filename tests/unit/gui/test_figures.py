from __future__ import annotations

import time

import pytest

from aria_desktop.gui.state import figures

GAP = "\N{NO-BREAK SPACE}"


@pytest.mark.parametrize(
    ("octets", "shown"),
    [
        (0, "0 B"),
        (22, "22 B"),
        (999, "999 B"),
        (1000, "1.0 kB"),
        (3100, "3.1 kB"),
        (48_000, "48 kB"),
        (999_400, "999 kB"),
        (999_600, "1.0 MB"),
        (2_600_000_000, "2.6 GB"),
        (5_000_000_000_000, "5000 GB"),
    ],
)
def test_sizes(octets: int, shown: str) -> None:
    assert figures.size(octets) == shown.replace(" ", GAP)


def test_a_text_counts_in_bytes_even_with_lone_surrogates() -> None:
    assert figures.text_size("é\ud800") == f"5{GAP}B"


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (-1, "0.0 s"),
        (0.04, "0.0 s"),
        (0.6, "0.6 s"),
        (9.94, "9.9 s"),
        (12.4, "12 s"),
        (60, "1 min"),
        (125, "2 min 5 s"),
    ],
)
def test_durations(seconds: float, shown: str) -> None:
    assert figures.duration(seconds).replace(GAP, " ") == shown


@pytest.mark.parametrize(("seconds", "shown"), [(0.2, "1 s"), (9.3, "9 s"), (59.6, "1 min")])
def test_whole_durations(seconds: float, shown: str) -> None:
    assert figures.whole_duration(seconds).replace(GAP, " ") == shown


@pytest.mark.parametrize(("seconds", "shown"), [(0, "0:00"), (4.9, "0:04"), (750, "12:30"), (3723, "1:02:03")])
def test_positions(seconds: float, shown: str) -> None:
    assert figures.position(seconds) == shown


def test_days() -> None:
    then = time.mktime((2025, 3, 3, 10, 41, 0, 0, 0, -1))
    assert figures.clock(then) == "10:41"
    assert figures.day_and_clock(then, then + 60) == "Today, 10:41"
    assert figures.day_and_clock(then, then + 3 * 86_400) == "3 March, 10:41"
    assert figures.day_and_clock(then, then + 400 * 86_400) == "3 March 2025, 10:41"


def test_counts() -> None:
    assert figures.counted(1, "line", "lines") == f"1{GAP}line"
    assert figures.counted(12_000, "line", "lines") == f"12,000{GAP}lines"

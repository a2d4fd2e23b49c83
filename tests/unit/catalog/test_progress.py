"""Speed and time left, by a clock that the test turns."""

from __future__ import annotations

import pytest

from aria_desktop.catalog.progress import Meter, Progress, Stage
from aria_desktop.catalog.space import size_words
from aria_desktop.commands.progress_line import duration, percent, words


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_speed_is_that_of_the_last_seconds_and_old_bytes_do_not_count() -> None:
    clock, seen = Clock(), list[Progress]()
    meter = Meter(seen.append, "m", Stage.DOWNLOADING, "host", total=1000, start=500, clock=clock)
    for _ in range(10):
        clock.now += 1
        meter.add(10)
    assert (seen[-1].done, seen[-1].bytes_per_s, seen[-1].seconds_left) == (600, 10, 40)
    clock.now += 1
    meter.add(100)
    assert seen[-1].bytes_per_s > 20


def test_it_reports_a_few_times_a_second_and_the_end_for_sure() -> None:
    clock, seen = Clock(), list[Progress]()
    meter = Meter(seen.append, "m", Stage.COPYING, "", total=None, clock=clock)
    for _ in range(100):
        clock.now += 0.01
        meter.add(1)
    assert 4 <= len(seen) <= 6
    meter.finish()
    assert seen[-1].done == 100
    assert seen[-1].seconds_left is None


def test_starting_again_is_no_negative_speed() -> None:
    clock, seen = Clock(), list[Progress]()
    meter = Meter(seen.append, "m", Stage.DOWNLOADING, "", total=100, start=50, clock=clock)
    clock.now += 1
    meter.at(0)
    clock.now += 1
    meter.at(10)
    assert seen[-1].bytes_per_s == 10


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1_000, "1 kB"),
        (147_882_941, "148 MB"),
        (999_600_000, "1 GB"),
        (1_117_320_768, "1.12 GB"),
        (42_520_398_816, "42.5 GB"),
        (2e12, "2 TB"),
    ],
)
def test_sizes_in_words(count: float, text: str) -> None:
    assert size_words(count) == text


@pytest.mark.parametrize(("seconds", "text"), [(0.4, "0 s"), (59.4, "59 s"), (185, "3 min 5 s"), (7800, "2 h 10 min")])
def test_times_in_words(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_a_line_tells_bytes_speed_and_time_left() -> None:
    progress = Progress("base", Stage.DOWNLOADING, "host", 90_100_000, 147_882_941, 12e6, 4.8)
    assert words(progress) == "base: downloading 60 %, 90.1 MB of 148 MB, 12 MB/s, 5 s left (host)"


def test_all_is_said_only_when_all_is_there() -> None:
    assert percent(Progress("m", Stage.COPYING, "", 999, 1000, 0, None)) == 99
    assert words(Progress("m", Stage.CHECKING, "", 5000, None, 0, None)) == "m: checking, 5 kB"

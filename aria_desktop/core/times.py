"""Moments as people read them. A moment may come from a file of somebody else or a damaged database, so any number
is taken: what no calendar has is shown as the nearest one that has it."""

from __future__ import annotations

import time
from datetime import UTC, datetime

LATEST = 100_000_000_000.0
"""Unix time; a day in the year 5138."""


def possible(unix_time: float) -> bool:
    """Whether it is a moment that something can have happened at."""
    return 0.0 <= unix_time <= LATEST


def local(unix_time: float) -> time.struct_time:
    return time.localtime(_shown(unix_time))


def minute(unix_time: float) -> str:
    """ "2026-03-01 10:41", local time."""
    return time.strftime("%Y-%m-%d %H:%M", local(unix_time))


def second(unix_time: float) -> str:
    """ "2026-03-01 10:41:07", local time."""
    return time.strftime("%Y-%m-%d %H:%M:%S", local(unix_time))


def utc(unix_time: float) -> datetime:
    return datetime.fromtimestamp(_shown(unix_time), UTC)


def _shown(unix_time: float) -> float:
    """In this order also for a number that is none (NaN), which every comparison denies."""
    return min(max(0.0, unix_time), LATEST)

"""Sizes, lengths and times as the window writes them: figures with units, sizes of 1000, in its language."""

from __future__ import annotations

import time

from aria_desktop.core import times
from aria_desktop.gui.state import translation
from aria_desktop.gui.state.translation import decimal, marks, tr

_GAP = "\N{NO-BREAK SPACE}"


def size(octets: int) -> str:
    """ "22 B", "3.1 kB", "48 MB"."""
    if octets < 1000:
        return f"{octets}{_GAP}B"
    amount = float(octets)
    for unit in ("kB", "MB", "GB"):
        amount /= 1000
        if amount < 999.5 or unit == "GB":
            break
    return f"{decimal(f'{amount:.1f}')}{_GAP}{unit}" if amount < 9.95 else f"{amount:.0f}{_GAP}{unit}"


def text_size(text: str) -> str:
    return size(len(text.encode("utf-8", "surrogatepass")))


def duration(seconds: float) -> str:
    """ "0.6 s", "12 s", "2 min 5 s"."""
    if seconds < 9.95:
        return f"{decimal(f'{max(seconds, 0):.1f}')}{_GAP}s"
    return whole_duration(seconds)


def whole_duration(seconds: float) -> str:
    """ "1 s" at least, "12 s", "2 min 5 s"."""
    minutes, rest = divmod(max(1, round(seconds)), 60)
    if not minutes:
        return f"{rest}{_GAP}s"
    return f"{minutes}{_GAP}min" + (f" {rest}{_GAP}s" if rest else "")


def position(seconds: float) -> str:
    """ "0:04", "12:30", "1:02:03": where a recording stands."""
    minutes, second = divmod(int(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


def clock(unix_time: float) -> str:
    """ "10:41", local time."""
    return time.strftime("%H:%M", times.local(unix_time))


def day_and_clock(unix_time: float, now: float) -> str:
    """ "Today, 10:41" or "3 March, 10:41"."""
    return f"{day(unix_time, now)}, {clock(unix_time)}"


def day(unix_time: float, now: float) -> str:
    """ "Today", "3 March", "3 March 2024"."""
    then, today = times.local(unix_time), times.local(now)
    if then[:3] == today[:3]:
        return tr("Today")
    month = tr(_MONTHS[then.tm_mon - 1])
    if then.tm_year != today.tm_year:
        return tr("{day} {month} {year}", day=then.tm_mday, month=month, year=then.tm_year)
    return tr("{day} {month}", day=then.tm_mday, month=month)


def weekday(unix_time: float) -> str:
    return tr(_DAYS[times.local(unix_time).tm_wday])


def counted(count: int, one: str, many: str) -> str:
    """ "1 line", "3 lines"."""
    return translation.counted(count, one, many)


_DAYS = marks("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = marks(
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)

"""The rows of the right panel: the files of the workspace, and the conversations before this one. Pure."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from aria_desktop.core import times
from aria_desktop.core.records import FileRecord, SessionRecord
from aria_desktop.gui.state import figures, kept_files
from aria_desktop.gui.state.shown import one_line
from aria_desktop.gui.state.translation import tr

MOST_CONVERSATIONS = 8


@dataclass(frozen=True, slots=True)
class SideRow:
    key: str
    """The file's name, or the conversation's id."""
    icon: str
    """Of `resources/icons`; empty for none."""
    title: str
    about: str


def file_rows(files: Sequence[FileRecord], now: float) -> tuple[SideRow, ...]:
    return tuple(_file_row(file, now) for file in files)


def conversation_rows(sessions: Sequence[SessionRecord], now: float) -> tuple[SideRow, ...]:
    """The newest ones; one that waits for an answer says so."""
    return tuple(_conversation_row(session, now) for session in sessions[:MOST_CONVERSATIONS])


def lately(unix_time: float, now: float) -> str:
    """ "10:44" today, "yesterday", "Friday" within a week, else "3 March" or "3 March 2024"; local time."""
    then, today = times.local(unix_time), times.local(now)
    days = _day(today) - _day(then)
    if days == 0:
        return figures.clock(unix_time)
    if days == 1:
        return tr("yesterday")
    if 1 < days < 7:
        return figures.weekday(unix_time)
    return figures.day(unix_time, now)


def _file_row(file: FileRecord, now: float) -> SideRow:
    about = (kept_files.kind_of(file.name), figures.size(file.size), lately(file.modified, now))
    return SideRow(file.name, kept_files.icon_of(file.name), one_line(file.name), " · ".join(about))


def _conversation_row(session: SessionRecord, now: float) -> SideRow:
    turns = figures.counted(session.turns, "turn", "turns")
    when = lately(session.updated, now)
    about = (when[0].upper() + when[1:], turns, tr("waits for you") if session.waiting else "")
    return SideRow(session.session_id, "", one_line(session.title) or tr("No words"), " · ".join(filter(None, about)))


def _day(moment: time.struct_time) -> int:
    """Days since the epoch, by the calendar and not by hours."""
    return round(time.mktime((moment.tm_year, moment.tm_mon, moment.tm_mday, 12, 0, 0, 0, 0, -1)) // 86_400)

"""What the window of fetch mode says of each model, and what its buttons do now. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Literal

from aria_desktop.core.fetch_mode import FetchLine, FetchState
from aria_desktop.gui.state.figures import size, whole_duration
from aria_desktop.gui.state.shown import one_line
from aria_desktop.gui.state.translation import mark, tr

_WORDS = {
    FetchState.WAITING: mark("Waiting"),
    FetchState.CHECKING: mark("Checking what is here"),
    FetchState.DOWNLOADING: mark("Downloading"),
    FetchState.JOINING: mark("Joining the parts"),
    FetchState.PAUSED: mark("Paused. What arrived is kept."),
    FetchState.DONE: mark("Here, and its hash is right"),
    FetchState.FAILED: mark("Not fetched"),
}
_MOVING = (FetchState.CHECKING, FetchState.DOWNLOADING, FetchState.JOINING)


class MainButton(Enum):
    """What the left button does; its value is its words."""

    PAUSE = mark("Pause")
    GO_ON = mark("Go on")
    TRY_AGAIN = mark("Try again")


@dataclass(frozen=True, slots=True)
class FetchRow:
    name: str
    state: str
    figures: str
    """Bytes, speed and time left; empty while nothing moves."""
    text: str
    per_mille: int | None
    """How far; None: it can't be told."""
    tone: Literal["", "loss", "gain"]


def row(line: FetchLine, name: str) -> FetchRow:
    tone: Literal["", "loss", "gain"] = ""
    if line.state in (FetchState.FAILED, FetchState.DONE):
        tone = "loss" if line.state is FetchState.FAILED else "gain"
    share = None if not line.total else min(1000, line.done * 1000 // line.total)
    if line.state is FetchState.DONE:
        share = 1000
    return FetchRow(one_line(name), tr(_WORDS[line.state]), figures(line), one_line(line.text), share, tone)


def figures(line: FetchLine) -> str:
    """ "90 MB of 148 MB · 12 MB/s · 5 s left · from huggingface.co"."""
    if line.state not in (*_MOVING, FetchState.PAUSED):
        return "" if line.total is None else size(line.total)
    of = tr("{done} of {total}", done=size(line.done), total=size(line.total)) if line.total else size(line.done)
    parts = [of]
    if line.bytes_per_s > 0:
        parts.append(tr("{size} a second", size=size(round(line.bytes_per_s))))
    if line.seconds_left is not None and line.seconds_left >= 1:
        parts.append(tr("{time} left", time=whole_duration(line.seconds_left)))
    if line.source:
        parts.append(tr("from {place}", place=one_line(line.source)))
    return " · ".join(parts)


def all_here(lines: Sequence[FetchLine]) -> bool:
    return all(line.state is FetchState.DONE for line in lines)


def main_button(lines: Sequence[FetchLine], *, running: bool) -> MainButton:
    if running:
        return MainButton.PAUSE
    failed = any(line.state is FetchState.FAILED for line in lines)
    paused = any(line.state is FetchState.PAUSED for line in lines)
    return MainButton.TRY_AGAIN if failed and not paused else MainButton.GO_ON


def back_words(*, running: bool) -> str:
    return tr("Stop and go back to ARIA") if running else tr("Back to ARIA")


def spoken(line: FetchLine, name: str) -> str:
    """For a screen reader, when a model's state changes."""
    shown = row(line, name)
    return " ".join(filter(None, (shown.name + ":", shown.state, shown.text)))

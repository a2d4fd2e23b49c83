"""The engine line at the bottom of the left panel: are the models there, and if not, why."""

from __future__ import annotations

import re
from dataclasses import dataclass

from aria_desktop.core.events import EngineChanged, EngineRole, EngineState
from aria_desktop.gui.state.translation import marks, tr
from aria_desktop.gui.state.turn import Tone

_NAMES = dict(zip(EngineRole, marks("hearing", "thinking", "voice"), strict=True))


@dataclass(frozen=True, slots=True)
class EngineLine:
    tone: Tone
    text: str
    detail: str
    """Which ones, or where they run; one line."""
    all: str
    """A line for each engine, for the tool tip."""


_STATES = dict(zip(EngineState, marks("asleep", "loading", "ready", "restarting", "failed"), strict=True))


class EngineBoard:
    """The latest word of each engine."""

    def __init__(self) -> None:
        self._latest: dict[EngineRole, EngineChanged] = {}

    def apply(self, event: EngineChanged) -> None:
        self._latest[event.role] = event

    def state(self, role: EngineRole) -> EngineState | None:
        """None while nothing is known."""
        latest = self._latest.get(role)
        return latest.state if latest is not None else None

    def detail(self, role: EngineRole) -> str:
        latest = self._latest.get(role)
        return latest.detail if latest is not None else ""

    def line(self) -> EngineLine:
        tone, text, detail = self._summary()
        return EngineLine(tone, text, detail, "\n".join(_report(self._latest[r]) for r in _NAMES if r in self._latest))

    def _summary(self) -> tuple[Tone, str, str]:
        failed = self._in(EngineState.FAILED)
        if failed:
            return Tone.LOSS, _capital(tr("{engines} failed", engines=_list(failed))), self.detail(failed[0])
        coming = self._in(EngineState.LOADING, EngineState.RESTARTING)
        if coming:
            return Tone.QUIET, tr("Models loading"), tr("all of them") if len(coming) == len(_NAMES) else _list(coming)
        ready = self._in(EngineState.READY)
        if not ready:
            return Tone.QUIET, tr("Models asleep"), tr("until needed")
        details = list(dict.fromkeys(self.detail(role) for role in ready if self.detail(role)))
        return Tone.QUIET, tr("Models ready"), _where(details)

    def _in(self, *states: EngineState) -> list[EngineRole]:
        return [role for role in _NAMES if self.state(role) in states]


def _list(roles: list[EngineRole]) -> str:
    names = [tr(_NAMES[role]) for role in roles]
    return names[0] if len(names) == 1 else tr("{names} and {last}", names=", ".join(names[:-1]), last=names[-1])


def _where(details: list[str]) -> str:
    """The first words of each detail, which name the device; the reasons after them are in the tool tip."""
    places = dict.fromkeys(re.split(r"[:;,(]", detail, maxsplit=1)[0].strip() for detail in details)
    return ", ".join(tr("on the {place}", place=place) if place in ("CPU", "GPU") else place for place in places)


def _report(event: EngineChanged) -> str:
    words = f"{_capital(tr(_NAMES[event.role]))}: {tr(_STATES[event.state])}, {event.model}"
    return f"{words}. {event.detail}" if event.detail else words


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]

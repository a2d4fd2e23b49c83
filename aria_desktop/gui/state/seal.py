"""What the window says of the seal: the badge in its top bar, which is always there, and the page behind it. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from aria_desktop.core.seal import Badge, Reach, SealedProcess, SealReport
from aria_desktop.gui.state.shown import one_line
from aria_desktop.gui.state.translation import tr


@dataclass(frozen=True, slots=True)
class BadgeWords:
    icon: str
    token: str
    """The icon's colour in the theme."""
    name: str
    explained: str
    tone: Literal["", "loss"]


@dataclass(frozen=True, slots=True)
class Row:
    """A process on the page."""

    what: str
    state: str
    connections: tuple[str, ...]


def badge_words(badge: Badge) -> BadgeWords:
    match badge:
        case Badge.SEALED:
            return BadgeWords("lock", "text2", tr("Sealed"), tr("nothing leaves this computer"), "")
        case Badge.OPEN:
            return BadgeWords(
                "triangle-alert",
                "doubt",
                tr("Not sealed"),
                tr("this system does not keep ARIA from the network"),
                "",
            )
        case Badge.CLOUD:
            explained = tr("what you say may leave this computer")
            return BadgeWords("triangle-alert", "loss", tr("Cloud is on"), explained, "loss")


def summary(report: SealReport) -> str:
    """The first line of the page."""
    if report.sealed:
        return tr("Connections that could be made: none.")
    if not report.reach.sealed:
        return report.reason or tr("This process can reach the network.")
    return tr("Not every process of ARIA is sealed.")


def reached(reach: Reach) -> str:
    """What was found when it was tried a moment ago."""
    can, cannot = tr("can be reached"), tr("can't be reached")
    internet, local = (can if opens else cannot for opens in (reach.internet, reach.local))
    return tr(
        "Tried just now: the internet {internet}, other programs of this computer {local}.",
        internet=internet,
        local=local,
    )


def rows(report: SealReport) -> tuple[Row, ...]:
    waiting = () if report.starter is None else (_row(report.starter, tr("not sealed: it only waits for this window")),)
    return (*(_row(process, _state(process)) for process in report.processes), *waiting)


def _row(process: SealedProcess, state: str) -> Row:
    connections = tuple(one_line(connection) for connection in process.connections)
    return Row(f"{one_line(process.what)} ({process.pid})", state, connections or (tr("no network connections"),))


def _state(process: SealedProcess) -> str:
    if process.filters < 0:
        return tr("the system does not say whether it is sealed")
    return tr("sealed by the kernel") if process.filters and process.keeps else tr("not sealed")

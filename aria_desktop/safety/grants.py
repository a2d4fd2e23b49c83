"""Leave that was given for more than one action: what it covers, and until when.

What must stay true:

- A leave covers one tool, in one folder, for names of one pattern, up to the risk that was shown when it was given. It
  is made by code from the question that was answered, never from words of the model.
- None lasts longer than it was said to, whatever is done to the clock: it ends by the wall clock, by a clock that
  nobody sets, and when the wall clock is found before the latest time that was seen.
- Whatever can't be read covers nothing.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Protocol

from aria_desktop.core.approval import ApprovalRequest, Extent, Offer, RiskLevel
from aria_desktop.core.chat import ToolCall
from aria_desktop.core.errors import AriaError
from aria_desktop.core.visible import visible_line

CONVERSATION_S = 12 * 3600.0
FOLDER_S = 8 * 3600.0
_PATHS = ("path", "source", "destination")
"""Arguments that name files."""
_RANKS = {RiskLevel.LOW: 0, RiskLevel.MEDIUM: 1, RiskLevel.HIGH: 2}
_CLOCK_MAY_SLIP_S = 5.0
"""A clock that is corrected by so little was not set back."""


@dataclass(frozen=True, slots=True)
class Grant:
    id: str
    tool: str
    patterns: tuple[tuple[str, str], ...]
    """Argument -> pattern of the name in it; see `pattern_of`."""
    folder: str
    """The workspace, absolute."""
    session_id: str
    """The conversation; empty: any."""
    risk: RiskLevel
    """The highest that it covers."""
    given: float
    until: float
    """Unix times."""

    @property
    def text(self) -> str:
        return _text(self.tool, [pattern for _, pattern in self.patterns])


@dataclass(frozen=True, slots=True)
class Granted:
    """All that is kept."""

    seen: float
    """The latest wall clock that was seen, Unix time."""
    grants: tuple[Grant, ...] = ()


class GrantStore(Protocol):
    """`storage.grants.GrantFile`. Both raise AriaError."""

    def read(self) -> Granted: ...

    def change(self, change: Callable[[Granted], Granted]) -> Granted:
        """Read, change and write, with nobody in between. Returns what was written."""
        ...


def pattern_of(path: str) -> str:
    """What a leave for this name covers: files with the same ending in the same folder, or else the name alone."""
    found = PurePosixPath(path)
    if path.endswith("/") or not found.suffix:
        return path
    folder = "" if str(found.parent) == "." else f"{found.parent}/"
    return f"{folder}*{found.suffix.casefold()}"


def patterns_of(call: ToolCall) -> tuple[tuple[str, str], ...]:
    return tuple((name, pattern_of(str(call.arguments[name]))) for name in _PATHS if name in call.arguments)


def can_be_granted(call: ToolCall, risk: RiskLevel) -> bool:
    """Nothing that may lose something, and nothing of which no name says what it is about."""
    return risk is not RiskLevel.HIGH and bool(patterns_of(call))


class Grants:
    """From any thread."""

    def __init__(
        self,
        store: GrantStore,
        clock: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._clock = clock
        self._steady = steady
        self._lock = threading.Lock()
        self._deadlines: dict[str, float] = {}
        """Id -> when it ends by the clock that nobody sets; from the first time that it is seen here."""

    def offers(self, call: ToolCall, risk: RiskLevel) -> tuple[Offer, ...]:
        """What may be answered beside a yes to this one call."""
        if not can_be_granted(call, risk):
            return ()
        what = _text(call.tool, [pattern for _, pattern in patterns_of(call)])
        at = {extent: time.strftime("%H:%M", time.localtime(self._clock() + s)) for extent, s in _LASTS.items()}
        return (
            Offer(Extent.CONVERSATION, f"{what}, in this conversation until {at[Extent.CONVERSATION]}"),
            Offer(Extent.FOLDER, f"{what}, in this folder until {at[Extent.FOLDER]}"),
        )

    def give(self, call: ToolCall, request: ApprovalRequest, extent: Extent, folder: str, session_id: str) -> Grant:
        """Raises AriaError. Only for an extent that the question offered."""
        if extent not in {offer.extent for offer in request.offers}:
            raise AriaError(f"A leave for more than once was not offered for {call.tool}.")
        now = self._clock()
        session = session_id if extent is Extent.CONVERSATION else ""
        common = (call.tool, patterns_of(call), folder, session, request.risk.level)
        grant = Grant(f"g{secrets.token_hex(3)}", *common, now, now + _LASTS[extent])
        self._store.change(lambda kept: Granted(max(now, kept.seen), (*kept.grants, grant)))
        return grant

    def covering(self, call: ToolCall, risk: RiskLevel, folder: str, session_id: str) -> Grant | None:
        """The first one that covers exactly this, if any. What can't be read covers nothing."""
        try:
            standing = self.standing()
        except AriaError:
            return None
        return next((grant for grant in standing if _covers(grant, call, risk, folder, session_id)), None)

    def standing(self) -> tuple[Grant, ...]:
        """Those that have not ended. Those that have are forgotten for good. Raises AriaError."""
        now, steady = self._clock(), self._steady()
        kept = self._store.read()
        if not kept.grants:
            return ()
        alive = self._alive(kept, now, steady)
        if len(alive) < len(kept.grants) or now > kept.seen + _CLOCK_MAY_SLIP_S:
            gone = {grant.id for grant in kept.grants} - {grant.id for grant in alive}
            self._store.change(lambda there: Granted(max(now, there.seen), _without(there.grants, gone)))
        return alive

    def revoke(self, ids: Sequence[str] | None = None) -> tuple[Grant, ...]:
        """Take these back, or all. Returns those that there were. Raises AriaError."""
        kept = self._store.read()
        gone = tuple(grant for grant in kept.grants if ids is None or grant.id in ids)
        self._store.change(lambda there: Granted(there.seen, _without(there.grants, {grant.id for grant in gone})))
        return gone

    def _alive(self, kept: Granted, now: float, steady: float) -> tuple[Grant, ...]:
        if now < kept.seen - _CLOCK_MAY_SLIP_S:
            return ()
        with self._lock:
            return tuple(grant for grant in kept.grants if self._lives(grant, now, steady))

    def _lives(self, grant: Grant, now: float, steady: float) -> bool:
        deadline = self._deadlines.setdefault(grant.id, steady + (grant.until - now))
        # A file that was written by somebody else may hold an end that never comes.
        longest = _LASTS[Extent.CONVERSATION if grant.session_id else Extent.FOLDER] + _CLOCK_MAY_SLIP_S
        return (
            grant.until - grant.given <= longest
            and grant.given - _CLOCK_MAY_SLIP_S <= now < grant.until
            and steady < deadline
        )


_LASTS: Mapping[Extent, float] = {Extent.CONVERSATION: CONVERSATION_S, Extent.FOLDER: FOLDER_S}


def _covers(grant: Grant, call: ToolCall, risk: RiskLevel, folder: str, session_id: str) -> bool:
    return (
        grant.tool == call.tool
        and grant.folder == folder
        and grant.session_id in ("", session_id)
        and _RANKS[risk] <= _RANKS[grant.risk]
        and can_be_granted(call, risk)
        and grant.patterns == patterns_of(call)
    )


def _without(grants: Sequence[Grant], gone: set[str]) -> tuple[Grant, ...]:
    return tuple(grant for grant in grants if grant.id not in gone)


def _text(tool: str, patterns: Sequence[str]) -> str:
    return f"{tool} for {visible_line(' to '.join(patterns))}"

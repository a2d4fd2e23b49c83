"""What a talk key does, and that a held key is one press and one release, whatever the system repeats."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class What(StrEnum):
    PRESS = "press"
    RELEASE = "release"
    CANCEL = "cancel"
    """The cancel key went down."""


@dataclass(frozen=True, slots=True)
class Move:
    what: What
    held_s: float = 0.0
    """Of a release: how long the key was down, by the clock of who saw it."""


class HeldKey:
    """One key, from the reports of a system that may repeat a held key or lose the end of it."""

    def __init__(self) -> None:
        self._since: float | None = None

    @property
    def down(self) -> bool:
        return self._since is not None

    def pressed(self, at: float) -> list[Move]:
        """`at`: seconds of any clock that both calls share."""
        if self._since is not None:
            return []
        self._since = at
        return [Move(What.PRESS)]

    def released(self, at: float) -> list[Move]:
        if self._since is None:
            return []
        held_s, self._since = max(0.0, at - self._since), None
        return [Move(What.RELEASE, round(held_s, 3))]

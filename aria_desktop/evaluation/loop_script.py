"""What both loops of `aria bench loop` carry out: turns in which the model calls one tool again and again, and then
answers. Model and tool cost nothing, so what is left is the loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

WORDS = "What do the notes say?"
ANSWER = "The notes say all there is to say."
RESULT = "nothing here, look further"

Asked = Callable[[int], None]
"""Told before each reply how many replies of the turn were given before."""


class Loop(Protocol):
    """Used by one thread."""

    def turn(self, turn_id: str, steps: int) -> None:
        """`steps` replies of the model: all but the last one call the tool."""

    def settle(self) -> None:
        """Wait for what a turn has left to be done behind it, so that it does not burden what comes next."""

    def close(self) -> None: ...
